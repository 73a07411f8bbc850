import type { CounterSample, Distribution, Report, WatchedPool } from '../../../monitor/report.ts';
import type { PoolSample } from '../../probe/load/pool-load.ts';
import { heldByPlace, type HeldPlace } from '../../running/held-by-place.ts';
import type { RunningApps } from '../../running/running-app.ts';
import { nextRunningApps } from '../../running/running-apps.ts';
import { type Asker, createSpanCuts, type SpanCuts } from './span-cuts.ts';

/** Where a pool is: of one thread of the application. */
export interface PoolPlace {
  readonly key: string;
  readonly pool: number;
}

/** Clients of one pool that are out for long. */
export interface HeldClients {
  readonly max: number;
  readonly count: number;
  /** Where they were acquired: where the most were first. */
  readonly places: readonly Pick<HeldPlace, 'place' | 'count' | 'longestMs'>[];
}

/** What the monitors said of the pools that a load used. */
export interface PoolsSeen {
  /** How many pools were used; 0 when none was, or nobody reported. */
  readonly pools: number;
  /** `max` of the pool that lent most; null without one. */
  readonly max: number | null;
  /** Connections of these pools at most, together. */
  readonly peakTotal: number | null;
  readonly peakWaiting: number | null;
  /** Of every checkout between `begin` and `end`; empty where nobody got a client, or where they are not known. */
  readonly waits: readonly Distribution[];
  readonly holds: readonly Distribution[];
  /** Whether each of these pools told its waits and holds from `begin` to `end`. */
  readonly isWhole: boolean;
  /** Of the pool of which most are; null where none is. */
  readonly held: HeldClients | null;
}

/** Hears the monitors of one sweep, over all starts of the application. */
export interface PoolWatch {
  readonly onReport: (key: string, report: Report) => void;
  readonly onGone: (key: string) => void;
  /** A load begins: what came before is told and forgotten. Resolves when every monitor has answered, or after a while. */
  begin(asker: Asker): Promise<void>;
  /** The load is over: what was not told yet is. */
  end(asker: Asker): Promise<void>;
  seen(): PoolsSeen;
  /** All pools together since the sample before. */
  sample(atMs: number, answered: number): PoolSample;
  /** The pools that were used since `begin`, each with its latest look. */
  busyPools(): readonly (PoolPlace & { readonly max: number; readonly info: WatchedPool })[];
  /** Null while a monitor watches; what it said when it failed. */
  readonly broken: string | null;
  /** Whether any thread has reported since the application was started. */
  readonly hasReported: boolean;
  /** Resolves at the next report. */
  nextReport(): Promise<void>;
}

interface Counted extends PoolPlace {
  readonly info: WatchedPool;
  look: CounterSample | null;
  looks: CounterSample[];
  peakSinceSample: number;
}

/** `now` is the time of day, in milliseconds since 1970. */
export function createPoolWatch(now: () => number = Date.now): PoolWatch {
  let apps: RunningApps = [];
  const pools = new Map<string, Counted>();
  const keys = new Set<string>();
  const cuts = createSpanCuts();
  let broken: string | null = null;
  let waiters: (() => void)[] = [];
  const busy = () => usedOf([...pools.values()]);
  return {
    onReport: (key, report) => {
      keys.add(key);
      apps = nextRunningApps(apps, key, report, now());
      if (report.kind === 'pool')
        pools.set(`${key} ${report.pool.id}`, {
          key,
          pool: report.pool.id,
          info: report.pool,
          look: null,
          looks: [],
          peakSinceSample: 0,
        });
      if (report.kind === 'look') add(pools.get(`${key} ${report.look.pool}`), report.look);
      cuts.onReport(key, report);
      if (report.kind === 'broken') broken = report.sentence;
      const heard = waiters;
      waiters = [];
      for (const tell of heard) tell();
    },
    onGone: (key) => {
      keys.delete(key);
      cuts.onGone(key);
      apps = nextRunningApps(apps, key, { kind: 'gone' }, now()).filter(({ end }) => end === null);
      for (const [place, pool] of pools) if (pool.key === key) pools.delete(place);
    },
    begin: async (asker) => {
      await cuts.begin(asker);
      for (const pool of pools.values())
        Object.assign(pool, {
          looks: pool.look === null ? [] : [quiet(pool.look)],
          peakSinceSample: 0,
        });
    },
    end: (asker) => cuts.end(asker),
    seen: () => ({ ...sumUp(busy(), cuts), held: findHeld(apps, now()) }),
    sample: (atMs, answered) => takeSample([...pools.values()], atMs, answered),
    busyPools: () =>
      busy().map(({ key, pool, info, look }) => ({ key, pool, info, max: look?.max ?? info.max })),
    get broken() {
      return broken;
    },
    get hasReported() {
      return keys.size > 0;
    },
    nextReport: () => new Promise((resolve) => waiters.push(resolve)),
  };
}

