import { join } from 'node:path';
import process from 'node:process';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createDatabaseWatch, type DatabaseWatch } from '../support/database-watch.ts';
import { asSuperuser, createFreshDatabase, type FreshDatabase } from '../support/fresh-database.ts';
import { openTerminal, type PseudoTerminal } from '../support/pseudo-terminal.ts';

const cli = join(import.meta.dirname, '../../dist/cli.js');
const enter = '\u001B[?1049h\u001B[?25l';
const leave = '\u001B[?25h\u001B[?1049l';
const down = '\u001B[B';

let database: FreshDatabase;
let watch: DatabaseWatch;
let role: string;
const clients: pg.Client[] = [];

beforeAll(async () => {
  database = await createFreshDatabase();
  watch = await createDatabaseWatch(database);
  role = `${database.name}_weak`;
  await asSuperuser(`CREATE ROLE ${role} LOGIN PASSWORD 'weak'; GRANT pg_monitor TO ${role}`);
});

afterEach(async () => {
  // A statement that nobody cancelled would be waited for.
  await asSuperuser(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database.name}'`,
  );
  await Promise.all(clients.splice(0).map((client) => client.end()));
  expect(await watch.sessions()).toEqual([]);
});

afterAll(async () => {
  await watch.close();
  await database.drop();
  await asSuperuser(`DROP ROLE ${role}`);
});

/** An application whose end is no error of the test. */
async function application(name: string): Promise<{ client: pg.Client; pid: number }> {
  const client = new pg.Client({ connectionString: database.url, application_name: name });
  client.on('error', () => undefined);
  await client.connect();
  clients.push(client);
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return { client, pid: rows[0]?.pid ?? 0 };
}

interface Opened {
  readonly flags?: readonly string[];
  readonly url?: string;
  readonly columns?: number;
}

/** Lists the sessions of this database only, whatever else runs on the server. */
function open({ flags = [], url = database.url, columns = 120 }: Opened = {}): PseudoTerminal {
  return openTerminal([cli, 'activity', '--watch', '0.5', '--filter', database.name, ...flags], {
    env: { PATH: process.env['PATH'], DATABASE_URL: url },
    columns,
    rows: 40,
  });
}

/** What the driver says of a statement that was stopped: its SQLSTATE, or the sentence of a closed connection. */
function end(statement: Promise<unknown>): Promise<string> {
  return statement.then(
    () => 'finished',
    (error: Error & { code?: string }) => error.code ?? error.message,
  );
}

/** The program has ended by itself: first page, cursor and the terminal's echo are back. */
async function expectRestored(terminal: PseudoTerminal, code: number): Promise<void> {
  await terminal.ended;
  const output = terminal.output();
  expect(output).toContain(enter);
  expect(output.indexOf(leave)).toBeGreaterThan(output.indexOf(enter));
  const after = output.slice(output.lastIndexOf(leave) + leave.length);
  expect(after).toContain(`code ${code}`);
  expect(after).toMatch(/ icanon /);
  expect(after).toMatch(/ echo /);
}

describe('c', () => {
  test('cancels the statement of the selected session after a yes; the session stays', async () => {
    const { client, pid } = await application('reports');
    const stopped = end(client.query('SELECT pg_sleep(600)'));
    await using terminal = open();
    await terminal.shows(/ reports /);
    terminal.type(down);
    await terminal.shows(new RegExp(`^> ${pid} +active`, 'm'));
    terminal.type('c');
    await terminal.shows(
      new RegExp(
        `Cancel the statement of session ${pid} of reports\\?\\s+Process id ${pid}, user postgres, application reports,\\s+database ${database.name} [^]*State: active for [\\d.]+ m?s, [^]*Statement: SELECT pg_sleep\\(600\\)[^]*\\[y/N\\]`,
      ),
    );
    terminal.type('y');
    await terminal.shows(new RegExp(`Session ${pid} of reports: its statement has stopped\\.`));
    expect(await stopped).toBe('57014');
    expect((await client.query('SELECT 1')).rowCount).toBe(1);
    terminal.type('q');
    await expectRestored(terminal, 0);
  });

  test('is refused where nothing runs', async () => {
    const { client, pid } = await application('leaky');
    await client.query('BEGIN');
    await using terminal = open();
    await terminal.shows(/ leaky /);
    terminal.type(`${down}c`);
    await terminal.shows(new RegExp(`Session ${pid} of leaky is no longer running a statement`));
    terminal.type('q');
    await expectRestored(terminal, 0);
  });
});

