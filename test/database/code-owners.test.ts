import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { conductProbe } from '../../src/probe/conduct-probe.ts';
import { createRandom } from '../../src/probe/random.ts';
import { sizeDefaults, workloadOf, type SizeRequest } from '../../src/probe/request.ts';
import type { ProbeEvent } from '../../src/probe/result.ts';
import { accessTo } from '../support/access-to.ts';
import { asSuperuser } from '../support/fresh-database.ts';
import { createOwnedDatabase, type OwnedDatabase } from '../support/owned-database.ts';
import { startPgBouncer } from '../support/pgbouncer.ts';
import { postgresUrl } from '../support/postgres-url.ts';
import { createQuickTime } from '../support/quick-clock.ts';
import { runOn } from '../support/run-on.ts';

let database: OwnedDatabase;
let owner: string;
let reader: string;
let readerUrl: string;

const tables = `
  CREATE TABLE orders (id serial PRIMARY KEY, note text);
  CREATE VIEW order_list AS SELECT * FROM orders;
  CREATE FUNCTION one() RETURNS int LANGUAGE sql AS 'SELECT 1';
  CREATE FUNCTION two() RETURNS int LANGUAGE sql AS 'SELECT 2';
  CREATE TYPE mood AS ENUM ('good');
  GRANT SELECT ON orders, order_list TO PUBLIC;
  SELECT lo_create(0)`;

beforeAll(async () => {
  database = await createOwnedDatabase({ tables });
  owner = new URL(database.url).username;
  reader = `reader_${randomBytes(4).toString('hex')}`;
  await asSuperuser(`CREATE ROLE ${reader} LOGIN PASSWORD 'of-this-test'`);
  readerUrl = urlAs(reader);
});

afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await asSuperuser(`DROP ROLE ${reader}`);
});

function urlAs(role: string, url = database.url): string {
  return Object.assign(new URL(url), { username: role, password: 'of-this-test' }).href;
}

function inDatabase(...statements: readonly string[]): Promise<void> {
  const url = new URL(postgresUrl());
  url.pathname = new URL(database.url).pathname;
  return runOn(url.href, ...statements);
}

/** A role for as long as it is used; what it owns goes with it. */
async function createRole(
  name: string,
  login = 'LOGIN',
): Promise<AsyncDisposable & { readonly name: string }> {
  const full = `${name}_${randomBytes(4).toString('hex')}`;
  await asSuperuser(`CREATE ROLE ${full} ${login} PASSWORD 'of-this-test'`);
  return {
    name: full,
    [Symbol.asyncDispose]: () => inDatabase(`DROP OWNED BY ${full}`, `DROP ROLE ${full}`),
  };
}

interface Asked extends Partial<SizeRequest> {
  readonly confirm?: () => Promise<boolean>;
}

function plan(
  url: string,
  { confirm = () => Promise.resolve(true), ...change }: Asked = {},
): Promise<ProbeEvent> {
  return conductProbe(
    {
      ...sizeDefaults,
      ...accessTo(url),
      workload: workloadOf('SELECT * FROM order_list'),
      max: 2,
      validate: false,
      dryRun: true,
      ...change,
    },
    {
      ...createQuickTime(1),
      emit: () => undefined,
      signal: new AbortController().signal,
      enough: new AbortController().signal,
      random: createRandom(7),
      environment: {},
      probeId: 'tested',
      startedAt: new Date().toISOString(),
      confirm,
    },
  );
}

function refusalOf(...names: readonly string[]) {
  return {
    kind: 'failed',
    refusedOwners: names.map((name) => ({ name })),
    sentence: expect.stringContaining(`--trust-owner ${names[0] ?? ''}`) as string,
  };
}

describe('nobody is asked about', () => {
  test('a database of one’s own', async () => {
    const planned = await plan(database.url);
    expect(planned.kind).toBe('plan');
    expect(JSON.stringify(planned)).not.toContain('may run code');
  });

  test('what superusers own', async () => {
    const superuserUrl = postgresUrl();
    expect(
      await plan(superuserUrl, {
        workload: workloadOf('SELECT 1'),
        allowRole: new URL(superuserUrl).username,
      }),
    ).toMatchObject({ kind: 'plan' });
  });

  test('a role that has default privileges and a user mapping', async () => {
    await using other = await createRole('other');
    await inDatabase(
      `ALTER DEFAULT PRIVILEGES FOR ROLE ${other.name} GRANT SELECT ON TABLES TO ${reader}`,
      'CREATE FOREIGN DATA WRAPPER nothing',
      'CREATE SERVER nowhere FOREIGN DATA WRAPPER nothing',
      `CREATE USER MAPPING FOR ${other.name} SERVER nowhere`,
    );
    try {
      expect(await plan(database.url)).toMatchObject({ kind: 'plan' });
    } finally {
      await inDatabase('DROP FOREIGN DATA WRAPPER nothing CASCADE');
    }
  });

  test('the stand-in, which calls nothing of the database', async () => {
    expect(await plan(readerUrl, { workload: { kind: 'stand-in' } })).toMatchObject({
      kind: 'plan',
    });
  });
});

