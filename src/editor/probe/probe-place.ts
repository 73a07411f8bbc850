import type { ConnectionTarget } from '../../database/target.ts';

/** A database as the state of a workspace names it: the same one with other TLS is the same. */
export function placeOf({ host, port, database, user }: ConnectionTarget): string {
  return JSON.stringify([host, port, database, user]);
}
