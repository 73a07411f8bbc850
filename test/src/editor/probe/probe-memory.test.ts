import { expect, test } from 'vitest';
import { ProbeMemory } from '../../../../src/editor/probe/probe-memory.ts';
import { placeOf } from '../../../../src/editor/probe/probe-place.ts';
import { workloadOf } from '../../../../src/probe/request.ts';
import { aTarget as target } from '../../../support/a-target.ts';

const other = { ...target, database: 'other' };

function createMemory(kept: Readonly<Record<string, unknown>> = {}) {
  const state = new Map(Object.entries(kept));
  return new ProbeMemory({
    get: (key: string) => state.get(key),
    update: (key: string, value: unknown) => Promise.resolve(void state.set(key, value)),
  });
}

test('the last workload of a database, the values of a statement, and a yes for good are kept', async () => {
  const memory = createMemory();
  const workload = workloadOf('SELECT $1::int', ['1..10']);
  await memory.keepWorkload(target, workload);
  await memory.keepParameters('SELECT $1::int', ['1..10']);
  await memory.agree(target);
  expect([memory.workloadOf(target), memory.workloadOf(other)]).toEqual([workload, undefined]);
  expect(memory.parametersOf('SELECT $1::int')).toEqual(['1..10']);
  expect([memory.isAgreed(target), memory.isAgreed(other)]).toEqual([true, false]);
});

test('owners are trusted for one connection, and until they are forgotten', async () => {
  const memory = createMemory({ 'poolguard.probeOwners': { [placeOf(other)]: ['kept', 7] } });
  await memory.trustOwners(target, ['app', 'app']);
  await memory.trustOwners(target, ['reports']);
  expect(memory.trustedOwnersOf(target)).toEqual(['app', 'reports']);
  expect(memory.trustedOwnersOf(other)).toEqual([]);
  await memory.trustOwners(other, ['app']);
  await memory.forget(target);
  expect([memory.trustedOwnersOf(target), memory.trustedOwnersOf(other)]).toEqual([[], ['app']]);
  expect(await memory.askAgain()).toBe(1);
  expect(memory.trustedOwnersOf(other)).toEqual([]);
});

test('what is forgotten is asked again', async () => {
  const memory = createMemory();
  await memory.agree(target);
  await memory.agree(other);
  await memory.keepWorkload(target, { kind: 'top', count: 5 });
  await memory.forget(target);
  expect([memory.isAgreed(target), memory.isAgreed(other), memory.workloadOf(target)]).toEqual([
    false,
    true,
    undefined,
  ]);
  expect(await memory.askAgain()).toBe(1);
  expect(memory.isAgreed(other)).toBe(false);
});

test.each([
  7,
  null,
  [],
  { kind: 'top' },
  { kind: 'statements', statements: [] },
  { kind: 'statements', statements: [{ text: 1, weight: 1, parameters: [] }] },
  { kind: 'statements', statements: [{ text: 'SELECT 1', weight: -1, parameters: [] }] },
])('%j is no workload', (kept) => {
  expect(
    createMemory({
      'poolguard.probeWorkloads': { [JSON.stringify(['localhost', 5432, 'shop', 'app'])]: kept },
    }).workloadOf(target),
  ).toBeUndefined();
});
