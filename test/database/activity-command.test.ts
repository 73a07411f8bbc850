import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startEmbeddedServer } from '../../scripts/embedded-server.ts';
import type { ActivityReport } from '../../src/activity/snapshot.ts';
import { runInProcess, type CliSetting } from '../support/cli-run.ts';
import { createDatabaseWatch, type DatabaseWatch } from '../support/database-watch.ts';
import { asSuperuser, createFreshDatabase, type FreshDatabase } from '../support/fresh-database.ts';
import { startRelay } from '../support/relay.ts';

let database: FreshDatabase;
let watch: DatabaseWatch;
const clients: pg.Client[] = [];

beforeAll(async () => {
  database = await createFreshDatabase();
  watch = await createDatabaseWatch(database);
  await asSuperuser(`CREATE ROLE ${database.name}_app LOGIN PASSWORD 'Tr0ub4dor'`);
});

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.end()));
  expect(await watch.sessions()).toEqual([]);
});

afterAll(async () => {
  await watch.close();
  await database.drop();
  await asSuperuser(`DROP ROLE ${database.name}_app`);
});

async function application(name: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url, application_name: name });
  await client.connect();
  clients.push(client);
  return client;
}

function run(args: readonly string[], setting: CliSetting = {}) {
  return runInProcess(['activity', ...args], { env: { DATABASE_URL: database.url }, ...setting });
}

/** The printed line that starts with the session's pid. */
function lineWith(text: string, part: string): string {
  return text.split('\n').find((line) => /^\d+ /.test(line) && line.includes(part)) ?? '';
}

