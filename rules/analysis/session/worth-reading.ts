import type { SourceFile } from '../files/source-file.ts';

/** Such a file may export what another one declares. */
export function handsOn({ text }: SourceFile): boolean {
  return /\bexport\s*(?:type\s*)?[*{]|\bexports(?:\.\w+)?\s*=\s*require\b|\.\.\.require\b/u.test(text);
}

const databaseWords = /connect|client|pool|transaction|query|sql|postgres|database|(?<![a-z])(?:db|pg)(?![a-z])/iu;

/** A cheap look at the text of a file: one without any such word has nothing to do with a database. */
export function speaksOfDatabase({ text }: SourceFile): boolean {
  return databaseWords.test(text);
}
