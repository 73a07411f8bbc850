import { describe, expect, test } from 'vitest';
import type { Calls } from './sample.ts';
import { samples } from './samples.ts';
import { openOn } from './stage.ts';

/** Makes each call of the outer handle that takes a connection; it `waits` until it is answered or refused. */
function callAll(handle: Calls) {
  const outcomes: Record<string, 'waits' | 'settled'> = {};
  const calls = [
    ...Object.entries(handle.sends),
    ...Object.entries(handle.lends).map(
      ([path, lend]) => [path, () => lend(async () => {})] as const,
    ),
    ['write', () => handle.write('outer')] as const,
  ];
  const settled = calls.map(async ([name, call]) => {
    outcomes[name] = 'waits';
    await Promise.allSettled([call()]);
    outcomes[name] = 'settled';
  });
  return { outcomes, settled: Promise.all(settled) };
}

/** The outcomes if all calls have the same. */
function all(outcomes: object, outcome: 'waits' | 'settled') {
  return Object.fromEntries(Object.keys(outcomes).map((name) => [name, outcome]));
}

describe.for(samples)('$title', ({ sample, row }) => {
  test('has a sample of each call in its row', async () => {
    await using on = await openOn(sample, { max: 1 });
    const { lends, sends } = on.handle;
    expect(Object.keys(lends)).toEqual(row.lends.map(({ path }) => path));
    expect([sample.begins ?? []].flat()).toEqual(row.begins.map(({ path }) => path));
    expect(Object.keys(sends).sort()).toEqual(
      [
        ...new Set([
          ...row.sends.flatMap(({ paths, by }) => [...paths, ...(by ?? [])]),
          ...row.tags,
          ...row.sentBy,
          ...(row.carries === null ? [] : [`${row.carries.made}.${row.carries.by}`]),
        ]),
      ].sort(),
    );
  });

  test.for(row.lends)(
    '$path: holds a connection from the start, so the outer handle of a pool of one can neither send nor begin anything',
    async ({ path, opens }) => {
      await using on = await openOn(sample, { max: 1 });
      let made: ReturnType<typeof callAll> | undefined;
      await on.handle.lends[path]?.(async (inner) => {
        expect(await on.states()).toEqual([opens ? 'idle in transaction' : 'idle']);
        made = callAll(on.handle);
        await on.handle.write('inner', inner);
        expect(made.outcomes).toEqual(all(made.outcomes, 'waits'));
        expect(await on.states()).toHaveLength(1);
      });
      await made?.settled;
      expect(made?.outcomes).toEqual(all(made?.outcomes ?? {}, 'settled'));
    },
  );

  test.for(row.lends.filter(({ opens }) => opens))(
    '$path: calls of the outer handle that send nothing take no second connection',
    async ({ path }) => {
      await using on = await openOn(sample, { max: 2 });
      await on.handle.lends[path]?.(async (inner) => {
        const harmless = on.handle.harmless(inner);
        expect(Object.keys(harmless)).toEqual(expect.arrayContaining([...row.boundBy]));
        for (const run of Object.values(harmless)) {
          await run();
          expect(await on.states()).toEqual(['idle in transaction']);
        }
      });
      expect(await on.notes()).toEqual(['before']);
    },
  );
});

test.for(samples.filter(({ sample }) => sample.begins !== undefined))(
  '$title: $sample.begins holds a connection until it is ended',
  async ({ sample }) => {
    await using on = await openOn(sample, { max: 1 });
    const end = await on.handle.begin?.();
    const { outcomes, settled } = callAll(on.handle);
    expect(await on.states()).toHaveLength(1);
    expect(outcomes).toEqual(all(outcomes, 'waits'));
    await end?.();
    await settled;
  },
);
