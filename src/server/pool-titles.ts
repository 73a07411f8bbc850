import { basename } from 'node:path';
import { classicPools } from '../../rules/model/pool-life.ts';
import { toPlainText } from '../activity/plain-text.ts';
import type { DeclaredPool, PoolOption } from '../../rules/index.ts';

/** What stands above a pool, each a few words: how many clients it may have, and what is dangerous as it is. Nothing that the code does not tell. */
export function poolTitles(pool: DeclaredPool): readonly string[] {
  return [maxTitle(pool), waitTitle(pool.options.connectionTimeoutMillis)]
    .filter((title) => title !== undefined)
    .map(toPlainText);
}

function maxTitle({ driver, options: { max } }: DeclaredPool): string | undefined {
  switch (max.kind) {
    case 'default':
      return `max ${max.value} (${driver} default)`;
    case 'literal':
      return max.file === undefined
        ? `max ${max.value}`
        : `max ${max.value} (written in ${basename(max.file)})`;
    case 'fallback':
      return `max ${max.variable}, else ${max.value}`;
    case 'unknown':
      // With a driver whose default is not known nothing may have been set at all.
      return classicPools.has(driver) ? 'max set elsewhere' : undefined;
  }
}

/** A pool whose callers wait indefinitely for a client. */
function waitTitle(timeout: PoolOption): string | undefined {
  if (timeout.kind === 'default' && timeout.value === 0)
    return 'waits indefinitely: no connectionTimeoutMillis';
  return timeout.kind === 'literal' && timeout.value === 0
    ? 'waits indefinitely: connectionTimeoutMillis is 0'
    : undefined;
}
