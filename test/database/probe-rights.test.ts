import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { conductProbe } from '../../src/probe/conduct-probe.ts';
import { createRandom } from '../../src/probe/random.ts';
import {
  commonDefaults,
  workloadOf,
  type CommonRequest,
  type ProbeRequest,
} from '../../src/probe/request.ts';
import type { ProbeEvent } from '../../src/probe/result.ts';
import { accessTo } from '../support/access-to.ts';
import { createQuickTime } from '../support/quick-clock.ts';
import { asSuperuser, createFreshDatabase, type FreshDatabase } from '../support/fresh-database.ts';
import { startPgBouncer, type PgBouncer } from '../support/pgbouncer.ts';

let database: FreshDatabase;
let pooled: PgBouncer;
let superPooled: PgBouncer;

beforeAll(async () => {
  database = await createFreshDatabase();
  const { name } = database;
  for (const each of ['runner', 'middle', 'writer', 'boss', 'heir', 'set']) {
    await asSuperuser(
      `CREATE ROLE ${name}_${each} LOGIN NOINHERIT PASSWORD 'of-this-test' ${each === 'boss' ? 'SUPERUSER' : ''}`,
    );
  }
  // Two steps, neither of which inherits: SET ROLE goes all the way.
  await asSuperuser(`GRANT pg_execute_server_program TO ${name}_middle`);
  await asSuperuser(`GRANT ${name}_middle TO ${name}_runner`);
  await asSuperuser(`GRANT pg_write_server_files TO ${name}_writer`);
  await asSuperuser(`GRANT ${name}_boss TO ${name}_heir`);
  // A superuser whose sessions begin as somebody else.
  await asSuperuser(`ALTER ROLE ${name}_set SUPERUSER`);
  await asSuperuser(`ALTER ROLE ${name}_set SET role = '${name}'`);
  [pooled, superPooled] = await Promise.all([
    startPgBouncer(database.ownerUrl, 4),
    startPgBouncer(database.url, 4),
  ]);
});

afterAll(async () => {
  await Promise.all([pooled[Symbol.asyncDispose](), superPooled[Symbol.asyncDispose]()]);
  const { name } = database;
  for (const each of ['runner', 'middle', 'writer', 'heir', 'boss', 'set'])
    await asSuperuser(`DROP ROLE ${name}_${each}`);
  await database.drop();
});

function urlOf(role: string): string {
  return Object.assign(new URL(database.url), {
    username: `${database.name}_${role}`,
    password: 'of-this-test',
  }).href;
}

function common(url: string, change: Partial<CommonRequest> = {}): CommonRequest {
  return {
    ...commonDefaults,
    ...accessTo(url),
    workload: workloadOf('SELECT 1'),
    max: 4,
    dryRun: true,
    ...change,
  };
}

function conduct(request: ProbeRequest): Promise<ProbeEvent> {
  const around = {
    emit: () => undefined,
    signal: new AbortController().signal,
    enough: new AbortController().signal,
    ...createQuickTime(1),
    random: createRandom(7),
  };
  return conductProbe(request, {
    ...around,
    environment: {},
    probeId: 'tested',
    startedAt: new Date().toISOString(),
    confirm: () => Promise.resolve(true),
  });
}

const plan = (url: string, change: Partial<CommonRequest> = {}) =>
  conduct({ ...common(url, change), experiment: 'size', validate: false });

const experiments: Readonly<Record<string, (request: CommonRequest) => ProbeRequest>> = {
  size: (request) => ({ ...request, experiment: 'size', validate: false }),
  users: (request) => ({
    ...request,
    experiment: 'users',
    sizes: [2],
    thinkMs: 0,
    stages: [{ seconds: 1, users: 2 }],
  }),
  ramp: (request) => ({
    ...request,
    experiment: 'ramp',
    rates: [10],
    sizes: [2],
    waitLimitMs: 1000,
  }),
  compare: (request) => ({ ...request, experiment: 'compare', callers: [2], poolSize: 2 }),
  connect: (request) => ({
    ...request,
    experiment: 'connect',
    pooler: null,
    times: 2,
    concurrent: 2,
  }),
};

test.each(Object.entries(experiments))(
  '%s: refused as a superuser, planned as an ordinary role, which the plan shows',
  async (_, toRequest) => {
    expect(await conduct(toRequest(common(database.url, { dryRun: false })))).toMatchObject({
      kind: 'failed',
      sentence: expect.stringMatching(
        /^A probe does not run as the superuser postgres: [^]*CREATE ROLE [^]*--allow-role postgres\.$/,
      ) as string,
      refusedRole: { name: 'postgres', power: 'superuser' },
    });
    expect(await conduct(toRequest(common(database.ownerUrl)))).toMatchObject({
      kind: 'plan',
      plan: { role: { name: database.name, power: null } },
    });
  },
);

