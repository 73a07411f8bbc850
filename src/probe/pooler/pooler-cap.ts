import type { ServerRoomFacts } from '../../database/probe-server.ts';
import type { ConnectionTarget } from '../../database/target.ts';
import type { PoolerPool, PoolerReport } from '../../pooler/pooler-report.ts';
import { findCap, findFree, type CapAnswer } from '../preflight/cap.ts';
import { refuse } from '../refusal.ts';
import { countBackends, findOwnPool, listBackendLimits } from './own-pool.ts';

/** Below this there is nothing to compare. */
const smallestCap = 2;

interface Bound {
  readonly size: number;
  readonly because: string;
}

/**
 * How many clients of a pooler a probe may open: what was asked for, half of what its `max_client_conn` leaves free, and no more than the
 * server has room for while the pool still grows. In session mode each client keeps a backend, so half of the free backends.
 * Without the console each client may cost the server a backend, as if connected directly.
 */
export function findPoolerCap(
  asked: number,
  room: ServerRoomFacts,
  report: PoolerReport | null,
  target: Pick<ConnectionTarget, 'database' | 'user'>,
): CapAnswer {
  if (report === null) return findCap(asked, room);
  const bounds: readonly Bound[] = [
    { size: asked, because: 'asked for' },
    ...listBounds(room, report, target),
  ];
  const cap = bounds.reduce((least, bound) => (bound.size < least.size ? bound : least));
  if (cap.size >= smallestCap) return { kind: 'cap', cap };
  return refuse(
    `There is no room to compare pool sizes: ${cap.because}. Close idle clients or raise the limit, then try again.`,
  );
}

function* listBounds(
  room: ServerRoomFacts,
  report: PoolerReport,
  target: Pick<ConnectionTarget, 'database' | 'user'>,
): Generator<Bound> {
  const { pooler, totals } = report;
  const { maxClients } = pooler.limits;
  if (maxClients !== null && maxClients > 0) {
    const free = Math.max(0, maxClients - totals.clientsActive - totals.clientsWaiting);
    yield {
      size: Math.floor(free / 2),
      because: `the pooler takes ${free} more clients (max_client_conn ${maxClients}), and the probe leaves half of them to others`,
    };
  }
  yield* listBackendBounds(room, report, findOwnPool(report, target));
}

function* listBackendBounds(
  room: ServerRoomFacts,
  report: PoolerReport,
  pool: PoolerPool | null,
): Generator<Bound> {
  const most = listBackendLimits(report, pool)[0]?.value ?? Infinity;
  const open = pool === null ? 0 : countBackends(pool);
  const { free, holder } = findFree(room);
  const mayGrow = Math.floor(free / 2);
  if (most - open > mayGrow)
    yield {
      size: open + mayGrow,
      because: `${holder} has ${free} free connections for the pooler's backends, and the probe leaves half of them to others`,
    };
  if ((pool?.mode ?? report.pooler.limits.mode) !== 'session' || most === Infinity) return;
  const unlent = Math.max(0, most - (pool?.serversActive ?? 0));
  yield {
    size: Math.floor(unlent / 2),
    because: `in session mode each client keeps a backend, ${unlent} of ${most} are free, and the probe leaves half of them to others`,
  };
}
