import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readExpectedFindings } from '../support/expected-findings.ts';
import { lintWithAll } from '../support/suggestions.ts';
import { rolledBack, type Habitual } from './sample.ts';
import { samplesOfHabits } from './samples.ts';
import { openOn, startSlowService, type Stage } from './stage.ts';

const folder = join(import.meta.dirname, 'samples');

test('the rules report the marked lines and no others', async () => {
  const found = readdirSync(folder)
    .map((file) => ({ file, path: join(folder, file) }))
    .filter(({ file }) => file.endsWith('.ts'))
    .flatMap(({ file, path }) =>
      lintWithAll(readFileSync(path, 'utf8'), path).messages.map(
        ({ endLine, ruleId, message }) => `${file}:${endLine} ${ruleId ?? message}`,
      ),
    );
  expect(found.sort()).toEqual(await readExpectedFindings(folder));
});

/** What an error and its causes say; `answered` without one. */
async function refusal(work: PromiseLike<unknown>): Promise<string> {
  const [outcome] = await Promise.allSettled([work]);
  const textOf = (error: unknown): string => {
    // Sequelize 7 has the cause as an option of the cause.
    const { message = '', cause } = error as Partial<Error>;
    return cause === undefined ? message : `${message}\n${textOf(cause)}`;
  };
  return outcome.status === 'rejected' ? textOf(outcome.reason) : 'answered';
}

/** What the server and the line see once the first of two statements waits for a lock. */
async function sentMeanwhile(
  { observer, states, sent, handle }: Stage<Habitual>,
  way: 'mistakes' | 'cures',
  isPipelined: boolean,
): Promise<void> {
  await observer.query('SELECT pg_advisory_lock(1)');
  const sending = handle[way].sendsTwo();
  await expect.poll(states).toEqual(['waits for a lock']);
  if (isPipelined) await expect.poll(sent).toContain('second');
  else expect(sent()).not.toContain('second');
  await observer.query('SELECT pg_advisory_unlock(1)');
  await sending;
}

describe.for(samplesOfHabits)('$title', ({ sample }) => {
  const { ended, isPipelined = false } = sample;

  test('a write over the outer handle waits for the connection that its own transaction holds', async () => {
    await using on = await openOn(sample, { max: 1, patienceMs: 300 });
    expect(await refusal(on.handle.mistakes.writes(false))).toMatch(sample.exhausted);
    expect(await on.notes()).not.toContain('inner');
  });

  test('a write over the inner handle needs no second connection', async () => {
    await using on = await openOn(sample, { max: 1 });
    await on.handle.cures.writes(false);
    expect(await on.notes()).toEqual(['before', 'inner', 'outer']);
  });

  test('a write over the outer handle outlives the rollback, unless the library forbids it', async () => {
    await using on = await openOn(sample, { max: 2 });
    await expect(on.handle.mistakes.writes(true)).rejects.toThrow(sample.forbids ?? rolledBack);
    expect(await on.notes()).toEqual(sample.forbids ? ['before'] : ['before', 'outer']);
  });

  test('a write over the inner handle is rolled back', async () => {
    await using on = await openOn(sample, { max: 2 });
    await expect(on.handle.cures.writes(true)).rejects.toThrow(rolledBack);
    expect(await on.notes()).toEqual(['before']);
  });

  test.for([
    { way: 'mistakes', state: 'idle in transaction' },
    { way: 'cures', state: 'idle' },
  ] as const)('while a request is unanswered, $way leave the session $state', async (row) => {
    await using service = await startSlowService();
    await using on = await openOn(sample, { max: 1 });
    const asking = on.handle[row.way].asks(service.url);
    const response = await service.request();
    expect(await on.states()).toEqual([row.state]);
    response.end();
    await asking;
    expect(await on.notes()).toEqual(['asked', 'before']);
  });

  test(`two statements at once are ${isPipelined ? 'pipelined' : 'sent one after the other'}`, async () => {
    await using on = await openOn(sample, { max: 1 });
    await sentMeanwhile(on, 'mistakes', isPipelined);
    expect(await on.notes()).toEqual(['before', 'second']);
  });

  test('two statements one by one come to the same', async () => {
    await using on = await openOn(sample, { max: 1 });
    await sentMeanwhile(on, 'cures', false);
    expect(await on.notes()).toEqual(['before', 'second']);
  });

  test(`the handle of an ended transaction ${ended === null ? 'writes outside of it' : 'is refused'}`, async () => {
    await using on = await openOn(sample, { max: 1 });
    expect(await refusal(on.handle.mistakes.writesLate())).toMatch(ended ?? /^answered$/u);
    expect(await on.notes()).toEqual(ended === null ? ['before', 'late'] : ['before']);
  });
});
