import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lookOnce } from '../support/activity-watch.ts';
import { startExample, type ExampleApp } from '../../scripts/start/example-app.ts';
import type { ActivityReport } from '../../src/activity/snapshot.ts';
import { linkCode, type CodeFacts, type LinkedCode } from '../../src/linking/linked-code.ts';
import { createFreshDatabase, type FreshDatabase } from '../support/fresh-database.ts';
import { shippedServer, startTestClient } from '../support/language-client.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts';

const root = join(import.meta.dirname, '../..');

/** Each function leaves its client in a transaction, under an application name of its own; the comments say which line it is. */
const app = `import pg from 'pg';
import { BY_NAME } from './sql.js';

const columns = 'id, name';

export const shapes = {
  literal: (client) => client.query('SELECT id FROM users WHERE id = $1', [1]), // exact
  lines: (client) => client.query(/* exact */ \`
    SELECT id, name
    FROM users
    WHERE name = $1\`, ['x']),
  imported: (client) => client.query(BY_NAME, ['x']), // exact
  filled: (client) => client.query(\`SELECT \${columns} FROM users ORDER BY name\`), // exact
  holes: (client, order = 'id DESC') => client.query(\`SELECT id, name FROM users WHERE id > $1 ORDER BY \${order}\`, [0]), // template
  counted: (client) => client.query(\`SELECT name FROM users WHERE id IN (\${[1, 2].map((_, index) => '$' + (index + 1)).join()})\`, [1, 2]), // template
  named: (client) => client.query({ name: 'find', text: 'SELECT count(*) FROM users WHERE name = $1', values: ['x'] }), // exact
  long: (client) => client.query("SELECT name AS greeting, '" + '${'é'.repeat(700)}' + "' AS decoration FROM users WHERE id = $1", [1]), // beginning
  values: (client) => client.query('SELECT id FROM users WHERE name = ' + client.escapeLiteral("o'x") + ' LIMIT 3'), // template
  helper: (client) => send(client, 'SELECT name FROM users WHERE id = 3'), // exact
  commented: (client) => client.query("SELECT 2 AS two /*file='app.js%3A2%3A1'*/"), // exact 2
};

function send(client, text) {
  return client.query(text);
}

export async function hold(connectionString, shape) {
  const client = new pg.Client({ connectionString, application_name: shape });
  await client.connect();
  await client.query('BEGIN');
  await shapes[shape](client);
  return client;
}
`;

const expected = app.split('\n').flatMap((text, index) => {
  const [, shape, match, line] = /^ {2}(\w+): .*(?:\/\/|\/\*) (\w+)(?: (\d+))?/u.exec(text) ?? [];
  return shape === undefined
    ? []
    : [{ shape, place: { label: `app.js:${line ?? index + 1}`, match, others: 0 } }];
});

let database: FreshDatabase;
let folder: TemporaryFolder;
let code: LinkedCode;
const clients: pg.Client[] = [];

beforeAll(async () => {
  database = await createFreshDatabase();
  folder = await createTemporaryFolder({
    'app.js': app,
    'sql.js': "export const BY_NAME = 'SELECT id FROM users WHERE name = $1';\n",
    'package.json': '{ "type": "module", "dependencies": { "pg": "^8" } }',
    '.gitignore': 'node_modules',
  });
  await symlink(join(root, 'node_modules'), join(folder.path, 'node_modules'));
  code = await codeOf(folder.path);
  const client = await connect('psql');
  await client.query('CREATE TABLE users (id integer, name text)');
});

afterAll(async () => {
  await Promise.all(clients.map((client) => client.end()));
  await folder[Symbol.asyncDispose]();
  await database.drop();
});

test('the shapes are all there', () => {
  expect(expected).toHaveLength(11);
});

test.each(expected)(
  'a session that runs a $shape statement is linked to its line',
  async ({ shape, place }) => {
    const app = (await import(pathToFileURL(join(folder.path, 'app.js')).href)) as {
      hold(url: string, shape: string): Promise<pg.Client>;
    };
    clients.push(await app.hold(database.url, shape));
    const session = (await look()).sessions.find(({ application }) => application === shape);
    expect(session?.state).toBe('idle in transaction');
    expect(code.placeOf(session?.query ?? '')).toMatchObject(place);
  },
);

test.each([
  ['catalogue', "SELECT c.relname FROM pg_catalog.pg_class c WHERE c.relkind IN ('r', '')"],
  ['of another program', 'SELECT name FROM users WHERE id = 4'],
  ['without a word', 'SELECT 1'],
  ['transaction', 'BEGIN'],
])('a session of psql that sends a %s statement is linked to no line', async (name, sql) => {
  await (await connect(name)).query(sql);
  const session = (await look()).sessions.find(({ application }) => application === name);
  expect(session?.query).toBe(sql);
  expect(code.placeOf(session?.query ?? '')).toBeNull();
});

test('a client that the leaky example has lost is linked to the line that used it last, and to the rule that says so', async () => {
  const leakyDatabase = await createFreshDatabase();
  const leaky = await codeOf(join(root, 'examples/leaky-api'));
  const example: ExampleApp = await startExample('leaky-api', {
    databaseUrl: leakyDatabase.url,
    poolMax: 4,
    standInDelayMs: 20,
  });
  try {
    expect((await fetch(`${example.url}/users/999999`)).status).toBe(404);
    const sent = (await look(leakyDatabase)).sessions
      .filter(({ application }) => application === 'leaky-api')
      .map(({ query }) => leaky.placeOf(query));
    expect(sent).toContainEqual({
      label: 'src/routes/users.ts:13',
      match: 'exact',
      others: 0,
      rule: 'no-unreleased-client',
    });
    expect(leaky.pools).toContainEqual({
      applicationName: 'leaky-api',
      max: 10,
      label: 'src/db.ts:3',
    });
  } finally {
    await example.stop();
    await leakyDatabase.drop();
  }
});

async function connect(name: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url, application_name: name });
  await client.connect();
  clients.push(client);
  return client;
}

/** What the language server that is shipped tells of a folder. */
async function codeOf(path: string): Promise<LinkedCode> {
  await using server = await startTestClient(shippedServer, path);
  return linkCode(await server.connection.sendRequest<CodeFacts>('poolguard/codeFacts', null));
}

function look({ url } = database): Promise<ActivityReport> {
  return lookOnce(url);
}
