import type { InnerClient, InnerPool } from './pool-shape.ts';

/** As many as a PostgreSQL server can be told to take is 262,143; what is larger is a slip. */
const mostClients = 10_000;

/**
 * Changes the size of a live pool. pg-pool reads `options.max` at each checkout (index.js, `_isFull`), but neither closes what is
 * open beyond it nor wakes those who wait, so both are done here. Clients that are out go when they come back: see `leaveIfTooMany`.
 * False for a number that is no size.
 */
export function setMax(pool: InnerPool, max: number): boolean {
  if (!Number.isInteger(max) || max < 1 || max > mostClients) return false;
  pool.options.max = max;
  if (pool.ending) return true;
  closeIdleBeyond(pool, max);
  serveQueue(pool);
  return true;
}

function closeIdleBeyond(pool: InnerPool, max: number): void {
  // The one that is idle for longest first. Somebody who waits for an idle client is served at the next tick: those are spared.
  let spare = pool._idle.length - pool._pendingQueue.length;
  while (pool._clients.length > max && spare > 0) {
    const client = pool._idle[0]?.client;
    if (client === undefined) return;
    pool._remove(client, () => pool._pulseQueue());
    spare -= 1;
  }
}

/** One call of pg-pool's `_pulseQueue` serves one caller. */
function serveQueue(pool: InnerPool): void {
  for (let left = pool._pendingQueue.length; left > 0; left--) {
    if (pool._idle.length === 0 && pool._clients.length >= pool.options.max) return;
    pool._pulseQueue();
  }
}

/** Called before a client is given back to a pool that was shrunk: marks it as one that pg-pool closes instead of lending it again. */
export function leaveIfTooMany(pool: InnerPool, client: InnerClient): void {
  if (pool._clients.length <= pool.options.max) return;
  // Since 3.5 pg-pool closes what is expired, since 3.2 what was used `maxUses` times, of which none is `Infinity` times.
  if (pool._expired === undefined) client._poolUseCount = Number.POSITIVE_INFINITY;
  else pool._expired.add(client);
}