describe('one look', () => {
  test('prints headroom, pools and the sessions that matter', async () => {
    await (await application('orders-api')).query('SELECT 1');
    await (await application('leaky-api')).query('BEGIN; SELECT 42');
    const { code, stdout, stderr } = await run([]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /^PostgreSQL 18\.\d+, postgres@127\.0\.0\.1:\d+\/test_\w+, as a superuser\n\d+ of 97 connections used, \d+ free \(max_connections 100, 3 of them reserved\): .*\d+ idle in transaction, .*1 Poolguard’s own\n/,
    );
    expect(stdout).toMatch(/^orders-api +postgres +test_\w+ +127\.0\.0\.1 +1 +1 idle$/m);
    expect(stdout).toMatch(/^poolguard \(this tool\) /m);
    expect(lineWith(stdout, 'leaky-api')).toMatch(
      /^\d+ +idle in transaction \d+ ms +leaky-api +postgres +\d+ ms +BEGIN; SELECT 42$/,
    );
    expect(lineWith(stdout, 'orders-api')).toBe('');
  });

  test('--all lists idle sessions and its own too', async () => {
    await application('orders-api');
    const { stdout } = await run(['--all']);
    expect(lineWith(stdout, 'orders-api')).toContain('idle');
    expect(lineWith(stdout, 'poolguard (this tool)')).toContain('active');
  });

  test('names who waits for whom', async () => {
    const holder = await application('holder');
    const { rows } = await holder.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await holder.query('SELECT 1; BEGIN');
    await holder.query('SELECT pg_advisory_xact_lock(77)');
    const waiter = await application('waiter');
    const waiting = waiter.query('SELECT pg_advisory_lock(77)');
    await watch.until(`application_name = 'waiter' AND wait_event_type = 'Lock'`);
    const { stdout } = await run([]);
    expect(lineWith(stdout, 'waiter')).toMatch(
      new RegExp(`Lock: advisory +\\d+ ms +\\d+ ms +${rows[0]?.pid} +SELECT pg_advisory_lock`),
    );
    await holder.query('COMMIT');
    await waiting;
  });

  test('shows the blocking tree, and harmless', async () => {
    const holder = await application('holder\u009B2J');
    await holder.query('BEGIN; SELECT pg_advisory_xact_lock(78)');
    const waiting = ['first', 'second'].map(async (name) =>
      (await application(name)).query('SELECT pg_advisory_xact_lock(78)'),
    );
    await watch.until(
      `(SELECT count(*) FROM pg_stat_activity WHERE datname = '${database.name}' AND wait_event_type = 'Lock') = 2`,
    );
    const { stdout } = await run([], { size: { columns: 100, rows: 40 } });
    expect(stdout).toMatch(
      /^blocking\n\d+ holder.* \(idle in transaction \d+ ms\) blocks 2 sessions: BEGIN; SELECT pg_adv.*\n[├└]─ \d+ (?:first|second) waits for \d+ ms, Lock: advisory: SELECT pg_adv/mu,
    );
    expect(stdout.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
    expect(
      Math.max(
        ...(/^blocking$[^]*?\n\n/u
          .exec(stdout)?.[0]
          .split('\n')
          .map(({ length }) => length) ?? []),
      ),
    ).toBeLessThanOrEqual(100);
    await holder.query('COMMIT');
    await Promise.all(waiting);
  });

  test('--filter and --sort choose among the sessions', async () => {
    await application('b-orders');
    await application('a-orders');
    await application('billing');
    const listed = async (...args: readonly string[]) =>
      (await run(['--all', ...args])).stdout
        .split('\n')
        .flatMap((line) => /^\d+ +idle .*?((?:[ab]-orders|billing)) /.exec(line)?.[1] ?? []);
    expect(await listed('--filter', 'ORDERS', '--sort', 'application')).toEqual([
      'a-orders',
      'b-orders',
    ]);
    expect(await listed('--filter', 'bill')).toEqual(['billing']);
    expect(await listed('--filter', database.name, '--hide-idle')).toEqual([]);
    expect((await run(['--filter', 'b-orders'])).stdout).toContain(
      'No session at work or in a transaction contains "b-orders"; --all searches the idle ones too.',
    );
  });

  test('names limits of the role and database, and which binds first', async () => {
    await asSuperuser(`ALTER ROLE ${database.name}_app CONNECTION LIMIT 5`);
    const url = new URL(database.url);
    url.username = `${database.name}_app`;
    url.password = '';
    const { stdout } = await runInProcess(['activity', url.href], {
      env: { PGPASSWORD: 'Tr0ub4dor' },
    });
    await asSuperuser(`ALTER ROLE ${database.name}_app CONNECTION LIMIT -1`);
    expect(stdout).toContain(
      `\nthis role, ${database.name}_app: 1 of its own limit of 5 used, 4 free\nThis role could open 4 more; the role's own limit binds first.\n`,
    );
  });

  test('--threshold changes what needs attention', async () => {
    await (await application('leaky-api')).query('BEGIN');
    expect((await run(['--check'])).code).toBe(0);
    const strict = await run([
      '--check',
      '--threshold',
      'idleInTransactionSeconds=0',
      '--threshold',
      'usedWarningPercent=99',
    ]);
    expect(strict).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(
        /^! Session \d+ has been idle in transaction for \d+ ms/m,
      ) as string,
    });
  });

  test('hostile database text cannot reach the terminal', async () => {
    const client = await application('evil\u009B2J');
    await client.query(`BEGIN; SELECT '\u001B]0;owned\u0007\u001B[2J\r\n\u202Ereversed'`);
    const { stdout } = await run([]);
    expect(stdout).toContain('owned');
    expect(stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202E]/u);
  });

  test('colours only where they are shown', async () => {
    expect((await run([])).stdout).not.toContain('\u001B');
    expect((await run([], { isColored: true })).stdout).toContain('\u001B[1m');
  });

  test('fits a statement to the width of the terminal', async () => {
    await (await application('a')).query(`BEGIN; SELECT '${'x'.repeat(300)}'`);
    const { stdout } = await run([], { size: { columns: 130, rows: 40 } });
    const line = lineWith(stdout, ' a ');
    expect(line).toMatch(/…$/);
    expect(line.length).toBeLessThanOrEqual(130);
  });

  test('--json is the report, and nothing else', async () => {
    await application('orders-api');
    const { code, stdout } = await run(['--json']);
    const report = JSON.parse(stdout) as ActivityReport;
    expect(code).toBe(0);
    expect(Object.keys(report)).toEqual([
      'schemaVersion',
      'takenAt',
      'server',
      'headroom',
      'sessions',
    ]);
    expect(report.sessions.map(({ application: name }) => name)).toEqual(
      expect.arrayContaining(['orders-api', 'poolguard']),
    );
  });

  test('--check answers with 1 when connections run out', async () => {
    const server = await startEmbeddedServer({ maxConnections: 13, inMemory: true });
    const calm = await run(['--check', server.url()]);
    const crowd = Array.from(
      { length: 7 },
      () => new pg.Client({ connectionString: server.url() }),
    );
    await Promise.all(crowd.map((client) => client.connect()));
    const tight = await run(['--check', server.url()]);
    await Promise.all(crowd.map((client) => client.end()));
    await server.stop();
    expect(calm).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('PostgreSQL reports nothing that needs attention.') as string,
    });
    expect(tight).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(
        '! 8 of 10 usable connections are taken (80 %): 2 left.',
      ) as string,
    });
  });

  test('says how many sessions the role may not see', async () => {
    await application('secretive');
    const url = new URL(database.url);
    url.username = `${database.name}_app`;
    url.password = '';
    const { stdout } = await runInProcess(['activity', url.href], {
      env: { PGPASSWORD: 'Tr0ub4dor' },
    });
    expect(stdout).toMatch(
      new RegExp(`^\\d+ sessions are hidden from ${database.name}_app: .*GRANT pg_monitor`, 'm'),
    );
    expect(stdout).toContain('No session that this role may see is at work or in a transaction.');
    // Every connection here comes over TCP; of a hidden one the role is told no address.
    expect(stdout).not.toContain('local socket');
    expect(stdout).not.toContain('Tr0ub4dor');
  });
});

