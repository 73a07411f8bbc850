import { expect, test } from 'vitest';
import { cloneInto } from './clone.ts';
import { runNpmIn } from './run-in.ts';
import { findSurroundings } from './surroundings.ts';

test.concurrent.for(findSurroundings())('npm start and npm test for $name', async (environment) => {
  await using clone = await cloneInto(environment);
  const run = (...args: readonly string[]) => runNpmIn(clone, environment, args);

  const tour = await run('start', '--', '--seconds', '2');
  expect(tour, tour.said).toMatchObject({
    code: 0,
    said: expect.stringContaining('The report:') as string,
  });

  const tests = await run(
    'test',
    '--',
    'test/support/embedded-server.integration.test.ts',
    'test/support/pgbouncer.integration.test.ts',
  );
  const { lacks } = environment;
  expect(tests, tests.said).toMatchObject({
    code: lacks === undefined ? 0 : 1,
    said: expect.stringMatching(lacks ?? /Tests {2}2 passed/) as string,
  });
});
