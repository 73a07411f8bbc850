import type { Command } from 'commander';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commandList } from '../../../src/cli/command-list.ts';
import { everyCommand } from '../../../src/cli/every-command.ts';
import { runCli } from '../../../src/cli/main.ts';
import { overview } from '../../../src/cli/overview.ts';
import { runInProcess } from '../../support/cli-run.ts';
import { widthOf } from '../../../src/text/terminal-width.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';

/** Nothing listens there. */
const nowhere = 'postgres://app@127.0.0.1:1/shop';

/** Command lines of each command, by its name, that between them reach all that it does with its options. FILE is a result, CODE a source file. */
const commandLines: Readonly<Record<string, readonly string[]>> = {
  lint: ['CODE'],
  activity: [nowhere],
  pooler: [nowhere],
  probe: [`${nowhere} --yes`, '--export k6 --output-dir nowhere'],
  'probe sweep': [`${nowhere} --yes`, '--export k6 --output-dir nowhere'],
  'probe ramp': [`${nowhere} --yes`, '--export k6 --output-dir nowhere'],
  'probe compare': [`${nowhere} --yes`],
  'probe connect': [`${nowhere} --yes`],
  'probe spike': ['--rate 5 --hold 5', `${nowhere} --rate 5 --sql SELECT --yes`],
  'probe advise': [nowhere, ''],
  sweep: [
    '--start true --url http://localhost:1/ --dry-run',
    '--start true --url http://localhost:1/',
    '--export k6 --output-dir nowhere',
  ],
  report: ['FILE'],
};

/** `--no-color` is read where the process begins, before there are commands; `--weight` becomes part of the `--sql` before it. */
const readElsewhere = new Set(['color', 'weight']);

/**
 * Hands each command its options as an object that tells which are read. Copying them all is no reading: whoever spreads them
 * makes this test fail, since what becomes of the copy cannot be seen.
 */
function watchOptions(program: Command, onRead: (name: string) => void): void {
  for (const command of everyCommandOf(program)) {
    const options = command.opts.bind(command);
    command.opts = <T extends object>() => {
      let copied = new Set<string | symbol>();
      return new Proxy(options<T>(), {
        ownKeys: (target) => {
          copied = new Set(Reflect.ownKeys(target));
          return [...copied];
        },
        get: (target, name) => {
          if (!copied.delete(name)) onRead(String(name));
          return Reflect.get(target, name) as unknown;
        },
      });
    };
  }
}

function everyCommandOf(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(everyCommandOf)];
}

async function programOf(io: Parameters<typeof runCli>[1]): Promise<Command> {
  let found: Command | undefined;
  await runCli(['--version'], io, [...everyCommand, (program) => (found = program)]);
  if (found === undefined) throw new Error('There is no program.');
  return found;
}

const silent = (cwd: string): Parameters<typeof runCli>[1] => ({
  cwd,
  env: { HOME: '/nowhere', USER: 'me' },
  stdout: { write: () => undefined },
  stderr: { write: () => undefined },
  isColored: false,
  now: () => performance.now(),
  signal: AbortSignal.timeout(60_000),
  setExitCode: () => undefined,
});

const program = await programOf(silent('/'));
const names = program.commands
  .flatMap((command) => [
    command.name(),
    ...command.commands.map((below) => `${command.name()} ${below.name()}`),
  ])
  .filter((name) => !/\bhelp$|^lsp$/.test(name));

test('every command is tried here', () => {
  expect(Object.keys(commandLines).sort()).toEqual([...names].sort());
});

test('no option is one that Node 20 takes for itself wherever it stands, with all that the file says', () => {
  const options = program.commands
    .flatMap((command) => [command, ...command.commands])
    .flatMap(({ options: all }) => all.map(({ long }) => long ?? ''));
  expect(options.length).toBeGreaterThan(30);
  expect(options.filter((long) => long.startsWith('--env-'))).toEqual([]);
});