describe('what cannot run says so in one sentence, with exit code 2', () => {
  test.each([
    ['no target', ['activity'], {}, /^No database named: set DATABASE_URL/],
    [
      'an unreadable argument',
      ['activity', 'mysql://app:Tr0ub4dor@db/shop'],
      {},
      /^The connection string starts with mysql/,
    ],
    [
      'an unreadable variable',
      ['activity'],
      { DATABASE_URL: 'postgres://app:Tr0ub4dor#@db/shop' },
      /^The connection string in DATABASE_URL is not a valid URL/,
    ],
    [
      'nothing there',
      ['activity', 'postgres://app:Tr0ub4dor@127.0.0.1:1/shop'],
      {},
      /^Connection refused: nothing listens on 127\.0\.0\.1:1\./,
    ],
    [
      'an unknown option',
      ['activity', '--frobnicate'],
      {},
      /^Unknown option '--frobnicate'\. Run poolguard activity --help to see what there is\./,
    ],
    ['an unknown command', ['actvity'], {}, /^Unknown command 'actvity'\. Did you mean activity\?/],
    [
      'a connection string in place of a command',
      ['postgres://app:Tr0ub4dor@db/shop'],
      {},
      /^Unknown command/,
    ],
    [
      'an unknown column',
      ['activity', '--sort', 'mood'],
      {},
      /Allowed choices are pid, state, state-age/,
    ],
    [
      'an unknown threshold',
      ['activity', '--threshold', 'mood=3'],
      {},
      /Names are idleInTransactionSeconds, /,
    ],
    [
      'a threshold out of bounds',
      ['activity', '--threshold', 'usedWarningPercent=300'],
      {},
      /usedWarningPercent is a number between 1 and 100\./,
    ],
    [
      'an interval that is none',
      ['activity', '--watch', '5s'],
      {},
      /number of seconds between 0\.5 and 3600/,
    ],
  ])('%s', async (_name, args, env, sentence) => {
    const { code, stdout, stderr } = await runInProcess(args, { env });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(sentence);
    expect(stderr.trimEnd()).not.toContain('\n');
    expect(stderr).not.toContain('Tr0ub4dor');
  });

  test('a wrong password', async () => {
    const { code, stderr } = await run([database.url.replace(/:[^:@]+@/, ':Tr0ub4dor@')]);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^Password authentication failed for user "postgres" at 127\.0\.0\.1:\d+\. Check the user and password\.\n$/,
    );
  });
});

describe('--help and --version', () => {
  test.each([[['--help=all']], [['activity', '--help=all']]])(
    '%j teaches by example and names the exit codes',
    async (args) => {
      const { code, stdout } = await runInProcess(args);
      expect(code).toBe(0);
      expect(stdout).toMatch(
        /Examples:\n[^]*poolguard activity --watch[^]*Exit codes: 0 fine, 1 .*, 2 could not run(?:, 3 [^,]*)?(?:, 130 cancelled)?\./,
      );
    },
  );

  test('the version', async () => {
    expect(await runInProcess(['--version'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) as string,
    });
  });
});

