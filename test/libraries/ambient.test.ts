import { describe, expect, test } from 'vitest';
import { rolledBack, type AmbientCalls } from './sample.ts';
import { ambientSamples } from './samples.ts';
import { openOn, type Stage } from './stage.ts';

/** What an error says that comes of something inside a transaction; `done` without one. */
async function saidInside(
  { handle }: Stage<AmbientCalls>,
  holds: string,
  work: () => PromiseLike<unknown> | undefined,
): Promise<string> {
  let said = 'done';
  await handle.holds[holds]?.(async () => {
    const [outcome] = await Promise.allSettled([work()]);
    if (outcome.status === 'rejected') said = String(outcome.reason);
  });
  return said;
}

async function nothing(): Promise<void> {}

describe.for(ambientSamples)('$title', ({ sample, row: { holds, ambient } }) => {
  /** Each call that holds a connection with each value that it may be given of those in the row. */
  const each = (among: readonly string[] = []) =>
    holds.flatMap((name) =>
      sample.propagations
        .filter((value) => among.includes(value))
        .map((value) => [name, value] as const),
    );

  test('has a sample of each call in its row', async () => {
    await using on = await openOn(sample, { max: 1 });
    expect(Object.keys(on.handle.holds)).toEqual(holds);
  });

  test.for([...holds])(
    '%s holds a connection from the start, over which queries of the pool go',
    async (name) => {
      await using on = await openOn(sample, { max: 1 });
      const held = on.handle.holds[name]?.(async () => {
        expect(await on.states()).toEqual(['idle in transaction']);
        for (const call of Object.values(on.handle.joins)) await call();
        await on.handle.write('inner');
        throw new Error(rolledBack);
      });
      await expect(held).rejects.toThrow(rolledBack);
      expect(await on.notes()).toEqual(['before']);
    },
  );

  test.for([...holds])('%s: what takes a connection in any case waits for one', async (name) => {
    await using on = await openOn(sample, { max: 1, patienceMs: 300 });
    for (const call of Object.values(on.handle.apart))
      expect(await saidInside(on, name, call)).toMatch(sample.exhausted);
  });

  test.for(each(ambient?.apart))(
    '%s, %s: waits for a connection of its own inside a transaction',
    async ([name, value]) => {
      await using on = await openOn(sample, { max: 1, patienceMs: 300 });
      const again = () => on.handle.holds[name]?.(nothing, value);
      expect(await saidInside(on, name, again)).toMatch(sample.exhausted);
    },
  );

  test.for(each(ambient?.none))('%s, %s: holds no connection', async ([name, value]) => {
    await using on = await openOn(sample, { max: 1 });
    await on.handle.holds[name]?.(async () => {
      expect(await on.states()).toEqual(['idle']);
    }, value);
  });

  test.for(each(ambient?.leaves))(
    '%s, %s: what it writes outlives the rollback around it',
    async ([name, value]) => {
      await using on = await openOn(sample, { max: 2 });
      const held = on.handle.holds[name]?.(async () => {
        await on.handle.holds[name]?.(async () => void (await on.handle.write('outer')), value);
        throw new Error(rolledBack);
      });
      await expect(held).rejects.toThrow(rolledBack);
      expect(await on.notes()).toEqual(['before', 'outer']);
    },
  );

  const { apart = [], leaves = [] } = ambient ?? {};
  const others = sample.propagations.filter((value) => ![...apart, ...leaves].includes(value));

  test.for(each(others))(
    '%s, %s: is refused, or goes over the connection of the transaction around it',
    async ([name, value]) => {
      await using on = await openOn(sample, { max: 1, patienceMs: 20_000 });
      const write = () =>
        on.handle.holds[name]?.(async () => void (await on.handle.write('inner')), value);
      const said = await saidInside(on, name, write);
      expect(said).not.toMatch(sample.exhausted);
      expect(await on.notes()).toEqual(said === 'done' ? ['before', 'inner'] : ['before']);
    },
  );
});