describe('k', () => {
  test('terminates after a yes, and leaves the session after anything else', async () => {
    const { client, pid } = await application('leaky');
    await client.query('BEGIN');
    await using terminal = open();
    await terminal.shows(/ leaky /);
    terminal.type(down);
    await terminal.shows(new RegExp(`^> ${pid} `, 'm'));
    terminal.type('k');
    await terminal.shows(/Terminate session \d+ of leaky\?/);
    terminal.type('\r');
    await terminal.shows(/Nothing was done\./);
    expect((await client.query('SELECT 1')).rowCount).toBe(1);
    const lost = new Promise((resolve) => client.once('error', resolve));
    terminal.type('k');
    await terminal.shows(/\[y\/N\]/);
    terminal.type('y');
    await terminal.shows(new RegExp(`Session ${pid} of leaky is gone; its connection is free\\.`));
    await lost;
    terminal.type('\u0003');
    await expectRestored(terminal, 0);
  });

  test('through a connection of its own while it is paused', async () => {
    const { client, pid } = await application('leaky');
    await client.query('BEGIN');
    await using terminal = open();
    await terminal.shows(/ leaky /);
    terminal.type(`${down}p`);
    await terminal.shows(/Paused: the connection is closed\./);
    terminal.type('k');
    await terminal.shows(/\[y\/N\]/);
    terminal.type('y');
    await terminal.shows(new RegExp(`Session ${pid} of leaky is gone`));
    terminal.type('q');
    await expectRestored(terminal, 0);
  });

  test('says that the session was gone before', async () => {
    const { client, pid } = await application('leaky');
    await client.query('BEGIN');
    await using terminal = open();
    await terminal.shows(/ leaky /);
    terminal.type(`${down}k`);
    await terminal.shows(/\[y\/N\]/);
    await client.end();
    terminal.type('y');
    await terminal.shows(new RegExp(`Session ${pid} of leaky had already ended\\.`));
    terminal.type('q');
    await expectRestored(terminal, 0);
  });

  test('says which right is missing', async () => {
    const { client, pid } = await application('leaky');
    await client.query('BEGIN');
    const url = new URL(database.url);
    [url.username, url.password] = [role, 'weak'];
    await using terminal = open({ url: url.href });
    await terminal.shows(/ leaky /);
    terminal.type(`${down}k`);
    await terminal.shows(/\[y\/N\]/);
    terminal.type('y');
    await terminal.shows(
      new RegExp(
        `Session ${pid} of leaky belongs to the superuser postgres, and only a\\s+superuser can end it\\.`,
      ),
    );
    terminal.type('q');
    await expectRestored(terminal, 0);
  });

  test('leaves our own alone', async () => {
    await using terminal = open({ flags: ['--all', '--sort', 'application'] });
    await terminal.shows(/ poolguard \(this tool\) /);
    const own = /^ {2}(\d+) .* poolguard \(this tool\) /m.exec(terminal.screen())?.[1];
    terminal.type(`${down}k`);
    await terminal.shows(
      new RegExp(`Session ${own} of poolguard is Poolguard's own and cannot be ended\\.`),
    );
    terminal.type('q');
    await expectRestored(terminal, 0);
  });
});

test('hostile names and statements reach the terminal as text, in the question too', async () => {
  const { client } = await application('evil\u009B2J');
  await client.query(`BEGIN; SELECT '\u001B]0;owned\u0007\u202Ereversed'`);
  await using terminal = open();
  // The server itself writes bytes of a name that are not ASCII as escapes.
  await terminal.shows(/evil\\xc2\\x9b2J/);
  terminal.type(`${down}k`);
  await terminal.shows(/\[y\/N\]/);
  expect(terminal.screen()).toMatch(
    /Statement: BEGIN; SELECT '\\u001b\]0;owned\\u0007\\u202ereversed'/,
  );
  expect(terminal.output()).not.toMatch(/\u009B|\u001B\]|\u0007|\u202E/u);
  terminal.type('nq');
  await expectRestored(terminal, 0);
});

test('a narrow terminal has every line within its width', async () => {
  const { client } = await application('leaky');
  await client.query('BEGIN');
  await using terminal = open({ columns: 40 });
  await terminal.shows(/idle in transaction/);
  // A word cannot be broken: the address of the database.
  const lines = terminal
    .screen()
    .split('\r\n')
    .filter((line) => line.includes(' '));
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(40);
  terminal.type('q');
  await expectRestored(terminal, 0);
});

test.each([
  ['SIGTERM', 0],
  ['SIGHUP', 0],
  ['SIGINT', 0],
] as const)('%s gives the terminal back', async (signal, code) => {
  await using terminal = open();
  await terminal.shows(/Live at/);
  process.kill(terminal.pid(), signal);
  await expectRestored(terminal, code);
});

test('so does a crash', async () => {
  await using terminal = openTerminal(
    [
      process.execPath,
      '--import',
      `data:text/javascript,process.on("SIGUSR2",()=>{throw new Error("broken")})`,
      cli,
      'activity',
      '--watch',
    ],
    { env: { PATH: process.env['PATH'], DATABASE_URL: database.url }, columns: 100, rows: 30 },
  );
  await terminal.shows(/Live at/);
  process.kill(terminal.pid(), 'SIGUSR2');
  await expectRestored(terminal, 1);
  expect(terminal.output().slice(terminal.output().lastIndexOf(leave))).toContain('Error: broken');
});
