import { Linter } from 'eslint';
import { describe, expect, test } from 'vitest';
import plugin from '../../rules/index.ts';
import { checkRule } from '../support/marked.ts';

const rule = 'no-pooler-incompatible';
const behind = (pooler: string): { poolguard: { pooler: string } } => ({ poolguard: { pooler } });

describe('judges statements by pooler and version', () => {
  const named = "void pool.query({ name: 'q', text: 'SELECT 1', values: [] });";
  const marked = `${named}\n//   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ breaks`;
  checkRule(rule, [
    { name: 'a name without a pooler', code: named },
    { name: 'PgBouncer of unknown version', settings: behind('pgbouncer'), code: marked },
    { name: 'PgBouncer 1.20', settings: behind('pgbouncer:transaction:1.20.1'), code: marked },
    {
      name: 'PgBouncer 1.21, where it is off by default',
      settings: behind('pgbouncer:transaction:1.21'),
      code: marked,
    },
    {
      name: 'PgBouncer 1.24',
      settings: {
        poolguard: { pooler: { kind: 'pgbouncer', mode: 'transaction', version: '1.24.1' } },
      },
      code: named,
    },
    { name: 'PgBouncer in session mode', settings: behind('pgbouncer:session'), code: named },
    { name: 'Supavisor', settings: behind('supavisor'), code: marked },
    { name: 'Neon', settings: behind('neon'), code: named },
    { name: 'PgDog', settings: behind('pgdog'), code: named },
    {
      name: 'RDS Proxy, which shares the extended protocol',
      settings: behind('rds-proxy'),
      code: named,
    },
    {
      name: 'its configuration in a constant',
      settings: behind('supavisor'),
      code: `const q = { name: 'q', text: 'SELECT 1' };\nasync function f(c: PoolClient) { await c.query(q); }\n//                                      ^^^^^^^^^^ breaks`,
    },
    {
      name: 'no name, no text, no query',
      settings: behind('pgbouncer'),
      code: "void pool.query({ text: 'SELECT 1' }); void pool.query({ name: undefined, text: 'SELECT 1' }); save({ name: 'q', text: 'x' });",
    },
    {
      name: 'a name that may be left out',
      settings: behind('pgbouncer'),
      code: "async function f(c: PoolClient, sql: string, name?: string) { await c.query({ name, text: sql }); await c.query({ name: options?.nameOf?.(sql), text: sql }); await c.query({ name: sql ? 'q' : undefined, text: sql }); await c.query({ name: this.name, text: sql }); }",
    },
    {
      name: 'a name that is made',
      settings: behind('pgbouncer'),
      code: `async function f(c: PoolClient, name: string) {\n  await c.query({ name, text: 'SELECT 1' });\n  //    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ breaks\n}`,
    },
    {
      name: 'a pool past the pooler',
      settings: behind('pgbouncer'),
      code: "const direct = new Pool({ connectionString: process.env.DIRECT_URL });\nvoid direct.query({ name: 'q', text: 'SELECT 1' });",
    },
    {
      name: 'statements of the session',
      settings: behind('pgbouncer'),
      code: `async function f(c: PoolClient) {
  await c.query('PREPARE q AS SELECT 1');
  //    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ breaks
  await c.query('EXECUTE q');
  await c.query('DEALLOCATE q');
}
async function g(c: PoolClient) {
  await c.query('EXECUTE q');
  //    ^^^^^^^^^^^^^^^^^^^^ breaks
  await c.query('DEALLOCATE ALL');
  await c.query("LOAD 'auto_explain'");
  //    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ breaks
  await c.query('DECLARE d CURSOR WITH HOLD FOR SELECT 1');
  //    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ breaks
  await c.query('DECLARE e CURSOR FOR SELECT 1');
}`,
    },
    {
      name: 'RDS Proxy pins',
      settings: behind('rds-proxy'),
      code: "void pool.query('PREPARE q AS SELECT 1');\n//   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ pins",
    },
    {
      name: 'settings and locks are the matter of another rule',
      settings: behind('pgbouncer'),
      code: "void pool.query('SET ROLE a'); void pool.query('SELECT pg_advisory_lock(1)'); void pool.query('LISTEN a');",
    },
    {
      name: 'other programs that execute',
      settings: behind('pgbouncer'),
      code: "import sql from 'mssql';\nasync function f() { const c = await sql.connect(); await c.query('EXECUTE sp_who'); }",
    },
    {
      name: 'a transaction in statement mode',
      settings: behind('pgbouncer:statement'),
      code: `async function f(c: PoolClient) {
  await c.query('BEGIN');
  //    ^^^^^^^^^^^^^^^^ refusedTransaction
  await c.query('COMMIT');
  await c.query('BEGIN; SELECT 1; COMMIT');
}`,
    },
    {
      name: 'a transaction in transaction mode',
      settings: behind('pgbouncer'),
      code: "async function f(c: PoolClient) { await c.query('BEGIN'); await c.query('COMMIT'); }",
    },
  ]);
});