test('a role that reads the database of an application is asked for its owner, once, with what it owns', async () => {
  const refused = await plan(readerUrl);
  expect(refused).toMatchObject(refusalOf(owner));
  expect(refused).toMatchObject({
    sentence: `Statements may run code that ${owner} owns (the database, 2 functions, 1 view, 1 table, 1 type, 1 other object), with the privileges of your role. Trust this owner? Then add --trust-owner ${owner}.`,
  });
  expect(await plan(readerUrl, { trustOwners: [owner.toUpperCase()] })).toMatchObject(
    refusalOf(owner),
  );
  expect(await plan(readerUrl, { trustOwners: [owner] })).toMatchObject({
    kind: 'plan',
    plan: {
      notes: expect.arrayContaining([
        `Statements may run code of owners whom you trust: ${owner} (the database, 2 functions, 1 view, 1 table, 1 type, 1 other object).`,
      ]) as string[],
    },
  });
});

test('roles of which the connecting role is a member are not trusted for that', async () => {
  await asSuperuser(`GRANT ${owner} TO ${reader}`);
  try {
    expect(await plan(readerUrl)).toMatchObject(refusalOf(owner));
  } finally {
    await asSuperuser(`REVOKE ${owner} FROM ${reader}`);
  }
});

test('a session that begins as the owner is still that of the role that logged in', async () => {
  await asSuperuser(`GRANT ${owner} TO ${reader}`);
  await asSuperuser(`ALTER ROLE ${reader} SET role = '${owner}'`);
  try {
    expect(await plan(readerUrl)).toMatchObject(refusalOf(owner));
  } finally {
    await asSuperuser(`ALTER ROLE ${reader} RESET role`);
    await asSuperuser(`REVOKE ${owner} FROM ${reader}`);
  }
});

describe('who may add code counts as who has', () => {
  test.each([
    ['CREATE on a schema', (name: string) => `GRANT CREATE ON SCHEMA public TO ${name}`],
    [
      'CREATE on the database, where a schema may be named like the role that connects',
      (name: string) => `GRANT CREATE ON DATABASE ${owner} TO ${name}`,
    ],
    [
      'a function',
      (name: string) =>
        `CREATE FUNCTION planted() RETURNS int LANGUAGE sql AS 'SELECT 1'; ALTER FUNCTION planted() OWNER TO ${name}`,
    ],
    [
      'an operator class',
      (name: string) =>
        `CREATE OPERATOR FAMILY planted USING btree; ALTER OPERATOR FAMILY planted USING btree OWNER TO ${name}`,
    ],
    [
      'a trusted extension',
      (name: string) =>
        `GRANT CREATE ON DATABASE ${owner} TO ${name}; SET ROLE ${name}; CREATE SCHEMA ${name}; CREATE EXTENSION hstore SCHEMA ${name}; RESET ROLE; REVOKE CREATE ON DATABASE ${owner} FROM ${name}`,
    ],
  ])('%s', async (_, grant) => {
    await using mallory = await createRole('mallory');
    await inDatabase(grant(mallory.name));
    expect(await plan(database.url)).toMatchObject(refusalOf(mallory.name));
    expect(await plan(database.url, { trustOwners: [mallory.name] })).toMatchObject({
      kind: 'plan',
    });
  });

  test('a role of PostgreSQL’s own, of which no record of owners tells', async () => {
    await inDatabase(
      'GRANT CREATE ON SCHEMA public TO pg_monitor',
      "CREATE FUNCTION given() RETURNS int LANGUAGE sql AS 'SELECT 1'",
      'ALTER FUNCTION given() OWNER TO pg_monitor',
      'REVOKE CREATE ON SCHEMA public FROM pg_monitor',
    );
    try {
      const refused = await plan(database.url);
      expect(refused).toMatchObject(refusalOf('pg_monitor'));
      expect(refused).toMatchObject({ refusedOwners: [{ owns: '1 function' }] });
    } finally {
      await inDatabase('DROP FUNCTION given()');
    }
  });

  test('TRIGGER on a table, where statements may write', async () => {
    await using mallory = await createRole('mallory');
    await inDatabase(`GRANT TRIGGER ON orders TO ${mallory.name}`);
    expect(await plan(database.url)).toMatchObject({ kind: 'plan' });
    const refused = await plan(database.url, { allowWrites: true });
    expect(refused).toMatchObject(refusalOf(mallory.name));
    expect(refused).toMatchObject({ refusedOwners: [{ owns: 'may create objects' }] });
  });

  test('a group that has the right, whoever is in it', async () => {
    await using group = await createRole('team', 'NOLOGIN');
    await inDatabase(`GRANT CREATE ON SCHEMA public TO ${group.name}`);
    expect(await plan(database.url)).toMatchObject(refusalOf(group.name));
  });

  test('everybody who can log in and connect, where PUBLIC has the right', async () => {
    await using group = await createRole('group', 'NOLOGIN');
    await inDatabase('GRANT CREATE ON SCHEMA public TO PUBLIC');
    try {
      const refused = await plan(database.url);
      const names = refused.kind === 'failed' ? refused.refusedOwners?.map(({ name }) => name) : [];
      expect(names).toContain(reader);
      expect(names).not.toContain(group.name);
      expect(refused).toMatchObject({
        sentence: expect.stringContaining('REVOKE CREATE ON SCHEMA … FROM PUBLIC') as string,
      });
    } finally {
      await inDatabase('REVOKE CREATE ON SCHEMA public FROM PUBLIC');
    }
  });
});

