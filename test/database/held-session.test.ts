import { spawn, type ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { emptyActivity, nextActivity } from '../../src/activity/activity-model.ts';
import { sessionKey } from '../../src/activity/snapshot.ts';
import { defaultThresholds } from '../../src/activity/thresholds.ts';
import { evidenceOf } from '../../src/running/evidence.ts';
import { findHolder } from '../../src/running/find-holder.ts';
import { listen, type Listener } from '../../src/running/listener.ts';
import type { RunningApps } from '../../src/running/running-app.ts';
import { nextRunningApps, type RunningEvent } from '../../src/running/running-apps.ts';
import { lookOnce, sessionOf } from '../support/activity-watch.ts';
import { createFreshDatabase, type FreshDatabase } from '../support/fresh-database.ts';
import { shippedServer, startTestClient } from '../support/language-client.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts';

const root = join(import.meta.dirname, '../..');

const app = `import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, application_name: 'leaky-api' });
pool.on('error', console.error);

async function load(id) {
  const client = await pool.connect();
  await client.query('BEGIN');
  await client.query('SELECT $1::int AS id', [id]);
}

await load(1);
setInterval(() => {}, 1000);
`;
const acquireLine = 7;

let database: FreshDatabase;
let folder: TemporaryFolder;
let listener: Listener;
let running: ChildProcess;
let apps: RunningApps = [];
beforeAll(async () => {
  database = await createFreshDatabase();
  folder = await createTemporaryFolder({
    'app.js': app,
    'package.json': '{ "type": "module", "dependencies": { "pg": "^8" } }',
  });
  await symlink(join(root, 'node_modules'), join(folder.path, 'node_modules'));
  const heard = new EventEmitter();
  const isHeld = once(heard, 'held', { signal: AbortSignal.timeout(20_000) });
  const hear = (key: string, event: RunningEvent): void => {
    apps = nextRunningApps(apps, key, event, Date.now());
    heard.emit(event.kind);
  };
  listener = await listen({
    registerPath: join(root, 'dist/pool-watch.cjs'),
    onReport: hear,
    onGone: (key) => {
      hear(key, { kind: 'gone' });
    },
  });
  const environment = { ...process.env, DATABASE_URL: database.url, POOLGUARD_HELD_MS: '300' };
  running = spawn(process.execPath, ['app.js'], {
    cwd: folder.path,
    env: { ...environment, ...listener.variables(environment) },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  await isHeld;
}, 30_000);
afterAll(async () => {
  const ended = once(running, 'exit');
  if (running.kill('SIGKILL')) await ended;
  await listener[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
  await database.drop();
});

test('the client that an application holds is the session that the server shows', async () => {
  const report = await lookOnce(database.url);
  const session = sessionOf(report, 'leaky-api');
  const [held] = heldOf(apps);
  expect({ pid: held?.backendPid, port: held?.clientPort }).toEqual({
    pid: session.pid,
    port: session.clientPort,
  });
  expect(session.state).toBe('idle in transaction');
  expect(findHolder(apps, session, report.server)).toMatchObject({
    app: { pid: running.pid },
    held: { backendPid: session.pid },
  });
  const others = report.sessions.filter(({ pid }) => pid !== session.pid);
  expect(others.map((each) => findHolder(apps, each, report.server))).toEqual(
    others.map(() => null),
  );
});

test('the sidebar says who holds it, where the client was acquired, and for how long', async () => {
  const report = await lookOnce(database.url);
  const model = nextActivity(emptyActivity, report, {
    holderOf(session, server) {
      const found = findHolder(apps, session, server);
      const [place] = found?.held.acquiredAt ?? [];
      return (
        found && {
          app: found.pool.pool.name,
          pid: found.app.pid,
          forMs: 42_000,
          place: place === undefined ? null : { label: `app.js:${place.line}`, key: 'k' },
        }
      );
    },
    thresholds: { ...defaultThresholds, idleInTransactionMs: 0 },
  });
  const session = sessionOf(report, 'leaky-api');
  expect(model.holders[sessionKey(session)]).toEqual({
    app: 'leaky-api',
    pid: running.pid,
    forMs: 42_000,
    place: { label: `app.js:${acquireLine}`, key: 'k' },
  });
  expect(model.concerns.map(({ sentence }) => sentence)).toContainEqual(
    expect.stringMatching(
      new RegExp(
        `Session ${session.pid} has been idle in transaction.* Held by leaky-api \\(pid ${running.pid}\\), acquired at app\\.js:${acquireLine}\\.$`,
        'u',
      ),
    ),
  );
});

test('the finding of the line says that it was seen', async () => {
  await using client = await startTestClient(shippedServer, folder.path);
  const uri = pathToFileURL(join(folder.path, 'app.js')).href;
  await client.open(uri, app, 'javascript');
  await client.connection.sendNotification(
    'poolguard/evidence',
    evidenceOf(apps, (heldOf(apps)[0]?.since ?? 0) + 42_000),
  );
  const found = (await client.diagnostics(uri)).filter(
    ({ range }) => range.start.line === acquireLine - 1,
  );
  expect(found).toMatchObject([
    {
      code: 'poolguard/no-unreleased-client',
      message: expect.stringMatching(
        new RegExp(
          ` Seen at run time: checked out for more than 30 s in app\\.js \\(pid ${running.pid}\\)\\.$`,
          'u',
        ),
      ) as unknown,
    },
  ]);
});

function heldOf(all: RunningApps) {
  return all.flatMap(({ pools }) => pools).flatMap(({ held }) => held);
}