test.each(Object.keys(commandList).filter((name) => name !== 'lsp'))(
  'poolguard %s prints JSON for programs',
  async (name) => {
    const { stdout } = await runInProcess([name, '--help=all']);
    expect(stdout).toMatch(/^ {2}--json /mu);
  },
);

describe.each(names)('poolguard %s --help', (name) => {
  test('fits a screen, with examples, and names the whole help', async () => {
    const { code, stdout } = await runInProcess([...name.split(' '), '--help']);
    const lines = stdout.trimEnd().split('\n');
    expect(code).toBe(0);
    expect(lines.length).toBeLessThanOrEqual(24);
    expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(80);
    expect(
      lines.filter((line) => line.startsWith(`  poolguard ${name}`)).length,
    ).toBeGreaterThanOrEqual(2);
    expect(lines.at(-1)).toBe(`All options and what they do: poolguard ${name} --help=all`);
    // Loads over HTTP, and reads what k6 writes.
    if (!['sweep', 'report'].includes(name)) expect(stdout).not.toContain('k6');
  });

  test('=all has examples, before everything that explains', async () => {
    const { code, stdout } = await runInProcess([...name.split(' '), '--help=all']);
    const examples =
      /display help for command\n(?:\nCommands:\n(?: {2}.+\n)+)?\nExamples:\n((?: {2}.+\n)+)/.exec(
        stdout,
      )?.[1] ?? '';
    expect(code).toBe(0);
    expect(
      examples.split('\n').filter((line) => line.includes(`poolguard ${name}`)).length,
    ).toBeGreaterThanOrEqual(2);
  });

  test('lists what the command reads, and nothing else', async () => {
    await using folder = await createTemporaryFolder({ 'a.js': 'export {};' });
    const io = silent(folder.path);
    await runCli(
      [
        'probe',
        'spike',
        '--rate',
        '5',
        '--hold',
        '5',
        '--output',
        join(folder.path, 'result.json'),
      ],
      io,
      everyCommand,
    );
    const read = new Set<string>();
    for (const line of commandLines[name] ?? []) {
      const args = line
        .replace('CODE', 'a.js')
        .replace('FILE', join(folder.path, 'result.json'))
        .replace('SELECT', 'SELECT 1')
        .split(/ (?!1$|1 )/);
      await runCli([...name.split(' '), ...args.filter((arg) => arg !== '')], io, [
        ...everyCommand,
        (program) => watchOptions(program, (option) => read.add(option)),
      ]);
    }
    const command = name
      .split(' ')
      .reduce(
        (found, word) => found.commands.find((each) => each.name() === word) ?? found,
        program,
      );
    const listed = command.options
      .map((option) => option.attributeName())
      .filter((option) => !readElsewhere.has(option));
    expect(listed.filter((option) => !read.has(option))).toEqual([]);
  });
});

test('the whole help breaks its sentences where a terminal is narrow', async () => {
  const size = { columns: 60, rows: 24 };
  const { stdout } = await runInProcess(['probe', '--help=all'], { size });
  const wide = stdout
    .split('\n')
    .filter((line) => widthOf(line) > 60 && / \S+ \S/.test(line.trim()));
  expect(wide).toEqual([]);
});

test('the help of the program fits a screen too', async () => {
  const { stdout } = await runInProcess(['--help']);
  const lines = stdout.trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(24);
  expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(80);
});

test.each([
  ['lnt', '--help'],
  ['lnt', '-h'],
])(
  'help about a command that there is not names the one that was meant: %s %s',
  async (...args) => {
    const { code, stdout, stderr } = await runInProcess(args);
    expect([code, stdout, stderr]).toEqual([
      2,
      '',
      "Unknown command 'lnt'. Did you mean lint? Run poolguard --help to see what there is.\n",
    ]);
  },
);

test('the overview has each command as its own code has it', async () => {
  const whole = await runInProcess(['--help'], { commands: everyCommand });
  expect(await runInProcess(['--help'], { commands: overview })).toEqual(whole);
  expect(whole.stdout).toMatch(/^ {2}lint {2,}find connection-pool bugs/mu);
});
