import { expect, test } from 'vitest';
import { everyCommand } from '../../../src/cli/every-command.ts';
import { runInProcess } from '../../support/cli-run.ts';

/** Nothing listens there. */
const nowhere = 'postgres://app@127.0.0.1:1/shop';

/** What a command line of ours becomes: the arguments of its command, and its options. */
async function read(...line: readonly string[]): Promise<readonly unknown[]> {
  const calls: unknown[] = [];
  const { stderr } = await runInProcess(line, {
    commands: everyCommand.map((add) => (program, io) => {
      add(program, io);
      for (const command of program.commands)
        command.action(() => void calls.push(...command.args, command.opts()));
    }),
  });
  return stderr === '' ? calls : [stderr];
}

test.each<[readonly string[], unknown]>([
  [[], true],
  [['5'], 5],
  [['0.5'], 0.5],
])('--watch takes a number: %j', async (words, watch) => {
  for (const command of ['activity', 'pooler'])
    expect(await read(command, nowhere, '--watch', ...words)).toEqual([
      nowhere,
      expect.objectContaining({ watch }),
    ]);
});

test.each([
  [['--watch', nowhere]],
  [['--watch', nowhere, '--json']],
  [['--json', '--watch', nowhere]],
])('--watch leaves a connection string to the command: %j', async (words) => {
  for (const command of ['activity', 'pooler'])
    expect(await read(command, ...words)).toEqual([
      nowhere,
      expect.objectContaining({ watch: true }),
    ]);
});

test('--watch leaves the name of a database to the command', async () => {
  expect(await read('activity', '--watch', 'shop')).toEqual([
    'shop',
    expect.objectContaining({ watch: true }),
  ]);
});

test('--watch says which numbers it takes', async () => {
  for (const wrong of ['5s', '0', '3601'])
    expect(await read('activity', '--watch', wrong, nowhere)).toEqual([
      expect.stringMatching(/number of seconds between 0\.5 and 3600/),
    ]);
});

test('--allow-writes takes the name of a database, and leaves a connection string to the command', async () => {
  expect(await read('probe', '--allow-writes', nowhere)).toEqual([
    nowhere,
    expect.objectContaining({ allowWrites: true }),
  ]);
  expect(await read('probe', '--allow-writes', 'shop', nowhere)).toEqual([
    nowhere,
    expect.objectContaining({ allowWrites: 'shop' }),
  ]);
});

test('two connection strings are one too many', async () => {
  expect(await read('activity', '--watch', nowhere, nowhere)).toEqual([
    expect.stringMatching(/too many arguments/i),
  ]);
});

test('what stands after -- is an argument', async () => {
  expect(await read('activity', '--watch', '--', 'shop')).toEqual([
    'shop',
    expect.objectContaining({ watch: true }),
  ]);
});
