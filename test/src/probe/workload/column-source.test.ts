import { expect, test } from 'vitest';
import { createColumnSource } from '../../../../src/probe/workload/column-source.ts';

test('a message of the server about statistics is not repeated: it may hold a value', async () => {
  const findColumn = createColumnSource({
    run: () =>
      Promise.resolve({
        kind: 'failed',
        failure: {
          kind: 'statement',
          code: '22P02',
          sentence: 'malformed array literal: "s3cret"',
        },
      }),
  });
  expect(await findColumn([[{ schema: null, table: 'users', column: 'city' }]])).toEqual({
    kind: 'unknown',
    because: 'the statistics of city cannot be read (22P02)',
  });
});
