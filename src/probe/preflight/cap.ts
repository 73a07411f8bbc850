import type { ServerRoomFacts } from '../../database/probe-server.ts';
import { capitalise } from '../verdict-words.ts';

/** Connections a probe never takes, whatever it was asked for. */
const leftFree = 5;
/** Below this there is nothing to compare. */
const smallestCap = 2;

export interface Cap {
  readonly size: number;
  readonly because: string;
}

export type CapAnswer =
  | { readonly kind: 'cap'; readonly cap: Cap }
  | { readonly kind: 'refused'; readonly sentence: string };

/** How many connections a probe may open: what was asked for, half of what is free, and never the last five. */
export function findCap(asked: number, room: ServerRoomFacts): CapAnswer {
  const { free, holder, remedy } = findFree(room);
  const size = Math.min(asked, Math.floor(free / 2), free - leftFree);
  const state = `${holder} has ${free} free connection${free === 1 ? '' : 's'}`;
  if (size < smallestCap) {
    return {
      kind: 'refused',
      sentence: `${capitalise(state)}, and a probe leaves half of them and at least ${leftFree} to others, so there is nothing left to compare. Close idle connections or ${remedy}, then try again.`,
    };
  }
  const because =
    size === asked
      ? `more are not wanted; ${state}`
      : `${state}, and the probe leaves half of them and at least ${leftFree} to others`;
  return { kind: 'cap', cap: { size, because } };
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
