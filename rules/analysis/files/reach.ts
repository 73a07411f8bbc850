import { dirname, resolve } from 'node:path';
import type { FileLooks } from './file-looks.ts';
import { oncePerFile } from './once-per-file.ts';
import type { SourceFile } from './source-file.ts';

/** Which files lead, over any number of imports, to one that checks a client out. Only texts are looked at; nothing is parsed. */
export interface Reach {
  startRun(): void;
  /** False when neither the file nor anything that it imports may call `connect()`. */
  leadsToCheckout(file: SourceFile): boolean;
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

export function createReach({ looks, read }: Project): Reach {
  const closures = new Map<string, Closure>();
  const leading = new WeakSet<SourceFile>();
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
  const quietClosure = (path: string): Closure | undefined => {
    const known = closures.get(path);
    return known !== undefined && isAsItWas(known) ? known : undefined;
  };
  const note = (closure: Closure, folder: string): void => {
    for (let each = folder; !closure.states.has(each); each = dirname(each)) {
      for (const path of [each, ...configurations.map((name) => resolve(each, name))])
        closure.states.set(path, looks.stateOf(path));
    }
  };
  const search = (start: SourceFile): boolean => {
    const closure: Closure = { states: new Map(), parts: new Set() };
    const members = new Set([start]);
    // The set grows while it is read: it is the worklist.
    for (const file of members) {
      if (leading.has(file) || checksOut(file)) return true;
      closure.states.set(file.path, looks.stateOf(file.path));
      for (const specifier of importsOf(file)) {
        note(
          closure,
          dirname(resolve(dirname(file.path), specifier.startsWith('.') ? specifier : '_')),
        );
        const next = read(specifier, file);
        const part = next === undefined ? undefined : quietClosure(next.path);
        if (part !== undefined) closure.parts.add(part);
        else if (next !== undefined) members.add(next);
      }
    }
    checked.set(closure, true);
    for (const { path } of members) closures.set(path, closure);
    return false;
  };
  return {
    startRun() {
      checked = new Map();
    },
    leadsToCheckout(file) {
      if (leading.has(file)) return true;
      if (quietClosure(file.path) !== undefined || !search(file)) return false;
      leading.add(file);
      return true;
    },
  };
}

/** `connect` as a member, in whatever way it is written. */
export const checksOut = oncePerFile(({ text }) => /(?:\.\s*|["'`{,]\s*)connect\b/u.test(text));

const specifiers = /\b(?:from|import|require)\s*(?:\(\s*)?(["'`])([^"'`\n]+)\1/gu;

/** What a file imports, as far as its text tells; what comments and strings say is taken for imports, too. */
const importsOf = oncePerFile((file): readonly string[] => [
  ...new Set([...file.text.matchAll(specifiers)].flatMap(([, , specifier]) => specifier ?? [])),
]);