describe('judges what a connection asks for when it starts', () => {
  const timeout = 'const other = new Pool({ statement_timeout: 5000 });';
  const options = "const other = new Pool({ options: '-c search_path=app -c TimeZone=UTC' });";
  const optionsMarked = `${options}\n//                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ refusedAtStart`;
  checkRule(rule, [
    { name: 'without a pooler', code: timeout },
    {
      name: 'a timeout',
      settings: behind('pgbouncer'),
      code: `${timeout}\n//                       ^^^^^^^^^^^^^^^^^^^^^^^ refusedAtStart`,
    },
    {
      name: 'a timeout in session mode, too',
      settings: behind('pgbouncer:session'),
      code: `${timeout}\n//                       ^^^^^^^^^^^^^^^^^^^^^^^ refusedAtStart`,
    },
    {
      name: 'of a client',
      settings: behind('neon'),
      filename: 'a.js',
      code: `import pg from 'pg';\nconst c = new pg.Client({ lock_timeout: 1 });\n//                        ^^^^^^^^^^^^^^^ refusedAtStart`,
    },
    {
      name: 'in a constant',
      settings: behind('pgbouncer'),
      code: `const config = {\n  max: 5,\n  idle_in_transaction_session_timeout: 1000,\n//^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ refusedAtStart\n};\nconst other = new Pool({ ...config });`,
    },
    {
      name: 'in another file',
      settings: behind('pgbouncer'),
      files: { 'config.ts': 'export const config = { statement_timeout: 1 };' },
      code: `import { config } from './config';\nconst word = 'statement_timeout';\nconst other = new Pool(config);\n//                     ^^^^^^ refusedAtStart`,
    },
    {
      name: 'what the driver does not send',
      settings: behind('pgbouncer'),
      code: "const other = new Pool({ query_timeout: 5000, application_name: 'a', statement_timeout: 0, lock_timeout: undefined, options: '' });",
    },
    {
      name: 'of a direct pool',
      settings: behind('pgbouncer'),
      code: 'const other = new Pool({ connectionString: process.env.DATABASE_URL_UNPOOLED, statement_timeout: 5000 });',
    },
    {
      name: 'options with a setting that is not tracked',
      settings: behind('pgbouncer'),
      code: optionsMarked,
    },
    {
      name: 'options with tracked settings only',
      settings: behind('pgbouncer:transaction:1.24'),
      code: "const other = new Pool({ options: '-c TimeZone=UTC' });",
    },
    {
      name: 'options before PgBouncer read them',
      settings: behind('pgbouncer:transaction:1.19'),
      code: `const other = new Pool({ options: '-c TimeZone=UTC' });\n//                       ^^^^^^^^^^^^^^^^^^^^^^^^^^ refusedAtStart`,
    },
    {
      name: 'options that are not known',
      settings: behind('pgbouncer'),
      code: 'const other = new Pool({ options: process.env.PGOPTIONS });',
    },
    {
      name: 'the endpoint that Neon is asked for',
      settings: behind('neon'),
      code: "const other = new Pool({ options: 'endpoint=ep-a-b' });",
    },
    {
      name: 'RDS Proxy takes no options, and timeouts are not known',
      settings: behind('rds-proxy'),
      code: `${optionsMarked}\n${timeout.replace('other', 'third')}`,
    },
    {
      name: 'PgDog',
      settings: behind('pgdog'),
      code: `${timeout}\n${options.replace('other', 'third')}`,
    },
    {
      name: 'classes of others',
      settings: behind('pgbouncer'),
      code: 'class Db { constructor(public config: object) {} }\nconst db = new Db({ statement_timeout: 5000, options: "-c a=b" });',
    },
  ]);
});

