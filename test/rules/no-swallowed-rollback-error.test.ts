import { describe } from 'vitest';
import { checkRule, withHeader } from '../support/marked.ts';
import { checkSuggestions } from '../support/suggestions.ts';

const rule = 'no-swallowed-rollback-error';

const header =
  "import { Pool, type PoolClient } from 'pg';\nconst pool = new Pool({ query_timeout: 5000 });\n";
const impatient = withHeader.bind(null, header);

/** A transaction with `onError` as its handler and `last` in its `finally`. */
const transaction = (onError: string, last: string): string => `
async function f(work: (client: PoolClient) => Promise<void>) {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await work(client);
    await client.query('COMMIT');
  } catch (error) {
    ${onError}
    throw error;
  } finally {
    ${last}
  }
}
export { f };`;
const reported = 'client.release();\n//  ^^^^^^^^^^^^^^^^ keptAfterFailure';

describe('reports a plain release behind a ROLLBACK whose error is dropped', () => {
  checkRule(
    rule,
    impatient([
      {
        name: 'catch with nothing in it',
        code: transaction("await client.query('ROLLBACK').catch(() => {});", reported),
      },
      {
        name: 'an empty catch clause',
        code: transaction("try { await client.query('ROLLBACK'); } catch {}", reported),
      },
      {
        name: 'one that only logs',
        code: transaction(
          "try { await client.query('ROLLBACK'); } catch (problem) { console.error(problem); }",
          reported,
        ),
      },
      {
        name: 'a handler that logs',
        code: transaction(
          "await client.query('ROLLBACK').catch((problem) => console.error(problem));",
          reported,
        ),
      },
      {
        name: 'the second handler of then',
        code: transaction("await client.query('ROLLBACK').then(() => {}, () => {});", reported),
      },
      {
        name: 'another word for it',
        code: transaction("await client.query('ABORT').catch(() => {});", reported),
      },
      {
        name: 'a flag',
        code: transaction(
          "let rolledBack = false; try { await client.query('ROLLBACK'); rolledBack = true; } catch { rolledBack = false; }",
          reported,
        ),
      },
      {
        name: 'in a helper',
        code: `async function undo(client: PoolClient) { try { await client.query('ROLLBACK'); } catch (error) { console.error(error); } }\n${transaction('await undo(client);', reported)}`,
      },
      {
        name: 'a callback that does not look',
        code: `
function f(callback: (error?: Error) => void) {
  pool.connect((error, client, done) => {
    if (error || !client) return callback(error);
    client.query('BEGIN', (error) => {
      if (error) { done(error); return callback(error); }
      client.query('INSERT INTO a VALUES (1)', (error) => {
        if (!error) return client.query('COMMIT', (error) => { done(error); callback(error); });
        client.query('ROLLBACK', () => { done(); callback(error); });
//                                       ^^^^^^ keptAfterFailure
      });
    });
  });
}`,
      },
    ]),
  );
});

