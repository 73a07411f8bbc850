import type { Round } from './figures.ts';

/** What some work cost, in ms. CPU time counts all threads of the process, the collector and the compiler included. */
export interface Cost {
  readonly cpu: number;
  readonly wall: number;
}

export type Stopwatch = (work: () => void) => Cost;

export function createStopwatch(): Stopwatch {
  return (work) => {
    const cpu = process.cpuUsage();
    const wall = performance.now();
    work();
    const { user, system } = process.cpuUsage(cpu);
    return { cpu: (user + system) / 1000, wall: performance.now() - wall };
  };
}

/** The three things that are compared, for one file. */
export type Work = Readonly<Record<keyof Round, () => void>>;

export interface Measured {
  readonly cpu: Round;
  readonly wall: Round;
}

const orders: readonly (readonly (keyof Round)[])[] = [
  ['parse', 'bare', 'ruled'],
  ['bare', 'ruled', 'parse'],
  ['ruled', 'parse', 'bare'],
];

/** Runs the three side by side; `turn` rotates their order, so that none is always the one that finds warm caches. */
export function measure(work: Work, turn: number, stopwatch: Stopwatch): Measured {
  const costs: Partial<Record<keyof Round, Cost>> = {};
  for (const name of orders[turn % orders.length] ?? []) costs[name] = stopwatch(work[name]);
  const nothing: Cost = { cpu: 0, wall: 0 };
  const { parse = nothing, bare = nothing, ruled = nothing } = costs;
  return {
    cpu: { parse: parse.cpu, bare: bare.cpu, ruled: ruled.cpu },
    wall: { parse: parse.wall, bare: bare.wall, ruled: ruled.wall },
  };
}
