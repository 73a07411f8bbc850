import { expect, test } from 'vitest';
import { contradiction } from '../../../../src/editor/lenses/contradiction.ts';
import type { LastProbe } from '../../../../src/editor/live-figures.ts';

const last: LastProbe = {
  max: 4,
  interval: [3, 5],
  connectionTimeoutMs: 5_000,
  statement: 'select ?',
  at: new Date(2026, 10, 22, 12).getTime(),
};
const pool = {
  name: 'pool',
  max: 20,
  isMaxDefault: false,
  variable: undefined,
  connectionTimeoutMillis: 5_000,
  idleTimeoutMillis: 10_000,
  isAside: false,
  isWritable: true,
};

test.each([
  [{}, last, 'Last probe on 2026-11-22 recommends 4 (3–5); this pool has max: 20.'],
  [{ max: 2 }, last, 'Last probe on 2026-11-22 recommends 4 (3–5); this pool has max: 2.'],
  [
    { variable: 'POOL_MAX' },
    { ...last, interval: [4, 4] },
    'Last probe on 2026-11-22 recommends 4; this pool has max: 20.',
  ],
  [{ max: 3 }, last, undefined],
  [{ max: 4 }, last, undefined],
  [{ max: 5 }, last, undefined],
  // A limit of the server can lie below what was measured.
  [{ max: 4 }, { ...last, interval: [6, 8] }, undefined],
  [{ max: undefined }, last, undefined],
  [{ isMaxDefault: true }, last, undefined],
  [{ isAside: true }, last, undefined],
  [{ isWritable: false }, last, undefined],
] as const)('%j: %j', (changes, probe, expected) => {
  expect(contradiction({ ...pool, ...changes }, probe)).toBe(expected);
});
