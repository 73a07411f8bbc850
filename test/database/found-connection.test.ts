import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../src/activity/clock.ts';
import { findConnections } from '../../src/connections/find-connections.ts';
import type { FoundConnection } from '../../src/connections/found-connection.ts';
import { connectSession } from '../../src/database/connect.ts';
import type { DatabaseFailure } from '../../src/database/failure-row.ts';
import { measureConnection } from '../../src/database/measure-connection.ts';
import { defaultThresholds } from '../../src/activity/thresholds.ts';
import { createActivitySource } from '../../src/database/read-activity.ts';
import { parseTarget, withTls } from '../../src/database/target.ts';
import { endThrough } from '../../src/database/end-through.ts';
import { LiveActivity } from '../../src/editor/activity/live-activity.ts';
import { asSuperuser } from '../support/fresh-database.ts';
import { createOwnedDatabase, type OwnedDatabase } from '../support/owned-database.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

let database: OwnedDatabase;
let url: URL;

beforeAll(async () => {
  database = await createOwnedDatabase();
  url = new URL(database.url);
});

afterAll(() => database[Symbol.asyncDispose]());

/** What a search finds, with the files in place. */
async function find(
  files: Readonly<Record<string, string>>,
  own: Readonly<Record<string, string>> = {},
): Promise<readonly FoundConnection[]> {
  await using folder = await createTemporaryFolder(files);
  await using home = await createTemporaryFolder(own);
  if ('.pgpass' in own) await chmod(join(home.path, '.pgpass'), 0o600);
  return (
    await findConnections([{ name: 'shop', path: folder.path }], {
      environment: {},
      home: home.path,
      platform: process.platform,
    })
  ).connections;
}

async function versionThrough(found: FoundConnection | undefined): Promise<string> {
  if (found === undefined) throw new Error('Nothing was found.');
  const answer = await connectSession(found.target, found.secret);
  if (answer.kind === 'failed') return answer.failure.sentence;
  const measured = await measureConnection(answer.session, () => performance.now());
  await answer.session.close();
  return measured.kind === 'facts' ? measured.facts.version : measured.failure.sentence;
}

test('a connection of .env is opened as it was found', async () => {
  const [found] = await find({
    '.env': `DB_URL="postgres://\${NAME}:\${PW}@localhost:${url.port}/\${NAME}"\nNAME=${url.username}\nPW='${url.password}'`,
  });
  expect(await versionThrough(found)).toMatch(/^18\./);
});

test('one of a Compose file, with the password of .pgpass', async () => {
  const compose = `services: { db: { image: "postgres:18", ports: ["${url.port}:5432"], environment: { POSTGRES_USER: ${url.username} } } }`;
  const [found] = await find(
    { 'compose.yaml': compose },
    { '.pgpass': `localhost:*:*:${url.username}:${url.password}` },
  );
  expect(await versionThrough(found)).toMatch(/^18\./);
});

test('a measured connection tells its version, a round trip, and whether a pooler stands in front', async () => {
  const parsed = parseTarget(database.url);
  if (parsed.kind === 'problem') throw new Error(parsed.sentence);
  const direct = await connectSession(parsed.target, parsed.secret);
  if (direct.kind === 'failed') throw new Error(direct.failure.sentence);
  const measured = await measureConnection(direct.session, () => performance.now());
  await direct.session.close();
  expect(measured).toEqual({
    kind: 'facts',
    facts: {
      version: expect.stringMatching(/^18\./) as string,
      roundTripMs: expect.any(Number) as number,
      isPooled: false,
    },
  });
});

test('a password that changed ends the watch: one refusal, nothing more until somebody asks', async () => {
  const parsed = parseTarget(database.url);
  if (parsed.kind === 'problem') throw new Error(parsed.sentence);
  const refusals: DatabaseFailure[] = [];
  let attempts = 0;
  const live: LiveActivity = new LiveActivity({
    createSource: ({ target, secret }) => ({
      open: (signal) => {
        attempts += 1;
        return createActivitySource(target, secret).open(signal);
      },
    }),
    endSession: endThrough,
    clock: systemClock,
    intervalSeconds: 1,
    thresholds: defaultThresholds,
    code: () => undefined,
    onChange: () => undefined,
    onError: () => undefined,
    onRefused: (_, failure) => refusals.push(failure),
  });
  live.setWatched(true);
  live.connect({ target: parsed.target, secret: parsed.secret });
  await expect.poll(() => live.connectionState()?.kind).toBe('live');
  await asSuperuser(`ALTER ROLE ${url.username} PASSWORD 'another'`);
  await asSuperuser(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${url.username}'`,
  );
  await expect.poll(() => refusals.length).toBe(1);
  expect(live.connectionState()).toMatchObject({
    kind: 'lost',
    retryInMs: null,
    sentence: expect.stringContaining('Password authentication failed') as string,
  });
  const before = attempts;
  live.setWatched(false);
  live.setWatched(true);
  expect([attempts, live.connectionState()?.kind]).toEqual([before, 'lost']);
  await asSuperuser(`ALTER ROLE ${url.username} PASSWORD '${url.password}'`);
  live.refresh();
  await expect.poll(() => live.connectionState()?.kind).toBe('live');
  await live.disconnect();
  expect(refusals.map(({ kind }) => kind)).toEqual(['wrong-password']);
});

test('a server without TLS says which choice is left, and takes it', async () => {
  const parsed = parseTarget(`${database.url}?sslmode=verify-full`);
  if (parsed.kind === 'problem') throw new Error(parsed.sentence);
  const answer = await connectSession(parsed.target, parsed.secret);
  expect(answer).toMatchObject({
    kind: 'failed',
    failure: { kind: 'tls-refused', otherTls: 'off' },
  });
  const other = withTls(parsed.target, 'off');
  expect(other).toMatchObject({ tls: 'off', tlsChosenBy: 'user' });
  const again = await connectSession(other, parsed.secret);
  if (again.kind === 'failed') throw new Error(again.failure.sentence);
  await again.session.close();
});
