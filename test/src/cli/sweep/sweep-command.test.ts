import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runInProcess } from '../../../support/cli-run.ts';
import { createTemporaryFolder } from '../../../support/temporary-folder.ts';

const root = join(import.meta.dirname, '../../../..');
// Nothing listens on port 1, which only the superuser may open.
const usual = ['sweep', '--start', 'npm run dev', '--url', 'http://localhost:1/users'];

test('a dry run says what would be done and starts nothing', async () => {
  const { code, stdout, stderr } = await runInProcess([
    ...usual,
    '--sizes',
    '20,10,20',
    '--users',
    '50',
    '--seconds',
    '10',
    '--dry-run',
  ]);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain(
    'Application: npm run dev\nRequest: GET http://localhost:1/users\nPool sizes: 10, 20\n- Start the application with POOL_MAX=10, then 20, in random order, twice\n- Send requests of up to 50 users with undici for 10 s each time',
  );
});

test.each([
  [[], '.env'],
  [['--cwd', 'api'], 'api/.env'],
] as const)(
  'a database that the .env of the application names is told of in the plan, and not used (%j)',
  async (args, file) => {
    await using folder = await createTemporaryFolder({
      '.env': 'DATABASE_URL=postgres://app:Tr0ub4dor@localhost:1/shop\n',
      'api/.env': 'DATABASE_URL=postgres://app:Tr0ub4dor@localhost:1/orders\n',
    });
    const { code, stdout } = await runInProcess([...usual, ...args, '--dry-run'], {
      cwd: folder.path,
    });
    expect(code).toBe(0);
    expect(stdout).toContain('Note: The server was not monitored. To see its sessions and limits');
    expect(stdout).toContain(`To use it: --database-from ${file}\n`);
    expect(stdout).not.toContain('Tr0ub4dor');
  },
);

test('secrets of the request and the command are not shown', async () => {
  const { stdout, stderr } = await runInProcess([
    'sweep',
    '--start',
    'DB=postgres://app:Tr0ub4dor@db/shop npm start',
    '--url',
    'http://me:Tr0ub4dor@localhost:1/users?token=Tr0ub4dor&page=2',
    '--header',
    'x-key: Tr0ub4dor',
    '--body',
    'Tr0ub4dor',
    '--dry-run',
    '--json',
  ]);
  const plan = JSON.parse(stdout) as { readonly url: string; readonly method: string };
  expect([plan.method, plan.url]).toEqual([
    'POST',
    'http://me:[hidden]@localhost:1/users?token=[hidden]&page=2',
  ]);
  expect(stdout + stderr).not.toContain('Tr0ub4dor');
});

test.each<readonly [readonly string[], string]>([
  [['sweep', '--url', 'http://localhost:1/'], '--start is needed'],
  [['sweep', '--start', 'npm start'], '--url is needed'],
  [[...usual, '--sizes', '10,lots'], '"lots" is none'],
  [[...usual, '--sizes', '0'], 'whole numbers from 1 to 1000'],
  [[...usual, '--sizes', ''], 'such as 5,10,20: one is missing.'],
  [[...usual, '--cwd', '/nonexist', '--dry-run'], '--cwd: there is no folder /nonexist.'],
  [
    [...usual, '--live', '--env', 'FOO', '--dry-run'],
    "'--env <variable>' cannot be used with option '--live'",
  ],
  [usual, 'Request: GET http://localhost:1/users\nPool sizes:'],
  [[...usual, '--env', 'POOL MAX'], '--env names a variable'],
  [[...usual, '--header', 'Tr0ub4dor'], "--header is written like 'Name: value'"],
  [[...usual, '--body', '@missing.json'], '--body: missing.json cannot be read'],
  [[...usual, '--method', 'BREW'], 'It must be one of GET'],
  [[...usual, '--stages', '10s:0', '--yes'], 'The stages have no users'],
  [
    ['sweep', '--start', 'npm start', '--url', 'localhost', '--yes'],
    'The URL must start with http:// or https://',
  ],
  [
    [...usual, '--ready-url', 'http://192.0.2.1/', '--yes'],
    '--ready-url: 192.0.2.1 is another machine.',
  ],
  [usual, 'This terminal is not interactive'],
])('%j answers 2 and one sentence', async (args, sentence) => {
  const { code, stdout, stderr } = await runInProcess(args);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(sentence);
  expect(stderr).not.toContain('Tr0ub4dor');
});

test('a database that looks like production is not loaded', async () => {
  const { code, stderr } = await runInProcess([
    ...usual,
    '--database',
    'postgres://app@db.example.com/shop',
    '--yes',
  ]);
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('db.example.com is neither this machine nor in a private network.'),
  ]);
});

test('every option that the page names is one of the command', async () => {
  const { stdout: help } = await runInProcess(['sweep', '--help=all']);
  const page = await readFile(join(root, 'docs/sweep.md'), 'utf8');
  const named = new Set(page.match(/--[a-z][a-z0-9-]+/g));
  expect(named.size).toBeGreaterThan(12);
  expect([...named].filter((option) => !help.includes(option))).toEqual([]);
});