describe('asks for the setting', () => {
  const pooled = (address: string, mark: string): string =>
    `export const other = new Pool(${address});\n//                   ^${'^'.repeat(address.length + 9)} ${mark}`;
  const quiet = (address: string): string => `export const other = new Pool(${address});`;
  checkRule(rule, [
    {
      name: 'by the port of PgBouncer',
      code: pooled("{ host: 'db.internal', port: 6432 }", 'setPooler'),
    },
    {
      name: 'on the command line, without a configuration of ESLint',
      settings: { poolguard: { writtenIn: 'command line' } },
      code: pooled("{ host: 'db.internal', port: 6432 }", 'setPooler'),
      cures: [
        'Use `--pooler pgbouncer:transaction`, or set the option `hint` of this rule to `false` if there is no pooler.',
      ],
    },
    {
      name: 'in the editor',
      settings: { poolguard: { writtenIn: 'editor' } },
      code: pooled("{ host: 'db.internal', port: 6432 }", 'setPooler'),
      cures: ['Set `poolguard.pooler` to `pgbouncer:transaction` in the settings of the editor.'],
    },
    {
      name: 'in the configuration of a linter',
      code: pooled("{ host: 'db.internal', port: 6432 }", 'setPooler'),
      cures: [
        "Add `settings: { poolguard: { pooler: 'pgbouncer:transaction' } }` to the configuration of your linter, or `pooler: false` if there is no pooler.",
      ],
    },
    {
      name: 'by an address',
      code: pooled(
        "{ connectionString: 'postgres://u@aws-0.pooler.supabase.com:6543/postgres' }",
        'setPooler',
      ),
    },
    {
      name: 'by the beginning of an address',
      code: pooled(
        '{ connectionString: `postgres://${user}@ep-a-b-pooler.eu.aws.neon.tech/db` }',
        'setPooler',
      ),
    },
    {
      name: 'by RDS Proxy',
      code: pooled("{ host: 'app.proxy-abc1.eu-west-1.rds.amazonaws.com' }", 'setPooler'),
    },
    {
      name: 'by the sample of the environment',
      files: {
        'package.json': '{}',
        '.env.example': "# the pooler\nDATABASE_URL='postgres://u:p@db.example.com:6432/app'\n",
      },
      code: pooled('{ connectionString: process.env.DATABASE_URL }', 'setPooler'),
    },
    {
      name: 'never by the environment itself',
      files: {
        'package.json': '{}',
        '.env': 'DATABASE_URL=postgres://u:p@db.example.com:6432/app',
      },
      code: quiet('{ connectionString: process.env.DATABASE_URL }'),
    },
    {
      name: 'not where the sample leads elsewhere',
      files: {
        'package.json': '{}',
        '.env.example':
          'DATABASE_URL=postgres://localhost:6432/app\nDIRECT_URL=postgres://db.example.com:6432/app\n',
      },
      code: quiet('{ connectionString: process.env.DATABASE_URL }'),
    },
    { name: 'not on this machine', code: quiet("{ host: 'localhost', port: 6432 }") },
    { name: 'not on no machine', code: quiet('{ port: 6543 }') },
    {
      name: 'not in session mode',
      code: quiet("{ connectionString: 'postgres://u@aws-0.pooler.supabase.com:5432/postgres' }"),
    },
    {
      name: 'not past the pooler',
      code: quiet(
        "{ connectionString: process.env.DIRECT_URL ?? 'postgres://db.example.com:6432/a' }",
      ),
    },
    {
      name: 'not with the setting',
      settings: behind('odyssey'),
      code: quiet("{ host: 'db.internal', port: 6432 }"),
    },
    {
      name: 'not where the settings say that there is none',
      settings: { poolguard: { pooler: false } },
      code: quiet("{ host: 'db.internal', port: 6432 }"),
    },
    {
      name: 'not for a script that does nothing of the kind',
      code: "const other = new Pool({ host: 'db.internal', port: 6432 });\nvoid other.query('SELECT 1');",
    },
    {
      name: 'not for a comment that speaks of what lasts',
      code: "import { Pool } from 'pg';\n// An export, or SET and LISTEN: advisory\nconst other = new Pool({ host: 'db.internal', port: 6432 });\nawait other.query('SELECT 1');",
    },
    {
      name: 'not in tests',
      files: { 'package.json': '{}' },
      filename: 'test/pool.ts',
      code: "import { Pool } from 'pg';\nexport const other = new Pool({ host: 'db.internal', port: 6432 });",
    },
  ]);
});