function add(counted: Counted | undefined, look: CounterSample): void {
  if (counted === undefined) return;
  counted.look = look;
  counted.looks.push(look);
  counted.peakSinceSample = Math.max(counted.peakSinceSample, look.peakWaiting);
}

/** Begins the next sample. */
function takeSample(pools: readonly Counted[], atMs: number, answered: number): PoolSample {
  const sum = (of: (pool: Counted) => number) => pools.reduce((total, pool) => total + of(pool), 0);
  const sample = {
    atMs: Math.round(atMs),
    total: sum(({ look }) => look?.total ?? 0),
    idle: sum(({ look }) => look?.idle ?? 0),
    waiting: sum(({ look, peakSinceSample }) => Math.max(peakSinceSample, look?.waiting ?? 0)),
    answered,
  };
  for (const pool of pools) pool.peakSinceSample = 0;
  return sample;
}

/** A pool that keeps its callers waiting is used as well, and one that has lost all its clients lends none. */
function usedOf(pools: readonly Counted[]): readonly Counted[] {
  const used = pools.filter(({ looks }) =>
    looks.some(
      ({ acquired, failed, waiting, peakWaiting }) => acquired + failed + waiting + peakWaiting > 0,
    ),
  );
  return used.length > 0
    ? used
    : pools.filter(({ looks }) => looks.some(({ total, idle }) => total > idle));
}

/** How a pool stands, without what happened before. */
function quiet(look: CounterSample): CounterSample {
  return {
    ...look,
    peakWaiting: look.waiting,
    acquired: 0,
    failed: 0,
    timedOut: 0,
    wait: null,
    hold: null,
  };
}

/** A single client that is out may be meant to be, as that of a LISTEN; several of one line, or all, are not. */
const suspicious = 2;

function findHeld(apps: RunningApps, now: number): HeldClients | null {
  const all = apps
    .filter(({ end }) => end === null)
    .flatMap(({ pools }) => pools)
    .map((pool): HeldClients => {
      const max = pool.look?.max ?? pool.pool.max;
      const places = heldByPlace(pool, now)
        .filter(({ count }) => count >= Math.min(suspicious, max))
        .map(({ place, count, longestMs }) => ({ place, count, longestMs }));
      return { max, count: places.reduce((total, { count }) => total + count, 0), places };
    });
  return (
    all.filter(({ count }) => count > 0).sort((one, other) => other.count - one.count)[0] ?? null
  );
}

function sumUp(pools: readonly Counted[], cuts: SpanCuts): Omit<PoolsSeen, 'held'> {
  const spans = pools.flatMap(({ key, pool }) => cuts.spanOf(key, pool) ?? []);
  const [busiest] = [...pools].sort((one, other) => lent(other) - lent(one));
  const peak = (of: (look: CounterSample) => number) =>
    busiest === undefined
      ? null
      : pools.reduce((total, pool) => total + Math.max(0, ...pool.looks.map(of)), 0);
  return {
    pools: pools.length,
    max: busiest === undefined ? null : (busiest.look?.max ?? busiest.info.max),
    peakTotal: peak(({ total }) => total),
    peakWaiting: peak(({ peakWaiting, waiting }) => Math.max(peakWaiting, waiting)),
    waits: spans.flatMap(({ wait }) => wait ?? []),
    holds: spans.flatMap(({ hold }) => hold ?? []),
    isWhole: spans.length === pools.length,
  };
}

function lent({ looks }: Counted): number {
  return looks.reduce((total, { acquired }) => total + acquired, 0);
}
