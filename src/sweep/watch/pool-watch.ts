import type { CounterSample, Report, Times, WatchedPool } from '../../../monitor/report.ts';
import type { PoolSample } from '../../probe/load/pool-load.ts';
import { heldByPlace, type HeldPlace } from '../../running/held-by-place.ts';
import type { RunningApps } from '../../running/running-app.ts';
import { nextRunningApps } from '../../running/running-apps.ts';

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
  readonly wait: MergedTimes | null;
  readonly hold: MergedTimes | null;
  /** Of the pool of which most are; null where none is. */
  readonly held: HeldClients | null;
}

/** Hears the monitors of one sweep, over all starts of the application. */
export interface PoolWatch {
  readonly onReport: (key: string, report: Report) => void;
  readonly onGone: (key: string) => void;
  /** Forgets what was counted: a load begins. */
  begin(): void;
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
      if (report.kind === 'broken') broken = report.sentence;
      const heard = waiters;
      waiters = [];
      for (const tell of heard) tell();
    },
    onGone: (key) => {
      keys.delete(key);
      apps = nextRunningApps(apps, key, { kind: 'gone' }, now()).filter(({ end }) => end === null);
      for (const [place, pool] of pools) if (pool.key === key) pools.delete(place);
    },
    begin: () => {
      for (const pool of pools.values())
        Object.assign(pool, {
          looks: pool.look === null ? [] : [quiet(pool.look)],
          peakSinceSample: 0,
        });
    },
    seen: () => ({ ...sumUp(busy()), held: findHeld(apps, now()) }),
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

function sumUp(pools: readonly Counted[]): Omit<PoolsSeen, 'held'> {
  const [busiest] = [...pools].sort((one, other) => lent(other) - lent(one));
  if (busiest === undefined)
    return { pools: 0, max: null, peakTotal: null, peakWaiting: null, wait: null, hold: null };
  const looks = pools.flatMap((pool) => pool.looks);
  const peaks = (of: (look: CounterSample) => number) =>
    pools.reduce((total, pool) => total + Math.max(0, ...pool.looks.map(of)), 0);
  return {
    pools: pools.length,
    max: busiest.look?.max ?? busiest.info.max,
    peakTotal: peaks(({ total }) => total),
    peakWaiting: peaks(({ peakWaiting, waiting }) => Math.max(peakWaiting, waiting)),
    wait: mergeTimes(looks.flatMap(({ wait }) => wait ?? [])),
    hold: mergeTimes(looks.flatMap(({ hold }) => hold ?? [])),
  };
}

function lent({ looks }: Counted): number {
  return looks.reduce((total, { acquired }) => total + acquired, 0);
}

/** How much of what happened in a stretch lies up to each of its known values. */
const steps = [
  { share: 0.5, of: ({ p50Ms }: Times) => p50Ms },
  { share: 0.45, of: ({ p95Ms }: Times) => p95Ms },
  { share: 0.04, of: ({ p99Ms }: Times) => p99Ms },
  { share: 0.01, of: ({ maxMs }: Times) => maxMs },
] as const;

export interface MergedTimes {
  readonly averageMs: number;
  /** Never too small: within each stretch only the percentiles are known, and what lies between two counts as the larger. */
  readonly p95Ms: number;
}

/** Many short stretches as one. Null where nothing happened. */
function mergeTimes(all: readonly Times[]): MergedTimes | null {
  const count = all.reduce((total, times) => total + times.count, 0);
  if (count === 0) return null;
  const parts = all
    .flatMap((times) =>
      steps.map(({ share, of }) => ({ ms: of(times), weight: share * times.count })),
    )
    .sort((one, other) => one.ms - other.ms);
  let below = 0;
  const p95 = parts.find(({ weight }) => (below += weight) >= 0.95 * count - 1e-9);
  return {
    averageMs: all.reduce((total, times) => total + times.averageMs * times.count, 0) / count,
    p95Ms: p95?.ms ?? parts.at(-1)?.ms ?? 0,
  };
}
