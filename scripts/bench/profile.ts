import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { Session, type Profiler } from 'node:inspector/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spreadOf, type Row } from './figures.ts';

/** Microseconds by what they were spent on. */
export type TimeByKind = ReadonlyMap<string, number>;

interface Frame {
  readonly name: string;
  readonly url: string;
  /** Of the file, from 1. */
  readonly line: number;
}

/** What a frame is, whoever called it; the first row that fits counts. */
const kinds: readonly (readonly [kind: string, fits: (frame: Frame) => boolean])[] = [
  ['garbage collection', ({ name }) => name === '(garbage collector)'],
  ['waiting', ({ name }) => name === '(idle)'],
  [
    'parsing',
    ({ url }) =>
      /node_modules\/(?:@typescript-eslint|typescript|oxc-parser|@oxc-parser)\//u.test(url),
  ],
  ['ESLint', ({ url }) => /node_modules\/(?:@eslint|@eslint-community|eslint|esquery)/u.test(url)],
  ['loading modules', ({ url }) => /^node:internal\/modules/u.test(url)],
];

/**
 * Where the time of a process went, as its CPU profile says. Time in functions of Node and of the engine counts as their caller's; rooms
 * of the analysis are told apart by the comment that begins each module in a bundle of ours.
 */
function timeByKind({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): TimeByKind {
  const roomAt = createRooms();
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(
    nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])),
  );
  const kindOf = (id: number | undefined): string => {
    const node = id === undefined ? undefined : byId.get(id);
    if (node === undefined) return 'other';
    const { functionName: name, url, lineNumber } = node.callFrame;
    const frame = { name, url, line: lineNumber + 1 };
    return (
      kinds.find(([, fits]) => fits(frame))?.[0] ?? roomAt(frame) ?? kindOf(parents.get(node.id))
    );
  };
  const times = new Map<string, number>();
  samples.forEach((id, index) => {
    const kind = kindOf(id);
    times.set(kind, (times.get(kind) ?? 0) + (timeDeltas[index] ?? 0));
  });
  return times;
}

/** The room of `rules/` or `src/` that a line of a bundle comes from. */
function createRooms(): (frame: Frame) => string | undefined {
  const bundles = new Map<string, readonly (readonly [line: number, room: string])[]>();
  const modulesIn = (url: string) =>
    readFileSync(fileURLToPath(url), 'utf8')
      .split('\n')
      .flatMap((text, index) => {
        const room = /^\/\/ (?<room>(?:rules|src)\/[\w-]+)\/.*\.ts$/u.exec(text)?.groups?.['room'];
        return room === undefined ? [] : [[index + 1, room] as const];
      });
  return ({ url, line }) => {
    if (!/^file:.*\/dist\/[^/]+\.js$/u.test(url)) return undefined;
    const modules = bundles.get(url) ?? modulesIn(url);
    bundles.set(url, modules);
    return modules.findLast(([begin]) => begin <= line)?.[1];
  };
}

/** The profile of what this process does meanwhile. */
export async function profileHere(work: () => void): Promise<TimeByKind> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.start');
    work();
    return timeByKind((await session.post('Profiler.stop')).profile);
  } finally {
    session.disconnect();
  }
}

/** For another process of Node: the arguments that make it write a profile, and what it wrote when it has ended. */
export function profileOfProcess(scratch: string): {
  readonly execArgv: readonly string[];
  read(): TimeByKind;
} {
  const folder = mkdtempSync(join(scratch, 'profile-'));
  return {
    execArgv: ['--cpu-prof', `--cpu-prof-dir=${folder}`],
    read: () =>
      addTimes(
        readdirSync(folder).map((name) =>
          timeByKind(JSON.parse(readFileSync(join(folder, name), 'utf8')) as Profiler.Profile),
        ),
      ),
  };
}

export function addTimes(all: readonly TimeByKind[]): TimeByKind {
  const sum = new Map<string, number>();
  for (const [kind, time] of all.flatMap((each) => [...each]))
    sum.set(kind, (sum.get(kind) ?? 0) + time);
  return sum;
}

const smallestShare = 2;

/** Of all rows of a figure, what its time is made of, in per cent; little things together. */
export function profileRows(group: string, of: string, times: TimeByKind): readonly Row[] {
  const all = [...times.values()].reduce((sum, time) => sum + time, 0);
  const shares = [...times].map(([kind, time]) => ({ kind, share: (100 * time) / all }));
  const large = shares
    .filter(({ kind, share }) => share >= smallestShare && kind !== 'other')
    .sort((one, other) => other.share - one.share);
  const rest = 100 - large.reduce((sum, { share }) => sum + share, 0);
  return [...large, { kind: 'other', share: rest }].map(({ kind, share }) => ({
    group,
    name: `${of}, of which ${kind}`,
    unit: '%',
    value: spreadOf([share]),
    goal: null,
    note: 'by a CPU profile of one run',
  }));
}
