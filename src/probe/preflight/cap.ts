import type { ServerRoomFacts } from '../../database/probe-server.ts';
import type { ConnectionTarget } from '../../database/target.ts';
import type { PoolerPool, PoolerReport } from '../../pooler/pooler-report.ts';
import { countBackends, findOwnPool, listBackendLimits } from '../pooler/own-pool.ts';
import { type Refusal, refuse } from '../refusal.ts';
import { commonDefaults } from '../request.ts';
import { capitalise } from '../verdict-words.ts';

/** Connections a probe never takes, whatever it was asked for. */
const leftFree = 5;
/** Below this there is nothing to compare. */
const smallestCap = 2;

export interface Cap {
  readonly size: number;
  readonly because: string;
}

type CapAnswer =
  | {
      readonly kind: 'cap';
      readonly cap: Cap;
      /** What there was before the session that watches, which counts as one of the probe's. */
      readonly free: number;
    }
  | Refusal;

/** What may be opened besides the session that watches, so that both together are half of what was free before it. */
function halfOf(free: number): number {
  return Math.floor((free + 1) / 2) - 1;
}

function reasonOf(asked: number): string {
  return asked === commonDefaults.max ? 'the default' : 'as requested';
}

/** How many connections a probe may open: what was asked for, half of what is free, and never the last five. */
export function findCap(asked: number, room: ServerRoomFacts): CapAnswer {
  const { free, holder, remedy } = findFree(room);
  const size = Math.min(asked, halfOf(free), free - leftFree);
  const before = free + 1;
  const state = `${holder} had ${before} free connection${before === 1 ? '' : 's'}`;
  if (size < smallestCap)
    return refuse(
      `${capitalise(state)}, and a probe leaves half of them and at least ${leftFree} to others, so there is nothing left to compare. Close idle connections or ${remedy}, then try again.`,
    );
  const because =
    size === asked
      ? `${reasonOf(asked)}; ${state}`
      : `${state}, and the probe leaves half of them and at least ${leftFree} to others`;
  return { kind: 'cap', cap: { size, because }, free: before };
}

/** Connections that are still to be had, and what limits them. */
export function findFree(room: ServerRoomFacts): {
  readonly free: number;
  readonly holder: string;
  readonly remedy: string;
} {
  const limits = [
    {
      free: room.maxConnections - room.reserved - room.used,
      holder: `the server (max_connections ${room.maxConnections}, ${room.reserved} reserved)`,
      remedy: 'raise max_connections',
    },
    {
      free: room.roleFree ?? Infinity,
      holder: `this role (CONNECTION LIMIT ${room.roleLimit})`,
      remedy: 'raise its limit (ALTER ROLE … CONNECTION LIMIT …)',
    },
    {
      free: room.databaseFree ?? Infinity,
      holder: `this database (CONNECTION LIMIT ${room.databaseLimit})`,
      remedy: 'raise its limit (ALTER DATABASE … CONNECTION LIMIT …)',
    },
  ];
  const tightest = limits.reduce((least, limit) => (limit.free < least.free ? limit : least));
  return { ...tightest, free: Math.max(0, tightest.free) };
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
  const bounds: readonly Cap[] = [
    { size: asked, because: reasonOf(asked) },
    ...listCaps(room, report, target),
  ];
  const cap = bounds.reduce((least, bound) => (bound.size < least.size ? bound : least));
  const clients = freeClients(report);
  if (cap.size >= smallestCap)
    return { kind: 'cap', cap, free: 1 + (clients ?? findFree(room).free) };
  return refuse(
    `There is no room to compare pool sizes: ${cap.because}. Close idle clients or raise the limit, then try again.`,
  );
}

/** Clients that the pooler still takes; null without a limit. */
function freeClients({ pooler, totals }: PoolerReport): number | null {
  const { maxClients } = pooler.limits;
  return maxClients === null || maxClients === 0
    ? null
    : Math.max(0, maxClients - totals.clientsActive - totals.clientsWaiting);
}

function* listCaps(
  room: ServerRoomFacts,
  report: PoolerReport,
  target: Pick<ConnectionTarget, 'database' | 'user'>,
): Generator<Cap> {
  const free = freeClients(report);
  if (free !== null)
    yield {
      size: halfOf(free),
      because: `the pooler had room for ${free + 1} clients (max_client_conn ${report.pooler.limits.maxClients}), and the probe leaves half of them to others`,
    };
  yield* listBackendCaps(room, report, findOwnPool(report, target));
}

function* listBackendCaps(
  room: ServerRoomFacts,
  report: PoolerReport,
  pool: PoolerPool | null,
): Generator<Cap> {
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
  const unused = Math.max(0, most - (pool?.serversActive ?? 0));
  yield {
    size: halfOf(unused),
    because: `in session mode each client keeps a backend, ${unused} of ${most} are free, and the probe leaves half of them to others`,
  };
}

export interface SizesToTry {
  readonly kind: 'sizes';
  /** Rising, each once. */
  readonly sizes: readonly number[];
  /** About those that are left out. */
  readonly notes: readonly string[];
}

/** The sizes that were asked for, as far as this probe may open so many connections. */
export function sizesToTry(
  asked: readonly number[],
  { cap }: { readonly cap: Cap },
): SizesToTry | Refusal {
  const sorted = [...new Set(asked)].sort((one, other) => one - other);
  const sizes = sorted.filter((size) => size <= cap.size);
  const beyond = sorted.filter((size) => size > cap.size);
  if (sizes.length === 0)
    return refuse(
      `None of the sizes ${sorted.join(', ')} can be tried: this probe may open ${cap.size} connections (${cap.because}).`,
    );
  const notes =
    beyond.length === 0
      ? []
      : [
          `Left out: ${beyond.join(', ')}, because this probe may open ${cap.size} connections (${cap.because}).`,
        ];
  return { kind: 'sizes', sizes, notes };
}
