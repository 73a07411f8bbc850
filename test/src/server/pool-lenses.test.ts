import { expect, it } from 'vitest';
import type { DeclaredPool, PoolOption } from '../../../rules/index.ts';
import { poolTitles } from '../../../src/server/pool-lenses.ts';

const place = { start: { line: 1, column: 0 }, end: { line: 1, column: 10 } };
const unset = (value: number): PoolOption => ({ kind: 'default', value });
const written = (value: number, file?: string): PoolOption => ({
  kind: 'literal',
  value,
  place,
  ...(file === undefined ? {} : { file }),
});
const unknown: PoolOption = { kind: 'unknown' };

function pool(max: PoolOption, connectionTimeoutMillis: PoolOption, driver = 'pg'): DeclaredPool {
  return {
    place,
    name: 'pool',
    driver,
    applicationName: undefined,
    options: { max, connectionTimeoutMillis, idleTimeoutMillis: unset(10_000) },
  };
}

const cases: readonly (readonly [DeclaredPool, readonly string[]])[] = [
  [
    pool(unset(10), unset(0)),
    ['max 10 (pg default)', 'waits indefinitely: no connectionTimeoutMillis'],
  ],
  [
    pool(unset(10), unset(0), '@neondatabase/serverless'),
    ['max 10 (@neondatabase/serverless default)', 'waits indefinitely: no connectionTimeoutMillis'],
  ],
  [pool(written(20), written(5000)), ['max 20']],
  [pool(written(20, '/srv/config/pool.ts'), written(5000)), ['max 20 (set in pool.ts)']],
  [
    pool({ kind: 'fallback', value: 20, variable: 'POOL_MAX', place }, written(0)),
    ['max POOL_MAX, else 20', 'waits indefinitely: connectionTimeoutMillis is 0'],
  ],
  [pool(unknown, unknown), ['max set elsewhere']],
  [pool(unknown, unknown, '@vercel/postgres'), []],
  [pool(written(5), unknown, '@vercel/postgres'), ['max 5']],
];

it.each(cases)('%j', (declared, titles) => {
  expect(poolTitles(declared)).toEqual(titles);
  for (const title of titles) expect(title.length).toBeLessThanOrEqual(60);
});
