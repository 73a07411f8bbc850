import { basename, dirname } from 'node:path';
import { disk, type DiskState } from './disk.ts';
import { namesByFolder, withoutMark, type FileSource } from './file-source.ts';

/** Looks at the files of a project: each at most once a run, however often it is asked for. */
export interface FileStates {
  /** From here on files are looked at again, unless the run before began a moment ago; a row of such runs sees the same for a while. Whether what was found of them is to be asked for again. */
  startRun(): boolean;
  isFile(path: string): boolean;
  isFolder(path: string): boolean;
  /** The names in a folder; none when it cannot be read. */
  namesIn(folder: string): ReadonlySet<string>;
  /** Where a path leads when symbolic links are followed; undefined when nowhere. */
  realPathOf(path: string): string | undefined;
  /** The same object for as long as a file or a folder stays as it is, and undefined while there is none. */
  stateOf(path: string): object | undefined;
  /** A function that answers each question once a run. */
  oncePerRun<Answer>(answer: (question: string) => Answer): (question: string) => Answer;
  /** A function that reads a file and makes something of its text; that is kept for as long as the file stays as it is. */
  remember<Made>(make: (text: string, path: string) => Made): Remembered<Made>;
}

export interface Remembered<Made> {
  (path: string): Made | undefined;
  /** Between two runs: the next who asks has it made anew. */
  drop(path: string): void;
}

interface FileState extends DiskState {
  /** Of an open document. */
  readonly text?: string;
}

interface Kept<Made> {
  readonly stamp: string;
  readonly text: string | undefined;
  /** Changed so shortly before it was read that another change need not show in its stamp. */
  readonly isRecent: boolean;
  /** Undefined when nothing could be made of it. */
  readonly made: Made | undefined;
}

/** A linter comes to hundreds of files a second, and nobody changes a file and expects an answer in less than this. */
const momentMs = 300;

/** What a row of runs has seen of the disk counts no longer than this. */
const longestRowMs = 2000;

/** Some file systems tell times to two seconds. */
const stampGrainMs = 2000;

/** Larger files are bundles, and no pool is declared there. */
const maximalSize = 1_000_000;

export function createFileStates(
  source: FileSource = nothingOpen,
  now: () => number = () => Date.now(),
): FileStates {
  const beginsRow = source.isOneRow === true ? () => false : createRows(now);
  const runs = createRuns();
  const { stateAt, openNamesIn, forget } = createGlances(source);
  const keep = createKeep({ stateAt, runs, now });
  const namesOf = keep(
    ({ isFolder }) => isFolder,
    (path): ReadonlySet<string> => new Set([...disk.namesIn(path), ...openNamesIn(path)]),
  );
  return {
    startRun() {
      if (beginsRow() || !source.isFixed) forget();
      else if (source.note === undefined) return false;
      runs.startRun();
      return true;
    },
    isFile: (path) => stateAt(path)?.isFile === true,
    isFolder: (path) => stateAt(path)?.isFolder === true,
    namesIn: (folder) => namesOf(folder) ?? nothing,
    realPathOf(path) {
      const isThere = stateAt(path) !== undefined;
      return disk.realPathOf(path) ?? (isThere ? path : undefined);
    },
    stateOf: keep(
      () => true,
      () => ({}),
    ),
    oncePerRun(answer) {
      const answers = new Map<string, ReturnType<typeof answer>>();
      runs.onStart(() => {
        answers.clear();
      });
      return (question) => {
        if (!answers.has(question)) answers.set(question, answer(question));
        return answers.get(question) as ReturnType<typeof answer>;
      };
    },
    remember: (make) =>
      keep(
        ({ isFile, size }) => isFile && size <= maximalSize,
        (path, { text = disk.textOf(path, maximalSize) }) =>
          text === undefined ? undefined : orUndefined(() => make(withoutMark(text), path)),
      ),
  };
}

interface Glances {
  readonly stateAt: (path: string) => FileState | undefined;
  /** The names in a folder that lead to what is open. */
  readonly openNamesIn: (folder: string) => ReadonlySet<string>;
  readonly forget: () => void;
}