describe('is silent where the error is heard of or the connection destroyed', () => {
  checkRule(
    rule,
    impatient([
      {
        name: 'the common wrapper',
        code: transaction("await client.query('ROLLBACK');", 'client.release();'),
      },
      {
        name: 'thrown on',
        code: transaction(
          "try { await client.query('ROLLBACK'); } catch (problem) { throw new AggregateError([error, problem]); }",
          'client.release();',
        ),
      },
      {
        name: 'thrown on by a handler',
        code: transaction(
          "await client.query('ROLLBACK').catch((problem) => { throw problem; });",
          'client.release();',
        ),
      },
      {
        name: 'kept for the release',
        code: `let failure: Error | undefined;\n${transaction("await client.query('ROLLBACK').catch((problem) => { failure = problem; });", 'client.release(failure);')}`,
      },
      {
        name: 'always destroyed',
        code: transaction(
          "await client.query('ROLLBACK').catch(() => {});",
          'client.release(true);',
        ),
      },
      {
        name: 'destroyed there',
        code: "async function f() { const client = await pool.connect(); try { await client.query('BEGIN'); await client.query('SELECT 1'); await client.query('COMMIT'); } catch (error) { try { await client.query('ROLLBACK'); } catch (problem) { client.release(problem as Error); throw error; } client.release(); throw error; } client.release(); }",
      },
      {
        name: 'a handler outside of the release',
        code: `async function g() { try { await f(); } catch {} }\nasync function f() { const client = await pool.connect(); try { try { await client.query('BEGIN'); await client.query('SELECT 1'); await client.query('COMMIT'); } catch (error) { await client.query('ROLLBACK'); throw error; } finally { client.release(); } } catch (error) { console.error(error); } }`,
      },
      {
        name: 'thrown out of the catch, to one around it',
        code: "export async function f() { const client = await pool.connect(); try { try { await client.query('BEGIN'); await client.query('SELECT 1'); await client.query('COMMIT'); } catch (error) { await client.query('ROLLBACK'); throw error; } } catch (error) { return error; } finally { client.release(); } }",
      },
      {
        name: 'no transaction to roll back',
        code: "async function f() { const client = await pool.connect(); await client.query('ROLLBACK').catch(() => {}); client.release(); }",
      },
      {
        name: 'done with the error',
        code: "function f(callback: (error?: Error) => void) { pool.connect((error, client, done) => { if (error || !client) return callback(error); client.query('BEGIN', (error) => { if (error) { done(error); return callback(error); } client.query('ROLLBACK', (error) => { done(error); callback(); }); }); }); }",
      },
      {
        name: 'a rollback to a savepoint',
        code: transaction(
          "await client.query('ROLLBACK TO SAVEPOINT a').catch(() => {}); await client.query('ROLLBACK');",
          'client.release();',
        ),
      },
      {
        name: 'a script that has one client',
        code: `${transaction("await client.query('ROLLBACK').catch(() => {});", 'client.release();').replace('export { f };', '')}\nvoid f(async () => {});`,
      },
    ]),
  );
});

const dropped = transaction("await client.query('ROLLBACK').catch(() => {});", 'client.release();');
const pool = (config: string): string => `import { Pool, type PoolClient } from 'pg';\n${config}\n`;

describe('reports it with any query_timeout', () => {
  const code = dropped.replace('client.release();', reported);
  checkRule(rule, [
    {
      name: 'that the environment gives',
      header: pool('const pool = new Pool({ query_timeout: Number(process.env.TIMEOUT) });'),
      code,
    },
    {
      name: 'of options in another file',
      filename: 'sample.ts',
      code: `${pool("import { options } from './options';\nconst pool = new Pool({ ...options, max: 5 });")}${code}`,
      files: { 'options.ts': 'export const options = { query_timeout: 5000 };' },
    },
    {
      name: 'of a pool in another file',
      filename: 'sample.ts',
      code: `import type { PoolClient } from 'pg';\nimport { pool } from './pool';\n${code}`,
      files: {
        'pool.ts':
          "import { Pool } from 'pg';\nexport const pool = new Pool({ query_timeout: 1e4 });",
      },
    },
  ]);
});

describe('is silent where nothing gives up on a ROLLBACK', () => {
  checkRule(rule, [
    { name: 'no query_timeout', code: dropped },
    ...['0', 'undefined', 'null'].map((value) => ({
      name: `a query_timeout of ${value}`,
      header: pool(`const pool = new Pool({ query_timeout: ${value} });`),
      code: dropped,
    })),
    {
      name: 'the server gives up on statements',
      header: pool('const pool = new Pool({ statement_timeout: 5000 });'),
      code: dropped,
    },
    {
      name: 'options that are not known',
      header: pool("import { options } from 'settings';\nconst pool = new Pool(options);"),
      code: dropped,
    },
    {
      name: 'a pool that is not known',
      header: pool("import { pool } from 'settings';"),
      code: dropped,
    },
  ]);
});

describe('offers to destroy the connection', () => {
  const program = (lines: string): string =>
    `export async function f() {\n  const client = await pool.connect();\n  try {\n    await client.query('BEGIN');\n    await client.query('SELECT 1');\n    await client.query('COMMIT');\n    client.release();\n  } catch (error) {\n    ${lines}\n    throw error;\n  }\n}\n`;

  checkSuggestions(
    rule,
    [
      {
        name: 'where the release follows at once',
        code: program("await client.query('ROLLBACK').catch(() => {});\n    client.release();"),
        outputs: [
          program(
            "const rollbackError = await client.query('ROLLBACK').then(() => undefined, (error) => error);\n    client.release(rollbackError);",
          ),
        ],
      },
      {
        name: 'but not where the handler does something',
        code: program(
          "await client.query('ROLLBACK').catch(console.error);\n    client.release();",
        ),
        outputs: [],
      },
    ],
    header,
  );
});