test('an owner who comes while the plan is looked at is asked for before anything is measured', async () => {
  await using mallory = await createRole('mallory');
  const ended = await plan(database.url, {
    dryRun: false,
    confirm: async () => {
      await inDatabase(`GRANT CREATE ON SCHEMA public TO ${mallory.name}`);
      return true;
    },
  });
  expect(ended).toMatchObject(refusalOf(mallory.name));
});

describe('a foreign server', () => {
  const far = async (): Promise<AsyncDisposable> => {
    await inDatabase(
      'CREATE FOREIGN DATA WRAPPER nothing',
      'CREATE SERVER far FOREIGN DATA WRAPPER nothing',
      'CREATE FOREIGN TABLE far_orders (id int) SERVER far',
    );
    return {
      [Symbol.asyncDispose]: () => inDatabase('DROP FOREIGN DATA WRAPPER nothing CASCADE'),
    };
  };

  test('with tables here runs code of owners elsewhere, and is trusted by its name', async () => {
    await using _ = await far();
    expect(await plan(database.url)).toMatchObject({
      refusedOwners: [{ name: 'server:far', owns: '1 foreign table' }],
      sentence: expect.stringContaining('--trust-owner server:far') as string,
    });
    const trusted = await plan(database.url, { trustOwners: ['server:far'] });
    expect(JSON.stringify(trusted)).toContain(
      'Statements may run code of owners whom you trust: server:far (1 foreign table).',
    );
  });

  test('is no role, whatever that is called', async () => {
    await using _ = await far();
    const name = 'server:far';
    await asSuperuser(`CREATE ROLE "${name}"`);
    await inDatabase(`GRANT CREATE ON SCHEMA public TO "${name}"`);
    try {
      expect(await plan(database.url, { trustOwners: [name] })).toMatchObject(
        refusalOf(`role:${name}`),
      );
    } finally {
      await inDatabase(`DROP OWNED BY "${name}"`);
      await asSuperuser(`DROP ROLE "${name}"`);
    }
  });
});

test('a name that a shell would take apart is quoted, and hides nothing', async () => {
  const name = `it's a; \u202e role ${randomBytes(4).toString('hex')}`;
  const quoted = `"${name}"`;
  await asSuperuser(`CREATE ROLE ${quoted}`);
  await inDatabase(`GRANT CREATE ON SCHEMA public TO ${quoted}`);
  try {
    expect(await plan(database.url)).toMatchObject({
      refusedOwners: [{ name, owns: 'may create objects' }],
      sentence: expect.stringMatching(
        /--trust-owner 'it'\\''s a; \\u202e role \w{8}'\.$/,
      ) as string,
    });
  } finally {
    await inDatabase(`DROP OWNED BY ${quoted}`);
    await asSuperuser(`DROP ROLE ${quoted}`);
  }
});

test.each(['session', 'transaction', 'statement'])(
  'through a PgBouncer in %s mode',
  async (mode) => {
    await using bouncer = await startPgBouncer(readerUrl, 8, { settings: { pool_mode: mode } });
    expect(await plan(bouncer.url)).toMatchObject(refusalOf(owner));
    expect(await plan(bouncer.url, { trustOwners: [owner] })).toMatchObject({ kind: 'plan' });
  },
);
