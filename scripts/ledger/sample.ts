import { createHash } from 'node:crypto';

/** Files that are linted together. */
export interface Sample {
  /** Where it is from. */
  readonly name: string;
  /** The files that are linted, by their paths. */
  readonly lint: readonly string[];
  /** All files, linted or read by those that are; a commit has none. */
  readonly files?: Readonly<Record<string, string>>;
  /** `owner/name@hash` of public code. */
  readonly commit?: string;
  /** `settings` of ESLint's configuration. */
  readonly settings?: object;
  /** Whether the packages that are installed for this repository are seen. */
  readonly isInstalled?: boolean;
}

/** The name, and what tells samples of one name apart: an equal id means equal files. */
export function idOf({
  name,
  lint,
  files = {},
  commit = '',
  settings = {},
  isInstalled = false,
}: Sample): string {
  const content = JSON.stringify([lint, files, commit, settings, isInstalled]);
  return `${name} #${createHash('sha256').update(content).digest('hex').slice(0, 12)}`;
}
