import type {
  HeldCheckout,
  Mistake,
  CounterSample,
  Report,
  WatchedPool,
} from '../../monitor/report.ts';
import { appName } from './app-name.ts';
import { placeKey, topOf } from './place-key.ts';
import type { RepeatedMistake, RunningApp, RunningApps, RunningPool } from './running-app.ts';

/** How much is kept, whatever applications say. 120 looks are a minute of a busy pool. */
export const kept = {
  apps: 64,
  endedApps: 2,
  pools: 64,
  looks: 120,
  held: 500,
  mistakes: 50,
} as const;

export type RunningEvent = Report | { readonly kind: 'gone' };

type Hello = Extract<Report, { readonly kind: 'hello' }>;

/**
 * What is known of the running applications after one more report of the thread `key`, or after its connection is gone. Pure, and
 * bounded by `kept`; reports of an unknown thread or pool change nothing.
 */
export function nextRunningApps(
  apps: RunningApps,
  key: string,
  event: RunningEvent,
  now: number,
): RunningApps {
  if (event.kind === 'hello') return withApp(apps, key, event);
  const app = apps.find((each) => each.key === key);
  if (app === undefined) return apps;
  if (event.kind === 'gone') return withoutConnection(apps, app, now);
  const next = nextApp(app, event, now);
  return next === app ? apps : replace(apps, app, next);
}

function nextApp(app: RunningApp, event: Exclude<Report, Hello>, now: number): RunningApp {
  switch (event.kind) {
    case 'pool':
      return withPool(app, event.pool);
    case 'broken':
      return { ...app, broken: event.sentence };
    case 'exit':
      return { ...app, end: { at: now, wasTold: true, out: event.out } };
    case 'look':
      return inPool(app, event.look.pool, (pool) => withLook(pool, event.look));
    case 'held':
      return inPool(app, event.held.pool, (pool) => withHeld(pool, event.held));
    case 'returned':
      return inPool(app, event.pool, (pool) => ({
        ...pool,
        held: pool.held.filter(({ checkout }) => checkout !== event.checkout),
      }));
    case 'mistake':
      return inPool(app, event.mistake.pool, (pool) => ({
        ...pool,
        mistakes: withMistake(pool.mistakes, event.mistake),
      }));
    case 'alert':
      return inPool(app, event.pool, (pool) => ({
        ...pool,
        alerts: withAlert(pool.alerts, event.alert, event.isOver),
      }));
    case 'span':
    case 'cut':
      // For who measures a load.
      return app;
    case 'ending':
      // Each of these is told as held as well, once it is out for long.
      return app;
    case 'ended':
      return inPool(app, event.pool, (pool) => ({ ...pool, isEnded: true, alerts: [] }));
  }
}

/** An application that starts again takes the place of its last run, unless that one still has something to tell. */
function withApp(apps: RunningApps, key: string, hello: Hello): RunningApps {
  const { pid, parentPid, threadId, script, folder, node, startedAt } = hello;
  const others = apps.filter(
    (each) =>
      each.key !== key &&
      !(
        isUneventfulEnd(each) &&
        each.script === script &&
        each.folder === folder &&
        each.threadId === threadId
      ),
  );
  if (others.length >= kept.apps) return apps;
  return [
    ...others,
    {
      key,
      pid,
      parentPid,
      threadId,
      name: appName(script, folder),
      script,
      folder,
      node,
      startedAt,
      pools: [],
      broken: null,
      end: null,
    },
  ];
}

function isUneventfulEnd({ end, pools }: RunningApp): boolean {
  return (
    end !== null && end.out.length === 0 && pools.every(({ mistakes }) => mistakes.length === 0)
  );
}

/** The last ones that had pools stay to be looked at, with what never came back. */
function withoutConnection(apps: RunningApps, app: RunningApp, now: number): RunningApps {
  if (app.pools.length === 0) return apps.filter((each) => each !== app);
  const end = app.end ?? { at: now, wasTold: false, out: app.pools.flatMap(({ held }) => held) };
  const next = replace(apps, app, { ...app, end });
  const gone = next
    .filter((each) => each.end !== null)
    .sort((one, other) => (other.end?.at ?? 0) - (one.end?.at ?? 0))
    .slice(kept.endedApps);
  return next.filter((each) => !gone.includes(each));
}

function withPool(app: RunningApp, pool: WatchedPool): RunningApp {
  const known = app.pools.find((each) => each.pool.id === pool.id);
  if (known !== undefined)
    return { ...app, pools: app.pools.map((each) => (each === known ? { ...known, pool } : each)) };
  if (app.pools.length >= kept.pools) return app;
  return {
    ...app,
    pools: [
      ...app.pools,
      {
        pool,
        look: null,
        history: [],
        held: [],
        mistakes: [],
        alerts: [],
        acquired: 0,
        failed: 0,
        isEnded: false,
      },
    ],
  };
}

function inPool(
  app: RunningApp,
  id: number,
  change: (pool: RunningPool) => RunningPool,
): RunningApp {
  const pool = app.pools.find((each) => each.pool.id === id);
  return pool === undefined
    ? app
    : { ...app, pools: app.pools.map((each) => (each === pool ? change(pool) : each)) };
}

function withLook(pool: RunningPool, look: CounterSample): RunningPool {
  return {
    ...pool,
    look,
    history: [...pool.history, look].slice(-kept.looks),
    acquired: pool.acquired + look.acquired,
    failed: pool.failed + look.failed,
  };
}

function withHeld(pool: RunningPool, held: HeldCheckout): RunningPool {
  const others = pool.held.filter(({ checkout }) => checkout !== held.checkout);
  return {
    ...pool,
    held: [...others, held].sort((one, other) => one.since - other.since).slice(0, kept.held),
  };
}

function withMistake(
  mistakes: readonly RepeatedMistake[],
  mistake: Mistake,
): readonly RepeatedMistake[] {
  const key = mistakeKey(mistake);
  const same = mistakes.find((each) => mistakeKey(each) === key);
  const repeated = {
    ...mistake,
    count: (same?.count ?? 0) + 1,
    firstAt: same?.firstAt ?? mistake.at,
  };
  return [repeated, ...mistakes.filter((each) => each !== same)].slice(0, kept.mistakes);
}

/** The place that people would fix: where the client was misused, or else acquired. */
function mistakeKey({ mistake, misusedAt, acquiredAt }: Mistake): string {
  const place = topOf(misusedAt) ?? topOf(acquiredAt);
  return place === null ? mistake : `${mistake} ${placeKey(place)}`;
}

function withAlert(
  alerts: RunningPool['alerts'],
  alert: 'waiting' | 'idle',
  isOver: boolean,
): RunningPool['alerts'] {
  const others = alerts.filter((each) => each !== alert);
  return isOver ? [...others, alert] : others;
}

function replace(apps: RunningApps, app: RunningApp, next: RunningApp): RunningApps {
  return apps.map((each) => (each === app ? next : each));
}
