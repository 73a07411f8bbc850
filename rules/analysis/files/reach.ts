import { dirname, resolve } from 'node:path';
import { acquireNames, drivers } from '../../model/drivers.ts';
import type { FileLooks } from './file-looks.ts';
import { oncePerFile } from './once-per-file.ts';
import type { SourceFile } from './source-file.ts';

/** Which files lead, over any number of imports, to a certain kind of file. Only texts are looked at; nothing is parsed. */
export interface Reach {
  startRun(): void;
  /** False when neither the file nor anything that it imports is of the kind. */
  leads(file: SourceFile): boolean;
  /** The same for a text that need not be the saved one, whatever is known of its path. */
  leadsAnew(file: SourceFile): boolean;
}

/** Files from which nothing is reached, with everything on which that depends. */
interface Closure {
  readonly states: Map<string, object | undefined>;
  readonly parts: Set<Closure>;
}

/** How the files of a project are found. */
interface Project {
  readonly looks: Pick<FileLooks, 'stateOf'>;
  readonly read: (specifier: string, importer: SourceFile) => SourceFile | undefined;
}

const configurations: readonly string[] = ['tsconfig.json', 'jsconfig.json', 'package.json'];

export function createReach(
  { looks, read }: Project,
  isGoal: (file: SourceFile) => boolean,
): Reach {
  const closures = createClosures(looks);
  const leading = new WeakSet<SourceFile>();
  const search = (start: SourceFile): boolean => {
    const closure: Closure = { states: new Map(), parts: new Set() };
    const members = new Set([start]);
    // The set grows while it is read: it is the worklist.
    for (const file of members) {
      if (leading.has(file) || isGoal(file)) return true;
      closure.states.set(file.path, looks.stateOf(file.path));
      for (const specifier of importsOf(file)) {
        closures.note(
          closure,
          dirname(resolve(dirname(file.path), specifier.startsWith('.') ? specifier : '_')),
        );
        const next = read(specifier, file);
        const part = next === undefined ? undefined : closures.quietAt(next.path);
        if (part !== undefined) closure.parts.add(part);
        else if (next !== undefined) members.add(next);
      }
    }
    closures.keep(closure, members);
    return false;
  };
  const leads = (file: SourceFile): boolean => {
    if (leading.has(file)) return true;
    if (closures.quietAt(file.path) !== undefined || !search(file)) return false;
    leading.add(file);
    return true;
  };
  return {
    startRun: closures.startRun,
    leads,
    leadsAnew: (file) =>
      isGoal(file) ||
      importsOf(file).some((specifier) => {
        const next = read(specifier, file);
        return next !== undefined && leads(next);
      }),
  };
}

/** Remembers from which files nothing is reached, for as long as all that this depends on stays as it is. */
interface Closures {
  readonly startRun: () => void;
  readonly quietAt: (path: string) => Closure | undefined;
  /** The closure depends on what lies in a folder, and on the configuration around it. */
  readonly note: (closure: Closure, folder: string) => void;
  readonly keep: (closure: Closure, members: Iterable<SourceFile>) => void;
}

function createClosures(looks: Project['looks']): Closures {
  const closures = new Map<string, Closure>();
  let checked = new Map<Closure, boolean>();
  const isAsItWas = (closure: Closure): boolean => {
    const before = checked.get(closure);
    if (before !== undefined) return before;
    const isSame =
      [...closure.parts].every(isAsItWas) &&
      [...closure.states].every(([path, state]) => looks.stateOf(path) === state);
    checked.set(closure, isSame);
    return isSame;
  };
  return {
    startRun() {
      checked = new Map();
    },
    quietAt(path) {
      const known = closures.get(path);
      return known !== undefined && isAsItWas(known) ? known : undefined;
    },
    note(closure, folder) {
      for (let each = folder; !closure.states.has(each); each = dirname(each)) {
        for (const path of [each, ...configurations.map((name) => resolve(each, name))])
          closure.states.set(path, looks.stateOf(path));
      }
    },
    keep(closure, members) {
      checked.set(closure, true);
      for (const { path } of members) closures.set(path, closure);
    },
  };
}

const acquire = `(?:${[...acquireNames].join('|')})\\b`;
/** As a member: `.connect`, `['connect']`, `{ connect }`. */
const acquiring = new RegExp(
  `\\.\\s*${acquire}|\\[\\s*["'\`]${acquire}|[{,]\\s*${acquire}\\s*[,:}=]`,
  'u',
);

/** The method by which a driver's pool lends a client stands there as a member. */
export const mayAcquire = oncePerFile(({ text }) => acquiring.test(text));

/** What is done to a client: without a driver in sight a pool shows by it. */
export const speaksToClient = oncePerFile(({ text }) => /\b(?:release|query|done)\b/u.test(text));

const specifiers = /\b(?:from|import|require)\s*(?:\(\s*)?(["'`])([^"'`\n]+)\1/gu;

/** What a file imports, as far as its text tells; what comments and strings say is taken for imports, too. */
const importsOf = oncePerFile((file): readonly string[] => [
  ...new Set([...file.text.matchAll(specifiers)].flatMap(([, , specifier]) => specifier ?? [])),
]);

const modules: ReadonlySet<string> = new Set(drivers.map(({ module }) => module));

export const importsDriver = oncePerFile((file) =>
  importsOf(file).some((specifier) => modules.has(specifier)),
);