/** Looks at each path once until it is told to forget. */
function createGlances(source: FileSource): Glances {
  const fileStates = new Map<string, FileState | undefined>();
  let openNames: ReturnType<typeof namesByFolder> | undefined;
  const openNamesIn = (folder: string): ReadonlySet<string> =>
    (openNames ??= namesByFolder(source.paths(), dirname, basename)).get(folder) ?? nothing;
  const readState = (path: string): FileState | undefined => {
    const open = source.textOf(path);
    return open === undefined
      ? withNames(openNamesIn(path), disk.readState(path))
      : fileStateOf(open.text, open.version);
  };
  return {
    openNamesIn,
    stateAt(path) {
      source.note?.(path);
      if (!fileStates.has(path)) fileStates.set(path, readState(path));
      return fileStates.get(path);
    },
    forget() {
      fileStates.clear();
      openNames = undefined;
    },
  };
}

/** Whether a run begins a new row: the one before is a moment ago, or the row is long. A clock that is set back ends it. */
function createRows(now: () => number): () => boolean {
  let [begun, last] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  return () => {
    const time = now();
    const isInRow = time >= last && time - last < momentMs && time - begun < longestRowMs;
    if (!isInRow) begun = time;
    last = time;
    return !isInRow;
  };
}

/** Tells what is kept for a run that another one begins. */
interface Runs {
  onStart(renew: () => void): void;
  startRun(): void;
}

function createRuns(): Runs {
  const renewals: (() => void)[] = [];
  return {
    onStart: (renew) => void renewals.push(renew),
    startRun() {
      for (const renew of renewals) renew();
    },
  };
}

interface Keeping {
  readonly stateAt: (path: string) => FileState | undefined;
  readonly runs: Runs;
  readonly now: () => number;
}

type Keep = <Made>(
  isWanted: (seen: FileState) => boolean,
  make: (path: string, seen: FileState) => Made | undefined,
) => Remembered<Made>;

/** What is made of a path, anew when its stamp has changed. */
function createKeep({ stateAt, runs, now }: Keeping): Keep {
  return <Made>(
    isWanted: (seen: FileState) => boolean,
    make: (path: string, seen: FileState) => Made | undefined,
  ): Remembered<Made> => {
    const kept = new Map<string, Kept<Made>>();
    const checked = new Set<string>();
    runs.onStart(() => {
      checked.clear();
    });
    const find = (path: string): Made | undefined => {
      const before = kept.get(path);
      if (before !== undefined && checked.has(path)) return before.made;
      const seen = stateAt(path);
      if (seen === undefined || !isWanted(seen)) return undefined;
      checked.add(path);
      if (before?.stamp === seen.stamp && before.text === seen.text && !before.isRecent)
        return before.made;
      const made = make(path, seen);
      kept.set(path, {
        stamp: seen.stamp,
        text: seen.text,
        isRecent: now() - seen.changedMs < stampGrainMs,
        made,
      });
      return made;
    };
    return Object.assign(find, { drop: (path: string) => void kept.delete(path) });
  };
}

const nothing: ReadonlySet<string> = new Set();
const nothingOpen: FileSource = { isFixed: true, textOf: () => undefined, paths: () => [] };

function fileStateOf(text: string, version: number | string): FileState {
  return {
    isFile: true,
    isFolder: false,
    size: text.length,
    changedMs: Number.NEGATIVE_INFINITY,
    stamp: `open ${version}`,
    text,
  };
}

/** A folder, which need not be on the disk, with what is open in it. */
function withNames(names: ReadonlySet<string>, seen: DiskState | undefined): FileState | undefined {
  if (names.size === 0) return seen;
  const { size, changedMs, stamp } = seen ?? {
    size: 0,
    changedMs: Number.NEGATIVE_INFINITY,
    stamp: '',
  };
  return {
    isFile: false,
    isFolder: true,
    size,
    changedMs,
    stamp: [stamp, ...[...names].sort()].join('/'),
  };
}

function orUndefined<Result>(ask: () => Result): Result | undefined {
  try {
    return ask();
  } catch {
    return undefined;
  }
}
