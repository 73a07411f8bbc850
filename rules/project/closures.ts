import { dirname, join, resolve } from 'node:path';
import type { FileStates } from './file-states.ts';

/** Everything that an answer depends on: files, folders and their configuration, and the closures of other answers. */
export interface Closure {
  readonly states: Map<string, object | undefined>;
  readonly parts: Set<Closure>;
  /** What else was asked of the disk, by what it is: asked again where each run notes all that it reads. */
  readonly questions: Map<string, () => unknown>;
}

/** Says of closures whether all in them has stayed as it was. */
export interface Closures {
  startRun(): void;
  create(): Closure;
  isAsItWas(closure: Closure): boolean;
  addFile(closure: Closure, path: string): void;
  /** What an import in a file names depends on what lies in a folder, and on the configuration around it. */
  addImport(closure: Closure, specifier: string, importer: string): void;
  addQuestion(closure: Closure, what: string, ask: () => unknown): void;
}

/** What says, in a folder or above it, what an import there names. */
const configurations: readonly string[] = [
  'tsconfig.json',
  'jsconfig.json',
  'deno.json',
  'deno.jsonc',
  'import_map.json',
  'package.json',
  'pnpm-workspace.yaml',
  'lerna.json',
  'node_modules',
];

/** `isNoting` says whether somebody notes what is looked at in each run. */
export function createClosures(
  fileStates: Pick<FileStates, 'stateOf'>,
  isNoting = false,
): Closures {
  let checked = new Map<Closure, boolean>();
  const check = (closure: Closure): void => {
    const isSame =
      [...closure.parts].every((part) => checked.get(part) === true) &&
      [...closure.states].every(([path, state]) => fileStates.stateOf(path) === state);
    checked.set(closure, isSame);
    if (isSame && isNoting) for (const ask of closure.questions.values()) ask();
  };
  /** Parts may have parts in chains of any length: what waits for its parts stands in a list, not on the stack. */
  const isAsItWas = (closure: Closure): boolean => {
    const waiting = checked.has(closure) ? [] : [{ closure, parts: closure.parts.values() }];
    for (let last = waiting.at(-1); last !== undefined; last = waiting.at(-1)) {
      const part = nextUnchecked(last.parts, checked);
      if (part !== undefined) waiting.push({ closure: part, parts: part.parts.values() });
      else {
        waiting.pop();
        check(last.closure);
      }
    }
    return checked.get(closure) === true;
  };
  const create = (
    states: Closure['states'] = new Map(),
    parts: readonly Closure[] = [],
  ): Closure => {
    const closure: Closure = { states, parts: new Set(parts), questions: new Map() };
    checked.set(closure, true);
    return closure;
  };
  const { fileAt, folderAt } = createPlaces(fileStates, create, isAsItWas);
  return {
    startRun() {
      checked = new Map();
    },
    create,
    isAsItWas,
    addQuestion: ({ questions }, what, ask) => void questions.set(what, ask),
    addFile({ parts }, path) {
      parts.add(fileAt(path));
    },
    addImport({ parts }, specifier, importer) {
      const named = resolve(dirname(importer), specifier.startsWith('.') ? specifier : '_');
      parts.add(folderAt(dirname(named)));
    },
  };
}

/** None where a part is known to have changed: then the rest does not matter. */
function nextUnchecked(
  parts: Iterator<Closure>,
  checked: ReadonlyMap<Closure, boolean>,
): Closure | undefined {
  for (let next = parts.next(); next.done !== true; next = parts.next()) {
    const isSame = checked.get(next.value);
    if (isSame !== true) return isSame === undefined ? next.value : undefined;
  }
  return undefined;
}

interface Places {
  readonly fileAt: (path: string) => Closure;
  readonly folderAt: (folder: string) => Closure;
}

/** The closures of single places, shared by all answers that depend on them. */
function createPlaces(
  fileStates: Pick<FileStates, 'stateOf'>,
  create: (states: Closure['states'], parts: readonly Closure[]) => Closure,
  isAsItWas: (closure: Closure) => boolean,
): Places {
  const places = new Map<string, Closure>();
  const placeOf = (
    key: string,
    paths: () => readonly string[],
    enclosing: () => readonly Closure[],
  ): Closure => {
    const before = places.get(key);
    if (before !== undefined && isAsItWas(before)) return before;
    const made = create(
      new Map(paths().map((path) => [path, fileStates.stateOf(path)])),
      enclosing(),
    );
    places.set(key, made);
    return made;
  };
  /** Other names in the folders above, such as those of temporary files, say nothing. */
  const enclosing = (folder: string): Closure =>
    placeOf(
      `${folder}/*`,
      () => configurations.map((name) => join(folder, name)),
      () => (folder === dirname(folder) ? [] : [enclosing(dirname(folder))]),
    );
  return {
    fileAt: (path) =>
      placeOf(
        path,
        () => [path],
        () => [],
      ),
    folderAt: (folder) =>
      placeOf(
        `${folder}/`,
        () => [folder],
        () => [enclosing(folder)],
      ),
  };
}
