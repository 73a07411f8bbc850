import { dirname, join } from 'node:path';
import { findK6 } from '../../../scripts/k6.mjs';

/** The k6 that `npm run test:k6` found or built. */
export function realK6(): string {
  const path = findK6();
  if (path === undefined) throw new Error('There is no k6: run npm run test:k6, which brings it.');
  return path;
}

/** A PATH that has it first. */
export function pathWithK6(): string {
  return `${dirname(realK6())}:${process.env['PATH'] ?? ''}`;
}

export const cli = join(import.meta.dirname, '../../../dist/cli.js');