test('the SQL of the refusal makes a role that may probe that very statement', async () => {
  const admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  await admin.query(
    `CREATE SCHEMA "Sales; --"; CREATE TABLE "Sales; --"."order" AS SELECT 1 AS id; CREATE TABLE plain (id int)`,
  );
  const sql = 'SELECT * FROM "Sales; --"."order" JOIN plain USING (id)';
  const last = await plan(database.url, { workload: workloadOf(sql), dryRun: false });
  const given = last.kind === 'failed' ? (last.refusedRole?.sql ?? []) : [];
  const role = `${database.name}_made`;
  for (const statement of given)
    await admin.query(
      statement.replaceAll('poolguard', role).replace('<a password>', 'of-this-test'),
    );
  try {
    expect(
      await plan(urlOf('made'), {
        workload: workloadOf(sql),
        trustOwners: [database.name],
        dryRun: false,
        seconds: 5,
        max: 2,
      }),
    ).toMatchObject({ kind: 'result' });
    expect(
      await plan(urlOf('made'), {
        workload: workloadOf('DELETE FROM plain'),
        trustOwners: [database.name],
        allowWrites: true,
        dryRun: false,
      }),
    ).toMatchObject({
      kind: 'failed',
      sentence: expect.stringMatching(/permission denied/) as string,
    });
  } finally {
    await admin.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    await admin.end();
  }
});

describe('a role that is no superuser', () => {
  test.each([
    ['runner', 'programs', /, which may run programs on the server:/],
    ['writer', 'files', /, which may reach files of the server:/],
    ['heir', 'superuser-member', /, which may become a superuser:/],
  ])('%s is refused, since it may become one with such rights', async (role, power, sentence) => {
    expect(await plan(urlOf(role))).toMatchObject({
      kind: 'failed',
      sentence: expect.stringMatching(sentence) as string,
      refusedRole: { name: `${database.name}_${role}`, power },
    });
  });
});

test('a superuser whose sessions begin as an ordinary role is refused by the name that logged in', async () => {
  expect(await plan(urlOf('set'))).toMatchObject({
    refusedRole: { name: `${database.name}_set`, power: 'superuser' },
  });
});

describe('the consent', () => {
  test('to exactly this role lets it run, and the plan says so', async () => {
    expect(
      await plan(database.url, { allowRole: 'postgres', trustOwners: [database.name] }),
    ).toMatchObject({
      kind: 'plan',
      plan: {
        role: { name: 'postgres', power: 'superuser' },
        notes: expect.arrayContaining([
          expect.stringMatching(/^Runs as the superuser postgres, as you allowed/),
        ]) as string[],
      },
    });
    const last = await plan(database.url, {
      allowRole: 'postgres',
      trustOwners: [database.name],
      dryRun: false,
      seconds: 5,
      max: 2,
    });
    expect(last).toMatchObject({
      kind: 'result',
      result: {
        notes: expect.arrayContaining([
          expect.stringMatching(/^Runs as the superuser postgres/),
        ]) as string[],
      },
    });
  });

  test('to another role is refused', async () => {
    for (const allowRole of ['Postgres', 'superuser', '', 'postgres ']) {
      expect(await plan(database.url, { allowRole })).toMatchObject({
        kind: 'failed',
        sentence: expect.stringMatching(
          /^--allow-role does not name the role of this connection, which is the superuser postgres\./,
        ) as string,
      });
    }
    expect(await plan(database.ownerUrl, { allowRole: 'postgres' })).toMatchObject({
      kind: 'failed',
      sentence: expect.stringMatching(/Leave it out/) as string,
    });
  });
});

describe('behind PgBouncer', () => {
  test('the role of the backends counts, whoever the client says it is', async () => {
    const asAnybody = Object.assign(new URL(superPooled.url), { username: 'somebody' }).href;
    expect(await plan(asAnybody)).toMatchObject({
      kind: 'failed',
      refusedRole: { name: 'postgres', power: 'superuser' },
    });
    expect(await plan(pooled.url)).toMatchObject({
      kind: 'plan',
      plan: { role: { name: database.name, power: null } },
    });
  });

  test('a superuser who only watches the server itself is told so in the plan', async () => {
    const { target, secret } = common(database.url);
    expect(await plan(pooled.url, { server: { target, secret } })).toMatchObject({
      kind: 'plan',
      plan: {
        notes: expect.arrayContaining([
          expect.stringMatching(/^Connected as the superuser postgres; pg_monitor is enough/),
        ]) as string[],
      },
    });
  });
});
