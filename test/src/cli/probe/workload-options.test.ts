import { Command } from 'commander';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addWorkloadOptions,
  readWorkload,
  type WorkloadFlags,
} from '../../../../src/cli/probe/options/workload-options.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../../support/temporary-folder.ts';

let folder: TemporaryFolder;

beforeAll(async () => {
  folder = await createTemporaryFolder();
});

afterAll(() => folder[Symbol.asyncDispose]());

function read(...args: readonly string[]) {
  const command = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  addWorkloadOptions(command);
  return readWorkload(command.parse(args, { from: 'user' }).opts<WorkloadFlags>(), folder.path);
}

describe('what is run', () => {
  test('without any option, a stand-in that reads', async () => {
    expect(await read()).toEqual({
      workload: { kind: 'stand-in' },
      allowWrites: false,
      allowFunctions: [],
      sampleValues: false,
    });
  });

  test('values and weights belong to the statement before them', async () => {
    const { workload } = await read(
      '--sql',
      'SELECT $1, $2',
      '--param',
      '1..9',
      '--param',
      'a|b',
      '--weight',
      '3',
      '--sql',
      'SELECT 2',
    );
    expect(workload).toEqual({
      kind: 'statements',
      statements: [
        { text: 'SELECT $1, $2', weight: 3, parameters: ['1..9', 'a|b'] },
        { text: 'SELECT 2', weight: 1, parameters: [] },
      ],
    });
  });

  test('a file, from the folder in which the command runs', async () => {
    await writeFile(join(folder.path, 'shop.sql'), '-- weight: 2\nSELECT 1;\nSELECT 2;');
    expect(await read('--file', 'shop.sql')).toMatchObject({
      workload: {
        statements: [
          { text: 'SELECT 1', weight: 2 },
          { text: 'SELECT 2', weight: 1 },
        ],
      },
    });
  });

  test('the top statements, with values for theirs', async () => {
    expect(await read('--top', '5', '--param', '7')).toEqual({
      workload: { kind: 'top', count: 5, parameters: ['7'] },
      allowWrites: false,
      allowFunctions: [],
      sampleValues: false,
    });
  });

  test('values of columns are read where that is allowed', async () => {
    expect(await read('--top', '5', '--sample-values')).toMatchObject({ sampleValues: true });
  });

  test('writes, named or not', async () => {
    expect(await read('--allow-writes')).toMatchObject({ allowWrites: true });
    expect(await read('--allow-writes=shop')).toMatchObject({ allowWrites: true });
  });
});

test('functions that may be called, in one list', async () => {
  const { allowFunctions } = await read(
    '--allow-functions',
    'public.order_total, app.audit',
    '--allow-functions',
    'public.dblink',
  );
  expect(allowFunctions).toEqual(['public.order_total', 'app.audit', 'public.dblink']);
});

test.each([['order_total'], ['public.order_total,'], ['.x'], ['public.']])(
  'a name without its schema is refused: %s',
  (names) => {
    expect(() => read('--allow-functions', names)).toThrow(/needs its schema/);
  },
);

test.each([
  [
    'two ways at once',
    ['--sql', 'SELECT 1', '--top', '3'],
    /one of --sql, --file, --top and --from-code/,
  ],
  ['values for nothing', ['--param', '1'], /after the --sql/],
  ['a file that is not there', ['--file', 'none.sql'], /none\.sql cannot be read/],
  ['a device', ['--file', '/dev/zero'], /cannot be read/],
])('refuses %s with a sentence', async (_, args, sentence) => {
  await expect(read(...args)).rejects.toThrow(sentence);
});

test('tells the line of a file in which something is wrong', async () => {
  await writeFile(join(folder.path, 'broken.sql'), "SELECT 1;\nSELECT 'open");
  await expect(read('--file', 'broken.sql')).rejects.toThrow(
    'broken.sql:2: There is a string that is never closed.',
  );
});

test.each([[['--weight', '2']], [['--sql', 'SELECT 1', '--weight', 'many']], [['--top', '0']]])(
  'refuses %j at once',
  (args) => {
    expect(() => read(...args)).toThrow();
  },
);
