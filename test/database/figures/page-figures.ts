import type { ActivityModel, PoolPast, PoolRow } from '../../../src/activity/activity-model.ts';
import type { StatementPlace } from '../../../src/activity/code-knowledge.ts';
import type { Holder } from '../../../src/activity/holder.ts';
import type { FigureRow, FigureTable } from '../../support/figures.ts';

/** What sidebar and panel add to a look; `activity-figures.ts` has the look itself. */
export interface Page extends Pick<ActivityModel, 'concerns' | 'history' | 'times'> {
  readonly pools: readonly PoolRow[];
  readonly absent: readonly PoolPast[];
  readonly places: readonly StatementPlace[];
  readonly holders: readonly Holder[];
}

/** What the test did: a pool of two processes with clients on ports of its choice, and a worker that has gone. */
export interface PageWorld {
  /** Of the clients that are connected at the last look, process by process. */
  readonly processes: readonly {
    readonly pids: readonly number[];
    readonly ports: readonly number[];
  }[];
  readonly states: Readonly<Record<'active' | 'waiting' | 'idle' | 'idleInTransaction', number>>;
  /** Clients of the pool, and of the worker, at each look. */
  readonly clients: readonly number[];
  readonly workers: readonly number[];
  /** Processes of the server at each look. */
  readonly backends: readonly number[];
  /** When each look was taken, by the test's clock. */
  readonly looks: readonly number[];
  /** Since the holder's statement, and since its BEGIN. */
  readonly idleInTransactionMs: number;
  readonly transactionMs: number;
  readonly holder: number;
  readonly blocked: number;
  readonly declaredMax: number;
  readonly otherPlaces: number;
  readonly held: { readonly pid: number; readonly forMs: number };
}

type Row = FigureRow<PageWorld>;

const row = (
  unit: string,
  means: string,
  beside: string,
  independent: Row['independent'],
  within: Row['within'] = {},
): Row => ({ unit, means, beside, independent, within });

const clients = 'clients of the test';
const clock = { absolute: 750 };
const none = (means: string): Row => row('sessions', means, 'the test makes none', () => 0);
const all = (of: 'pids' | 'ports') => (world: PageWorld) =>
  world.processes.flatMap((each) => each[of]);
const spanOf = (looks: readonly number[]) => (looks.at(-1) ?? 0) - (looks[0] ?? 0);

/** Every number of the sidebar's and the panel's pools, concerns and curves. */
export const pageFigures: FigureTable<Page, PageWorld> = {
  'pools[].count': row(
    'sessions',
    'of the pool now',
    clients,
    (world) => world.clients.at(-1) ?? 0,
  ),
  'pools[].peak': row('sessions', 'most of all looks', clients, (world) =>
    Math.max(...world.clients),
  ),
  'pools[].split.active': row(
    'sessions',
    'run a statement',
    clients,
    ({ states }) => states.active,
  ),
  'pools[].split.waiting': row(
    'sessions',
    'wait for a lock',
    clients,
    ({ states }) => states.waiting,
  ),
  'pools[].split.idle': row('sessions', 'idle', clients, ({ states }) => states.idle),
  'pools[].split.idleInTransaction': row(
    'sessions',
    'idle in transaction',
    clients,
    ({ states }) => states.idleInTransaction,
  ),
  'pools[].split.aborted': none('in a failed transaction'),
  'pools[].split.hidden': none('state is hidden from the role'),
  'pools[].split.other': none('fastpath, disabled, starting'),
  'pools[].split.own': none('Poolguard’s own, which is a pool of its own'),
  'pools[].longestIdleInTransactionMs': row(
    'ms',
    'since the state changed',
    'the test’s clock',
    (world) => world.idleInTransactionMs,
    clock,
  ),
  'pools[].longestTransactionMs': row(
    'ms',
    'since BEGIN',
    'the test’s clock',
    (world) => world.transactionMs,
    clock,
  ),
  'pools[].pids[]': row('pid', 'of its backends', 'pg_backend_pid() of each client', all('pids')),
  'pools[].portSpans[].from': row('port', 'first of a process', 'ports of the test', (world) =>
    world.processes.map(({ ports }) => Math.min(...ports)),
  ),
  'pools[].portSpans[].to': row('port', 'last of a process', 'ports of the test', (world) =>
    world.processes.map(({ ports }) => Math.max(...ports)),
  ),
  'pools[].portSpans[].count': row('sessions', 'of a process', 'ports of the test', (world) =>
    world.processes.map(({ ports }) => ports.length),
  ),
  'pools[].bursts[]': row('sessions', 'that began together', clients, (world) =>
    world.processes.map(({ pids }) => pids.length),
  ),
  'pools[].declared.max': row(
    'clients',
    'max in the code',
    'the code',
    (world) => world.declaredMax,
  ),
  'pools[].history.counts[]': row('sessions', 'at each look', clients, (world) => world.clients),
  'pools[].history.spanMs': row(
    'ms',
    'from the first look to the last',
    'the test’s clock',
    ({ looks }) => spanOf(looks),
    clock,
  ),
  'absent[].peak': row('sessions', 'most of all looks', clients, (world) =>
    Math.max(...world.workers),
  ),
  'absent[].history.counts[]': row('sessions', 'at each look', clients, (world) => world.workers),
  'absent[].history.spanMs': row(
    'ms',
    'from the first look to the last',
    'the test’s clock',
    ({ looks }) => spanOf(looks),
    clock,
  ),
  'concerns[].pids[]': row('pid', 'which session it is about', 'who holds the lock', (world) => [
    world.holder,
    world.blocked,
  ]),
  'history.counts[]': row(
    'connections',
    'used at each look',
    'pg_stat_activity by another client',
    (world) => world.backends,
  ),
  'history.spanMs': row(
    'ms',
    'from the first look to the last',
    'the test’s clock',
    ({ looks }) => spanOf(looks),
    clock,
  ),
  'times[]': row('ms', 'of each look', 'the test’s clock', ({ looks }) => looks, clock),
  // Of the holder's statement and of the blocked one.
  'places[].others': row('places', 'that write the same', 'the code', (world) => [
    world.otherPlaces,
    world.otherPlaces,
  ]),
  'holders[].pid': row('pid', 'of the application', 'the application', ({ held }) => held.pid),
  'holders[].forMs': row('ms', 'since the checkout', 'the application', ({ held }) => held.forMs),
};
