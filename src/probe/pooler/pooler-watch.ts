import type { ActivityReader } from '../../activity/poller.ts';
import type { DatabaseFailure } from '../../database/failure-row.ts';
import { consoleOf, createPoolerSource } from '../../database/pooler-console.ts';
import type { SessionLimits } from '../../database/session-limits.ts';
import type { ConnectionTarget } from '../../database/target.ts';
import type { PoolerReport, PoolerStats } from '../../pooler/pooler-report.ts';
import type { Clock } from '../clock.ts';
import { type Refusal, refuse } from '../refusal.ts';
import type { Access } from '../request.ts';
import type { PoolerSummary } from '../result-head.ts';
import { findOwnPool } from './own-pool.ts';

/** The pooler between the probe and the server, as its console shows it. */
export interface PoolerWatch {
  /** Before the load; null when the console may not be asked. */
  readonly before: PoolerReport | null;
  /** Why the console may not be asked, as a whole sentence. */
  readonly problem: string | null;
  /** All looks so far, `before` first, oldest first. */
  readonly looks: readonly PoolerReport[];
  /** Looks no more. Resolves when the connection to the console is closed. */
  close(): Promise<void>;
}

export interface PoolerWatchOptions extends Pick<SessionLimits, 'applicationName' | 'onBreach'> {
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

const everyMs = 500;

/** Finds out whether the pooler is a PgBouncer, and looks into its console twice a second, if that is allowed, until it is closed. */
export async function watchPooler(
  { target, secret }: Access,
  { clock, signal, ...limits }: PoolerWatchOptions,
): Promise<PoolerWatch | Refusal> {
  const source = createPoolerSource(consoleOf(target), secret, {
    ...limits,
    wantsSockets: () => false,
    now: () => new Date(),
    elapsed: clock.now,
  });
  const opened = await source.open(signal);
  if (opened.kind === 'failed')
    return opened.failure.kind === 'no-such-database'
      ? refuse(notPgBouncer)
      : blind(opened.failure);
  const first = await opened.reader.read();
  if (first.kind === 'failed') {
    await opened.reader.close();
    return blind(first.failure);
  }
  return keepLooking(opened.reader, first.report, clock);
}

const notPgBouncer =
  'A pooler that is not PgBouncer stands between the probe and the server, and Poolguard does not know how it assigns backends. Use the address of PostgreSQL itself instead.';

function blind({ sentence }: DatabaseFailure): PoolerWatch {
  const problem = `What the pooler did is not known: ${sentence}`;
  return { before: null, problem, looks: [], close: () => Promise.resolve() };
}

function keepLooking(
  reader: ActivityReader<PoolerReport>,
  before: PoolerReport,
  clock: Clock,
): PoolerWatch {
  const looks = [before];
  const ending = new AbortController();
  const run = async () => {
    while (!ending.signal.aborted) {
      await clock.wait(everyMs, ending.signal);
      const answer = await reader.read();
      if (answer.kind === 'failed') return;
      looks.push(answer.report);
    }
  };
  const running = run();
  return {
    before,
    problem: null,
    looks,
    close: async () => {
      ending.abort();
      await running;
      await reader.close();
    },
  };
}

/** What the console showed from the first look to the last. All null without a sample: then there is a pooler, and no more is known. */
export function toPoolerSummary(
  looks: readonly PoolerReport[],
  target: Pick<ConnectionTarget, 'database' | 'user'>,
): PoolerSummary {
  const [first, last] = [looks[0], looks.at(-1)];
  if (first === undefined || last === undefined) return nothingKnown;
  const pools = looks.flatMap((look) => findOwnPool(look, target) ?? []);
  const pool = pools.at(-1);
  const { limits, version } = last.pooler;
  const mode = pool?.mode ?? limits.mode;
  return {
    version: version || null,
    mode: mode === 'session' || mode === 'transaction' || mode === 'statement' ? mode : null,
    defaultPoolSize: pool?.size ?? limits.defaultPoolSize,
    maxClientConnections: limits.maxClients,
    peakWaitMs: Math.max(0, ...pools.map(({ longestWaitMs }) => longestWaitMs)),
    peakWaitingClients: Math.max(0, ...pools.map(({ clientsWaiting }) => clientsWaiting)),
    waitShare: toWaitShare(statsOf(first, target.database), statsOf(last, target.database)),
  };
}

const nothingKnown: PoolerSummary = {
  version: null,
  mode: null,
  defaultPoolSize: null,
  maxClientConnections: null,
  peakWaitMs: null,
  peakWaitingClients: null,
  waitShare: null,
};

/** A database that nobody has used yet has no row: its totals begin at 0. */
function statsOf({ stats }: PoolerReport, database: string): PoolerStats | undefined {
  return stats.find((each) => each.database === database);
}

/** By the totals, whose difference over the probe is exact: what transactions waited, of the time that they took, waiting included. */
function toWaitShare(
  before: PoolerStats | undefined,
  after: PoolerStats | undefined,
): number | null {
  if (after === undefined || after.totalWaitMs === null || after.totalTransactionMs === null)
    return null;
  const waited = after.totalWaitMs - (before?.totalWaitMs ?? 0);
  const served = after.totalTransactionMs - (before?.totalTransactionMs ?? 0);
  return waited < 0 || served <= 0 ? null : Math.min(1, waited / served);
}
