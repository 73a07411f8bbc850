import { join } from 'node:path';
import type { FileStates } from './file-states.ts';
import { foldersUp } from './folders-up.ts';
import type { ReadManifest } from './manifests.ts';

/** Finds the packages of the monorepo that a folder belongs to. */
export interface Workspaces {
  /** The folder of the workspace package with a name. */
  folderOf(name: string, from: string): string | undefined;
}

/** A workspace with more folders than this is searched no further. */
const maximalFolders = 5000;

/** Nobody writes more patterns, or longer ones. */
const [mostPatterns, mostSteps] = [200, 50];

/** npm and Yarn say in package.json which folders are packages, pnpm and Lerna in files of their own. */
export function createWorkspaces(fileStates: FileStates, manifestAt: ReadManifest): Workspaces {
  const pnpmGlobs = fileStates.remember(globsOfPnpm);
  const lernaGlobs = fileStates.remember((text) =>
    stringsIn((JSON.parse(text) as { packages?: unknown } | null)?.packages),
  );
  const globsAt = (folder: string): readonly string[] | undefined => {
    const declared = manifestAt(folder)?.workspaces;
    const nested =
      typeof declared === 'object' && declared !== null && 'packages' in declared
        ? declared.packages
        : declared;
    return (
      stringsIn(nested) ??
      pnpmGlobs(join(folder, 'pnpm-workspace.yaml')) ??
      lernaGlobs(join(folder, 'lerna.json'))
    );
  };
  const packagesBelow = fileStates.oncePerRun((root) => {
    const named = foldersOf(root, globsAt(root) ?? [], fileStates).map(
      (folder) => [manifestAt(folder)?.name, folder] as const,
    );
    return new Map(named.reverse());
  });
  const rootAbove = fileStates.oncePerRun((folder) =>
    foldersUp(folder).find((each) => globsAt(each) !== undefined),
  );
  return {
    folderOf(name, from) {
      const root = rootAbove(from);
      return root === undefined ? undefined : packagesBelow(root).get(name);
    },
  };
}

function stringsIn(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : undefined;
}

/** The plain list below `packages:`, on lines of its own or in brackets; undefined when there is none. */
export function globsOfPnpm(text: string): readonly string[] | undefined {
  const lines = text.split(/\r?\n/u).map(withoutComment);
  const start = lines.findIndex((line) => /^packages:/u.test(line));
  if (start < 0) return undefined;
  const inline = /^[^[]*\[(?<list>.*)\]/su.exec(lines[start] ?? '')?.groups?.['list'];
  if (inline !== undefined)
    return inline
      .split(',')
      .map(unquoted)
      .filter((glob) => glob !== '');
  const body = lines.slice(start + 1);
  const end = body.findIndex((line) => /^[^\s-]/u.test(line));
  return body
    .slice(0, end < 0 ? body.length : end)
    .flatMap((line) => /^\s*-\s+(?<item>\S.*)$/su.exec(line)?.groups?.['item'] ?? [])
    .map(unquoted);
}

function withoutComment(line: string): string {
  return line.replace(/(?:^|\s)#.*$/su, '');
}

function unquoted(item: string): string {
  return item.trim().replace(/^(?<quote>['"])(?<inner>.*)\k<quote>$/u, '$<inner>');
}

/** The folders that patterns name, and the root. */
function foldersOf(
  root: string,
  declared: readonly string[],
  fileStates: FileStates,
): readonly string[] {
  const patterns = declared.slice(0, mostPatterns);
  const found: string[] = [];
  const open = [{ path: '', traces: patterns.flatMap(traceOf) }];
  let unread = maximalFolders;
  for (let above = open.pop(); above !== undefined; above = open.pop()) {
    for (const name of fileStates.namesIn(join(root, above.path))) {
      const path = join(above.path, name);
      const traces = above.traces.map((trace) => tracedInto(trace, name));
      const included = traces.filter(({ isExcluding }) => !isExcluding);
      const isNamed = included.some(isAtEnd);
      const isAbove = name !== 'node_modules' && included.some(leadsOn);
      if (!isNamed && !isAbove) continue;
      unread -= 1;
      if (unread < 0) return [...found, root];
      if (isNamed && !traces.some((trace) => trace.isExcluding && isAtEnd(trace)))
        found.push(join(root, path));
      if (isAbove) open.push({ path, traces });
    }
  }
  return [...found, root];
}

/** A pattern, and where a path has led in it. */
interface Trace {
  readonly isExcluding: boolean;
  /** What each name may be: itself, any (`*`), or any number of names (`**`). */
  readonly steps: readonly string[];
  /** The indices of the steps that may come next. */
  readonly places: ReadonlySet<number>;
}

/** A name with a wildcard in it stands for any: packages are looked for by what their manifests call them. It excludes nothing. */
function traceOf(pattern: string): readonly Trace[] {
  const isExcluding = pattern.startsWith('!');
  const steps = pattern
    .slice(isExcluding ? 1 : 0)
    .replaceAll(/\{[^{}]*\}/gu, (choices) => (choices.includes('/') ? '/**/' : '?'))
    .split('/', mostSteps)
    .filter((name) => name !== '' && name !== '.');
  const isPlain = (step: string): boolean => /^\*\*?$/u.test(step) || !/[*?[]|[!@+]\(/u.test(step);
  if (isExcluding && !steps.every(isPlain)) return [];
  const plain = steps.map((step) => (isPlain(step) ? step : '*'));
  return [{ isExcluding, steps: plain, places: withSkips([0], plain) }];
}

function tracedInto({ steps, places, ...trace }: Trace, name: string): Trace {
  const isHidden = name.startsWith('.');
  const next = [...places].flatMap((at) => {
    const step = steps[at];
    if (step === name || (step === '*' && !isHidden)) return [at + 1];
    return step === '**' && !isHidden ? [at] : [];
  });
  return { ...trace, steps, places: withSkips(next, steps) };
}

/** `**` may stand for no name at all. */
function withSkips(places: readonly number[], steps: readonly string[]): ReadonlySet<number> {
  const all = new Set(places);
  for (const at of all) if (steps[at] === '**') all.add(at + 1);
  return all;
}

function isAtEnd({ steps, places }: Trace): boolean {
  return places.has(steps.length);
}

function leadsOn({ steps, places }: Trace): boolean {
  return [...places].some((at) => at < steps.length);
}
