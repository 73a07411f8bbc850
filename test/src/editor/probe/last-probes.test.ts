import { expect, test } from 'vitest';
import type { ConnectionTarget } from '../../../../src/database/target.ts';
import { LastProbes } from '../../../../src/editor/probe/last-probes.ts';
import { foundTwo } from '../../../support/probe-result.ts';
import { expectToRead } from '../../../support/spoilt.ts';

const target: ConnectionTarget = {
  host: 'localhost',
  port: 5432,
  database: 'shop',
  user: 'app',
  tls: 'off',
  tlsChosenBy: 'default',
  tlsFiles: { ca: null, cert: null, key: null },
};
const recommendation = {
  max: 12,
  interval: [8, 14],
  confidence: 0.9,
  limitedBy: 'the curve',
  defaultPoolSize: null,
  connectionTimeoutMs: 5_000,
} as const;

function createProbes(kept?: unknown) {
  const state = new Map<string, unknown>(
    kept === undefined ? [] : [['poolguard.lastProbes', kept]],
  );
  const memento = {
    get: <T>(key: string) => state.get(key) as T,
    update: (key: string, value: unknown) => Promise.resolve(void state.set(key, value)),
  };
  return new LastProbes(memento, () => 1000);
}

test('a recommendation is kept for its database, and no other', async () => {
  const probes = createProbes();
  await probes.keep(target, { ...foundTwo, recommendation });
  expect(probes.of(target)).toEqual({
    max: 12,
    interval: [8, 14],
    connectionTimeoutMs: 5_000,
    statement: 'SELECT 1',
    at: 1000,
  });
  expect(probes.of({ ...target, database: 'other' })).toBeUndefined();
  await probes.keep(target, { ...foundTwo, recommendation: null });
  expect(probes.of(target)?.max).toBe(12);
  await probes.forget(target);
  expect(probes.of(target)).toBeUndefined();
});

test('what an older version kept is read', () => {
  expect(
    createProbes({ '["localhost",5432,"shop","app"]': { max: 12, interval: [8, 14], at: 7 } }).of(
      target,
    ),
  ).toEqual({
    max: 12,
    interval: [8, 14],
    connectionTimeoutMs: undefined,
    statement: undefined,
    at: 7,
  });
});

test.each([
  7,
  null,
  { '["localhost",5432,"shop","app"]': { max: '12' } },
  { '["localhost",5432,"shop","app"]': { max: 12, interval: [1], at: 1 } },
])('%j holds no probe', (kept) => {
  expect(createProbes(kept).of(target)).toBeUndefined();
});

test('whatever the workspace holds, a probe is read as it is kept, or none', () => {
  const place = '["localhost",5432,"shop","app"]';
  expectToRead(
    [
      { max: 12, interval: [8, 14], connectionTimeoutMs: 5_000, statement: 'SELECT 1', at: 1000 },
      { max: 1, interval: [1, 1], at: 7 },
    ],
    (kept) => createProbes(kept).of(target) ?? createProbes({ [place]: kept }).of(target),
  );
});
