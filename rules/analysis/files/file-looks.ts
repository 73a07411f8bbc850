import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';

/** Looks at the files of a project: each at most once a run, however often it is asked for. */
export interface FileLooks {
  /** From here on files are looked at again. */
  startRun(): void;
  isFile(path: string): boolean;
  isFolder(path: string): boolean;
  /** The names in a folder; none when it cannot be read. */
  namesIn(folder: string): ReadonlySet<string>;
  /** Where a path leads when symbolic links are followed; undefined when nowhere. */
  realPathOf(path: string): string | undefined;
  /** A function that answers each question once a run. */
  oncePerRun<Answer>(answer: (question: string) => Answer): (question: string) => Answer;
  /** A function that reads a file and makes something of its text; that is kept for as long as the file stays as it is. */
  remember<Made>(make: (text: string, path: string) => Made): (path: string) => Made | undefined;
}

interface Look {
  readonly isFile: boolean;
  readonly isFolder: boolean;
  readonly size: number;
  readonly changedMs: number;
  readonly stamp: string;
}

interface Kept<Made> {
  readonly stamp: string;
  /** Changed so shortly before it was read that another change need not show in its stamp. */
  readonly isRecent: boolean;
  readonly made: Made;
}

/** Some file systems tell times to two seconds. */
const stampGrainMs = 2000;

/** Larger files are bundles, and no pool is declared there. */
const maximalSize = 1_000_000;

export function createFileLooks(now: () => number = Date.now): FileLooks {
  const looks = new Map<string, Look | undefined>();
  const renewals: (() => void)[] = [];
  const lookAt = (path: string): Look | undefined => {
    if (!looks.has(path)) looks.set(path, look(path));
    return looks.get(path);
  };
  /** What is made of a path, anew when its stamp has changed. */
  const keep = <Made>(isWanted: (seen: Look) => boolean, make: (path: string) => Made): ((path: string) => Made | undefined) => {
    const kept = new Map<string, Kept<Made>>();
    const checked = new Set<string>();
    renewals.push(() => {
      checked.clear();
    });
    return (path) => {
      const before = kept.get(path);
      if (before !== undefined && checked.has(path)) return before.made;
      const seen = lookAt(path);
      if (seen === undefined || !isWanted(seen)) return undefined;
      checked.add(path);
      if (before?.stamp === seen.stamp && !before.isRecent) return before.made;
      const made = make(path);
      kept.set(path, { stamp: seen.stamp, isRecent: now() - seen.changedMs < stampGrainMs, made });
      return made;
    };
  };
  const namesOf = keep(({ isFolder }) => isFolder, list);
  return {
    startRun() {
      looks.clear();
      for (const renew of renewals) renew();
    },
    isFile: (path) => lookAt(path)?.isFile === true,
    isFolder: (path) => lookAt(path)?.isFolder === true,
    namesIn: (folder) => namesOf(folder) ?? nothing,
    oncePerRun(answer) {
      const answers = new Map<string, ReturnType<typeof answer>>();
      renewals.push(() => {
        answers.clear();
      });
      return (question) => {
        if (!answers.has(question)) answers.set(question, answer(question));
        return answers.get(question) as ReturnType<typeof answer>;
      };
    },
    realPathOf: (path) => orUndefined(() => realpathSync(path)),
    remember: (make) => keep(({ isFile, size }) => isFile && size <= maximalSize, (path) => orUndefined(() => make(readFileSync(path, 'utf8'), path))),
  };
}

const nothing: ReadonlySet<string> = new Set();

function look(path: string): Look | undefined {
  // Beside a missing file there are loops of links, names that are too long, folders without permission.
  const stats = orUndefined(() => statSync(path, { throwIfNoEntry: false }));
  if (stats === undefined) return undefined;
  const { size, mtimeMs, ctimeMs, ino } = stats;
  return { isFile: stats.isFile(), isFolder: stats.isDirectory(), size, changedMs: Math.max(mtimeMs, ctimeMs), stamp: `${mtimeMs} ${ctimeMs} ${size} ${ino}` };
}

function list(folder: string): ReadonlySet<string> {
  return new Set(orUndefined(() => readdirSync(folder)));
}

function orUndefined<Result>(ask: () => Result): Result | undefined {
  try {
    return ask();
  } catch {
    return undefined;
  }
}