test.each([
  ['{ statement_timeout: 1 }', { ignoreStartupParameters: ['Statement_Timeout'] }, []],
  [
    '{ statement_timeout: 1 }',
    { ignoreStartupParameters: ['lock_timeout', 'options'] },
    ['refusedAtStart'],
  ],
  ["{ options: '-c search_path=a' }", { ignoreStartupParameters: ['options'] }, []],
  ["{ options: '-c search_path=a' }", { ignoreStartupParameters: ['search_path'] }, []],
  [
    "{ options: '-c search_path=a -c work_mem=1' }",
    { ignoreStartupParameters: ['search_path'] },
    ['refusedAtStart'],
  ],
])('%s with %j', (config, options, reports) => {
  const code = `import { Pool } from 'pg';\nnew Pool(${config});`;
  const messages = new Linter().verify(code, [
    {
      plugins: { poolguard: plugin },
      rules: { [`poolguard/${rule}`]: ['error', options] },
      settings: behind('pgbouncer'),
    },
  ]);
  expect(messages.map(({ messageId }) => messageId)).toEqual(reports);
});

test('a hint can be switched off', () => {
  const code =
    "import { Pool } from 'pg';\nexport const pool = new Pool({ host: 'db.internal', port: 6432 });";
  const messages = (options: object): number =>
    new Linter().verify(code, [
      { plugins: { poolguard: plugin }, rules: { [`poolguard/${rule}`]: ['error', options] } },
    ]).length;
  expect([messages({}), messages({ hint: false })]).toEqual([1, 0]);
});

test('a hint shows nothing of the address', () => {
  const code =
    "import { Pool } from 'pg';\nexport const pool = new Pool({ connectionString: 'postgres://admin:hunter2@db.internal:6432/app' });";
  const [message] = new Linter().verify(code, [
    { plugins: { poolguard: plugin }, rules: { [`poolguard/${rule}`]: 'error' } },
  ]);
  expect(message?.message).toContain("pooler: 'pgbouncer:transaction'");
  expect(message?.message).not.toMatch(/hunter2|admin|internal/u);
});

test.each([
  ['pgbouncer', /add its `version` to `settings\.poolguard\.pooler`/u],
  ['pgbouncer:transaction:1.20', /use PgBouncer 1\.21 or newer/u],
  ['pgbouncer:transaction:1.22', /switch `max_prepared_statements` on/u],
])('the cure for a named statement behind %s', (pooler, cure) => {
  const code =
    "import { Pool } from 'pg';\nvoid new Pool().query({ name: 'q', text: 'SELECT 1', values: [] });";
  const [message] = new Linter().verify(code, {
    plugins: { poolguard: plugin },
    rules: { [`poolguard/${rule}`]: 'error' },
    settings: { poolguard: { pooler } },
  });
  expect(message?.message).toMatch(cure);
});
