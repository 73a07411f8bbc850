import { createGlob, type Glob } from '../globs/glob.ts';
import type { Work } from '../globs/work.ts';

/** What the lines of one `.gitignore` say of a path below its folder, with slashes: true for ignored, false for taken back by `!`, undefined for nothing. */
export type IgnoreRules = (path: string, isFolder: boolean) => boolean | undefined;

interface Rule {
  readonly glob: Glob;
  readonly isNegated: boolean;
  readonly isForFolders: boolean;
  /** Whether it is about a path from the folder of the file, not about a name wherever it is. */
  readonly isPath: boolean;
}

/** Reads a `.gitignore` as git does (gitignore(5)): of the lines that match, the last one counts. */
export function readIgnoreRules(text: string, work: Work): IgnoreRules {
  const rules = text.split('\n').flatMap((line) => readLine(line, work));
  const wild = [...rules.entries()].filter(([, { glob }]) => glob.literal === undefined).reverse();
  /** Where what has no wildcard stands last: most lines have none, and need no search. */
  const plain = new Map([...rules.entries()].map(([index, rule]) => [keyOf(rule), index]));
  return (path, isFolder) => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const keys = [name, `/${path}`].flatMap((key) => (isFolder ? [key, `${key}/`] : key));
    const last = Math.max(...keys.map((key) => plain.get(key) ?? -1));
    const [later = -1] =
      wild.find(
        ([index, { glob, isForFolders, isPath }]) =>
          index < last || ((isFolder || !isForFolders) && glob.matches(isPath ? path : name)),
      ) ?? [];
    const rule = rules[Math.max(last, later)];
    return rule === undefined ? undefined : !rule.isNegated;
  };
}

function keyOf({ glob, isForFolders, isPath }: Rule): string | undefined {
  return glob.literal === undefined
    ? undefined
    : `${isPath ? '/' : ''}${glob.literal}${isForFolders ? '/' : ''}`;
}

function readLine(written: string, work: Work): readonly Rule[] {
  const line = withoutSpaces(written.replace(/\r$/u, ''));
  if (line === '' || line.startsWith('#')) return [];
  const isNegated = line.startsWith('!');
  const body = isNegated ? line.slice(1) : line;
  const isForFolders = body.endsWith('/');
  const pattern = isForFolders ? body.slice(0, -1) : body;
  const glob = createGlob(pattern.replace(/^\//u, ''), {
    dialect: 'git',
    matchesDots: true,
    work,
  });
  return [{ glob, isNegated, isForFolders, isPath: pattern.includes('/') }];
}

/** Git takes spaces off the end, but for one that follows a backslash. */
function withoutSpaces(line: string): string {
  let end = line.length;
  while (line.charAt(end - 1) === ' ') end -= 1;
  let slashes = 0;
  while (line.charAt(end - 1 - slashes) === '\\') slashes += 1;
  return line.slice(0, end + (slashes % 2));
}
