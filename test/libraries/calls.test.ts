import { describe, expect, test } from 'vitest';
import type { Library } from '../../rules/model/library.ts';
import type { Call, Calls } from './sample.ts';
import { samples } from './samples.ts';
import { openOn } from './stage.ts';

type NamedCall = readonly [name: string, call: Call];

/** Calls that send a statement. */
function queriesOf(handle: Calls): readonly NamedCall[] {
  return [...Object.entries(handle.sends), ['write', () => handle.write('outer')] as const];
}

/** Calls that lend a connection, with nothing to do for it. */
function lendingOf(handle: Calls): readonly NamedCall[] {
  return Object.entries(handle.lends).map(([path, lend]) => [path, () => lend(async () => {})]);
}

/** Calls of the outer handle that take a connection of their own inside a transaction, as the row has it. */
function apartOf(handle: Calls, row: Library): readonly NamedCall[] {
  return [
    ...(isJoinedByQueries(row) ? [] : queriesOf(handle)),
    ...(row.joins ? [] : lendingOf(handle)),
  ];
}

/** Those that go over the connection of the transaction around them. */
function joiningOf(handle: Calls, row: Library): readonly NamedCall[] {
  return [
    ...(row.queriesJoin === 'always' ? queriesOf(handle) : []),
    ...(row.joins ? lendingOf(handle) : []),
  ];
}

/** Of a library without queries in its row it does not show where they go. */
function isJoinedByQueries({ queriesJoin, sends }: Library): boolean {
  return queriesJoin === 'always' || sends.length === 0;
}

/** Makes calls at once; each `waits` until it is answered or refused. */
function makeAll(calls: readonly NamedCall[]) {
  const outcomes: Record<string, 'waits' | 'settled'> = {};
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

/** The calls of a row by which it says that a statement is sent. */
function sendsOf({ sends, tags, sentBy, carries }: Library): readonly string[] {
  return [
    ...sends.flatMap(({ paths, by }) => [...paths, ...(by ?? [])]),
    ...tags,
    ...sentBy,
    ...(carries === null ? [] : [`${carries.made}.${carries.by}`]),
  ];
}

function sorted(names: readonly string[]): readonly string[] {
  return [...new Set(names)].sort();
}

describe.for(samples)('$title', ({ sample, row }) => {
  test('has a sample of each call in its row', async () => {
    await using on = await openOn(sample, { max: 1 });
    const { lends, begins, sends } = on.handle;
    const { elsewhere = [] } = sample;
    expect(Object.keys(lends)).toEqual(row.lends.map(({ path }) => path));
    expect(Object.keys(begins)).toEqual(row.begins.map(({ path }) => path));
    expect(sorted([...Object.keys(sends), ...elsewhere])).toEqual(sorted(sendsOf(row)));
  });

  test.for(row.lends)(
    '$path: holds a connection from the start, so the outer handle of a pool of one can neither send nor begin anything that does not join it',
    async ({ path, opens }) => {
      await using on = await openOn(sample, { max: 1 });
      let made: ReturnType<typeof makeAll> | undefined;
      await on.handle.lends[path]?.(async (inner) => {
        expect(await on.states()).toEqual([opens ? 'idle in transaction' : 'idle']);
        made = makeAll(apartOf(on.handle, row));
        await on.handle.write('inner', inner);
        expect(made.outcomes).toEqual(all(made.outcomes, 'waits'));
        expect(await on.states()).toHaveLength(1);
      });
      await made?.settled;
      expect(made?.outcomes).toEqual(all(made?.outcomes ?? {}, 'settled'));
    },
  );

  test.for(row.lends.filter(() => row.joins || row.queriesJoin === 'always'))(
    '$path: what joins it goes over its connection',
    async ({ path }) => {
      await using on = await openOn(sample, { max: 1 });
      const inside: string[] = [];
      const calls = joiningOf(on.handle, row);
      for (const [name, call] of calls)
        await Promise.allSettled([
          on.handle.lends[path]?.(async () => {
            await Promise.allSettled([call()]);
            inside.push(name);
          }),
        ]);
      expect(inside).toEqual(calls.map(([name]) => name));
    },
  );

  test.for(row.lends.filter(({ opens }) => opens))(
    '$path: calls of the outer handle that send nothing take no second connection',
    async ({ path }) => {
      await using on = await openOn(sample, { max: 1, patienceMs: 20_000 });
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

  const { unawaited = row.unawaited === null ? 'seen' : 'unseen' } = sample;
  test.for(row.lends.filter(({ opens }) => opens))(
    `$path: that a query fails for which it does not wait is ${unawaited}`,
    async ({ path }) => {
      await using on = await openOn(sample, { max: 1 });
      let refused: PromiseLike<unknown> | undefined;
      const [lent] = await Promise.allSettled([
        on.handle.lends[path]?.(async (inner) => {
          await on.handle.write('inner', inner);
          // Some libraries send it at the call, the others once somebody wants to know.
          refused = on.handle.write('refused', inner).then(
            () => false,
            () => true,
          );
        }),
      ]);
      expect(lent.status).toBe(unawaited === 'seen' ? 'rejected' : 'fulfilled');
      expect(await refused).toBe(true);
      expect(await on.notes()).toEqual(unawaited === 'late' ? ['before', 'inner'] : ['before']);
    },
  );

  test.for(row.begins)('$path holds a connection until it is ended', async ({ path }) => {
    await using on = await openOn(sample, { max: 1 });
    const end = await on.handle.begins[path]?.();
    const { outcomes, settled } = makeAll([...queriesOf(on.handle), ...lendingOf(on.handle)]);
    expect(await on.states()).toHaveLength(1);
    expect(outcomes).toEqual(all(outcomes, 'waits'));
    await end?.();
    await settled;
  });

  test.for([...(row.outIfFailed ?? [])])('%s that fails gives nothing back', async (method) => {
    await using on = await openOn(sample, { max: 1 });
    const end = await on.handle.failsToEnd?.[method]?.();
    expect(await on.states()).toEqual(['idle in transaction (aborted)']);
    await end?.();
    expect(await on.states()).toEqual(['idle']);
  });
});