describe('--watch', () => {
  /** Watches until the output fulfils the condition. */
  async function watchUntil(
    args: readonly string[],
    done: (output: string) => boolean,
    setting: CliSetting = {},
  ) {
    const controller = new AbortController();
    const onOutput = (output: string) => {
      if (done(output)) controller.abort();
    };
    return run(['--watch', '0.5', ...args], { signal: controller.signal, onOutput, ...setting });
  }

  test('redraws on the second page of the terminal and gives the first one back', async () => {
    const { code, stdout } = await watchUntil([], (output) => output.split('Live at').length > 2, {
      size: { columns: 100, rows: 8 },
    });
    expect(code).toBe(0);
    expect(stdout.startsWith('\u001B[?1049h\u001B[?25l\u001B[?7l\u001B[HConnecting …')).toBe(true);
    expect(stdout.endsWith('\u001B[?7h\u001B[?25h\u001B[?1049l')).toBe(true);
    const frames = stdout.split('\u001B[H').slice(1);
    expect(Math.max(...frames.map((frame) => frame.split('\n').length))).toBeLessThanOrEqual(8);
  });

  test('keys pause, sort, and end it', async () => {
    await (await application('leaky')).query('BEGIN');
    let press: (key: string) => void = () => undefined;
    let isReleased = false;
    const onKey = (listener: (key: string) => void) => {
      press = listener;
      return () => {
        isReleased = true;
      };
    };
    const steps: readonly (readonly [RegExp, string])[] = [
      [/Live at [^]*p pause/, 'p'],
      [/Paused: the connection is closed\. Last sample: \d\d:\d\d:\d\d\./, 's'],
      [/, sorted by pid ▲/, 'r'],
      [/, sorted by pid ▼/, ' '],
      [/Live at \d\d:\d\d:\d\d, again in /, 'q'],
    ];
    let seen = 0;
    let turn = 0;
    const onOutput = (output: string) => {
      const [pattern, key] = steps[turn] ?? [/never$/, ''];
      if (!pattern.test(output.slice(seen))) return;
      seen = output.length;
      turn += 1;
      queueMicrotask(() => press(key));
    };
    const { code } = await run(['--watch', '0.5'], {
      onKey,
      onOutput,
      size: { columns: 100, rows: 30 },
    });
    expect({ code, turn, isReleased }).toEqual({ code: 0, turn: 5, isReleased: true });
  });

  test('remembers peaks and curves from look to look', async () => {
    const crowd = await Promise.all([application('api'), application('api'), application('api')]);
    let left: Promise<unknown> | undefined;
    const row = /^api +postgres +test_\w+ +127\.0\.0\.1 +1 +3 +█\S*▃ +1 idle/m;
    const { stdout } = await watchUntil([], (output) => {
      if (output.includes('Live at'))
        left ??= Promise.all(crowd.slice(1).map((client) => client.end()));
      return row.test(output.slice(output.lastIndexOf('Live at')));
    });
    await left;
    expect(stdout).toMatch(/^pool +user +database +client +sessions +peak +history/m);
  });

  test('prints one report a line with --json', async () => {
    const { stdout } = await watchUntil(['--json'], (output) => output.split('\n').length > 2);
    const reports = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as ActivityReport);
    expect(reports.map(({ schemaVersion }) => schemaVersion)).toEqual([1, 1]);
  });

  test('shows a lost server, what was seen last, and its return', async () => {
    const url = new URL(database.url);
    const relay = await startRelay(Number(url.port));
    url.port = String(relay.port);
    const steps = [
      /Live at/,
      /nothing listens on .* Trying again in 1\.0 s\. Ctrl-C ends\.\nLast sample: /,
      /Live at/,
    ];
    let changing: Promise<void> = Promise.resolve();
    let seen = 0;
    const { code } = await watchUntil([url.href], (output) => {
      if (!steps[0]?.test(output.slice(seen))) return false;
      seen = output.length;
      steps.shift();
      changing = steps.length === 2 ? relay.stop() : steps.length === 1 ? relay.start() : changing;
      return steps.length === 0;
    });
    expect(code).toBe(0);
    await changing;
    await relay.stop();
  });
});
