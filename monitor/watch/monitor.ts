import { AsyncResource } from 'node:async_hooks';
import type { MonitorOptions, WatchablePool } from '../options.ts';
import type { Counters, PoolKind } from '../pools/pool-kind.ts';
import { poolKinds } from '../pools/pool-kinds.ts';
import { protocolVersion, type Command } from '../report.ts';
import { createReporters, type MakeReporters } from '../reporters/create-reporters.ts';
import { readSettings } from '../settings.ts';
import { createLooker, describePool, idleSampleMs, type Looker } from './sample-pool.ts';
import { PoolWatch, watchKey, type Marked } from './pool-watch.ts';
import { createThread, type Pulse, startPulse, type Thread } from './thread.ts';
import { sayOnStderr } from './say.ts';
import type { CapturedStack } from './stack.ts';

/** The monitor of one thread. `register` and `watchPool` share it, also when they come from different bundles. */
export interface Monitor {
  readonly version: number;
  /** Watches a pool; of one that is watched already only the options change that are given. `madeFrom` is where it is being made: what it holds is not there yet. */
  watch(pool: object, options: MonitorOptions, madeFrom: CapturedStack | null): void;
  unwatch(pool: object): void;
}

type Pool = object & Marked;

/** A pool and what is known of its library. */
interface Found {
  readonly pool: Pool;
  readonly kind: PoolKind;
}

