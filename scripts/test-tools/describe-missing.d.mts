import type { Tool } from './find.mjs';

/** What is not there, why, and the command that brings it. */
export function describeMissing(
  missing: readonly { readonly tool: Tool; readonly why: string }[],
  platform: NodeJS.Platform,
  isThere?: (path: string) => boolean,
): string;