/** A pool that is being watched. */
interface Entry {
  /** Pools that nobody uses any more may go. */
  readonly pool: WeakRef<Pool>;
  readonly watch: PoolWatch;
  readonly looker: Looker;
  /** What `watchPool` was told, all calls together. */
  given: MonitorOptions;
  madeFrom: CapturedStack | null;
  isTold: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Nothing is read, opened or said before the first pool is watched. */
export function createMonitor(
  environment: Environment,
  makeReporters: MakeReporters = createReporters,
  sayLine: (line: string) => void = sayOnStderr,
): Monitor {
  // Made here, so that nothing of ours hangs on the request on whose way a pool is made or used.
  const outside = new AsyncResource('poolguard-monitor');
  let registry: Registry | null = null;
  const say = sayOnce(sayLine);
  return {
    version: protocolVersion,
    watch: (given, options, madeFrom) => {
      const found = findPool(given);
      if (found === null)
        return say(
          `The argument of watchPool is not a pool of ${anyOf(poolKinds.map(({ library }) => library))}, so nothing is watched.`,
        );
      registry ??= outside.runInAsyncScope(() =>
        openRegistry({ environment, options, outside, makeReporters, say }),
      );
      registry.add(found, options, madeFrom);
    },
    unwatch: (given) => registry?.remove(findPool(given)?.pool ?? given),
  };
}

interface Parts {
  readonly environment: Environment;
  readonly options: MonitorOptions;
  readonly outside: AsyncResource;
  readonly makeReporters: MakeReporters;
  readonly say: (sentence: string) => void;
}

interface Registry {
  add(found: Found, options: MonitorOptions, madeFrom: CapturedStack | null): void;
  remove(pool: Pool): void;
}

/** The pools that are being watched, and how often their counters are read. */
function openRegistry({ environment, options, outside, makeReporters, say }: Parts): Registry {
  const entries = new Map<number, Entry>();
  let pulse: Pulse | null = null;
  let pools = 0;
  const settingsOf = (given: MonitorOptions) => {
    const { settings, problems } = readSettings(given, environment);
    problems.forEach(say);
    return settings;
  };
  const settings = settingsOf(options);
  const thread = createThread({
    settings,
    environment,
    makeReporters,
    say,
    quicken: () => pulse?.quicken(),
    onCommand: (command) => {
      if (command.kind === 'set-max') setMax(entries, command, () => pulse?.quicken());
      if (command.kind === 'cut') cut(entries, command.cut, thread);
    },
    onFailure: () => {
      pulse?.stop();
      for (const { watch } of entries.values()) watch.isOn = false;
    },
  });
  pulse = startPulse(
    () => thread.guard(() => tick(entries, thread), idleSampleMs),
    settings.sampleMs,
    outside,
  );
  process.once('exit', () => end(entries, thread));
  return {
    add: ({ pool, kind }, given, madeFrom) =>
      thread.guard(() => {
        const known = entries.get(pool[watchKey]?.id ?? 0);
        if (known?.watch.isOn === true)
          return changeOptions(known, pool, given, { settingsOf, thread });
        const entry = createEntry(
          (pools += 1),
          pool,
          { kind, settings: settingsOf(given), given, madeFrom },
          thread,
        );
        entries.set(entry.watch.id, entry);
        if (madeFrom === null) introduce(entry, pool, thread);
        // The constructor is still at work. No client can be had before the next tick.
        else
          outside.runInAsyncScope(() =>
            process.nextTick(() =>
              thread.guard(() => introduceOnce(entry, pool, thread), undefined),
            ),
          );
        pulse?.quicken();
      }, undefined),
    remove: (pool) =>
      thread.guard(() => {
        const entry = entries.get(pool[watchKey]?.id ?? 0);
        if (entry !== undefined) forget(entries, entry, thread);
      }, undefined),
  };
}

function createEntry(
  id: number,
  pool: Pool,
  {
    kind,
    settings,
    given,
    madeFrom,
  }: Pick<Entry, 'given' | 'madeFrom'> & Pick<PoolWatch, 'kind' | 'settings'>,
  thread: Thread,
): Entry {
  const watch = new PoolWatch(id, kind, settings, thread);
  Object.defineProperty(pool, watchKey, { value: watch, configurable: true, enumerable: false });
  kind.follow(pool);
  return {
    pool: new WeakRef(pool),
    watch,
    looker: createLooker(watch, thread),
    given,
    madeFrom,
    isTold: false,
  };
}

/** A pool that `register` has seen gets the name and the thresholds that its maker then gives to `watchPool`. */
function changeOptions(
  entry: Entry,
  pool: Pool,
  given: MonitorOptions,
  {
    settingsOf,
    thread,
  }: {
    readonly settingsOf: (given: MonitorOptions) => PoolWatch['settings'];
    readonly thread: Thread;
  },
): void {
  if (Object.keys(given).length === 0) return;
  const isRenamed = given.name !== undefined && given.name !== entry.given.name;
  entry.given = { ...entry.given, ...given };
  entry.watch.settings = settingsOf(entry.given);
  if (entry.isTold && isRenamed) introduce(entry, pool, thread);
}

/** Says each sentence the first time only. */
function sayOnce(sayLine: (line: string) => void): (sentence: string) => void {
  const said = new Set<string>();
  return (sentence) => {
    if (said.has(sentence)) return;
    said.add(sentence);
    sayLine(`[poolguard] ${sentence}`);
  };
}

function introduceOnce(entry: Entry, pool: Pool, thread: Thread): void {
  // A pool whose constructor threw half-way is none.
  if (!entry.isTold && entry.watch.kind.isMade(pool)) introduce(entry, pool, thread);
}

function introduce(entry: Entry, pool: Pool, thread: Thread): void {
  const { watch, given, madeFrom } = entry;
  entry.isTold = true;
  entry.madeFrom = null;
  thread.tell({
    kind: 'pool',
    pool: describePool(pool, {
      id: watch.id,
      kind: watch.kind,
      givenName: given.name ?? null,
      madeFrom,
      findSource: thread.findSource,
    }),
  });
}

/** Looks at every pool, and answers when it wants to be called again. */
function tick(entries: Map<number, Entry>, thread: Thread): number {
  const now = performance.now();
  let next = idleSampleMs;
  for (const entry of entries.values()) {
    const pool = entry.pool.deref();
    if (pool === undefined || !entry.watch.isOn) forget(entries, entry, thread);
    else if (entry.isTold) next = Math.min(next, visit(entries, entry, pool, now, thread));
  }
  return next;
}

function visit(
  entries: Map<number, Entry>,
  entry: Entry,
  pool: Pool,
  now: number,
  thread: Thread,
): number {
  const next = entry.looker.look(pool, now);
  if (!entry.watch.kind.end(pool).isEnded) return next;
  entry.looker.tellRest(pool);
  forget(entries, entry, thread);
  return idleSampleMs;
}

function forget(entries: Map<number, Entry>, entry: Entry, thread: Thread): void {
  entry.watch.isOn = false;
  entries.delete(entry.watch.id);
  if (entry.isTold) thread.tell({ kind: 'ended', pool: entry.watch.id });
}

function setMax(
  entries: Map<number, Entry>,
  command: Extract<Command, { readonly kind: 'set-max' }>,
  quicken: () => void,
): void {
  const entry = entries.get(command.pool);
  const pool = entry?.pool.deref();
  if (entry === undefined || pool === undefined || !entry.watch.kind.isMade(pool)) return;
  entry.watch.isShrunk = true;
  entry.watch.kind.setMax?.(pool, command.max);
  quicken();
}

/** Tells what there is to tell of each pool, and then what happened since the last cut. */
function cut(entries: Map<number, Entry>, id: number, thread: Thread): void {
  for (const { pool: ref, watch, looker, isTold } of entries.values()) {
    const pool = ref.deref();
    if (pool === undefined || !isTold) continue;
    looker.tellRest(pool);
    const span = { pool: watch.id, wait: watch.wait.cut(), hold: watch.hold.cut() };
    thread.tell({ kind: 'span', cut: id, span });
  }
  thread.tell({ kind: 'cut', cut: id });
}

/** Of what is no pool, zeros. */
export function countsOf(given: WatchablePool): Counters {
  const found = findPool(given);
  return found === null
    ? { total: 0, idle: 0, waiting: 0, max: 0 }
    : found.kind.counters(found.pool);
}

/** JavaScript may hand over anything, and things that fail when they are looked at. */
function findPool(given: unknown): Found | null {
  try {
    for (const kind of poolKinds) {
      const pool = kind.findPool(given);
      if (pool !== null) return { pool, kind };
    }
  } catch {
    // No pool that is known.
  }
  return null;
}

function anyOf(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}

function end(entries: Map<number, Entry>, thread: Thread): void {
  const now = performance.now();
  const out = thread.guard(
    () =>
      [...entries.values()].flatMap((entry) => {
        const pool = entry.pool.deref();
        if (pool === undefined) return [];
        introduceOnce(entry, pool, thread);
        entry.looker.tellRest(pool);
        return entry.looker.out(pool, now);
      }),
    [],
  );
  thread.tell({ kind: 'exit', out });
  thread.stop();
}
