import { describe } from 'vitest';
import { checkRule } from '../support/marked.ts';
import { checkSuggestions } from '../support/suggestions.ts';

const rule = 'no-open-transaction-release';

describe('reports a release in the middle of a transaction', () => {
  checkRule(rule, [
    {
      name: 'in a helper of the file that is given the client in an object',
      code: `
async function help({ client, depth = 0 }) {
  await client.query('SELECT 1', [depth]);
  client.release();
}
async function f() {
  const c = await pool.connect();
  await c.query('BEGIN');
  await help({ client: c });
  //    ^^^^^^^^^^^^^^^^^^^ open
}`,
    },
    {
      name: 'a failing statement, and a finally that only releases',
      code: `
async function f() {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('INSERT INTO a VALUES (1)');
    await client.query('COMMIT');
  } finally {
    client.release();
//  ^^^^^^^^^^^^^^^^ openAfterFailedQuery
  }
}`,
    },
    {
      name: 'a catch that does not roll back',
      code: `
async function f() {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('INSERT INTO a VALUES (1)');
    await client.query('COMMIT');
  } catch (error) {
    console.error('rollback?', error);
    throw error;
  } finally {
    client.release();
//  ^^^^^^^^^^^^^^^^ openAfterFailedQuery
  }
}`,
    },
    {
      name: 'helpers whose names and comments speak of an end',
      code: `
import { rollbackAll } from './world';
async function abortAll() { /* no commit here */ await pool.query('SELECT 2'); }
async function f() {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('INSERT INTO a VALUES (1)');
    await client.query('COMMIT');
  } catch (error) {
    await abortAll();
    await rollbackAll();
    throw error;
  } finally {
    client.release();
//  ^^^^^^^^^^^^^^^^ openAfterFailedQuery
  }
}`,
    },
    {
      name: 'an early return',
      code: `
async function f() {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const { rows } = await client.query('SELECT 1');
    if (rows.length === 0) return null;
    await client.query('COMMIT');
    return rows;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
//  ^^^^^^^^^^^^^^^^ open
  }
}`,
    },
    {
      name: 'work that is not the database',
      code: `
async function f(url: string) {
  const client = await pool.connect();
  try {
    await client.query('START TRANSACTION');
    const answer = await fetch(url);
    await client.query('UPDATE a SET b = $1', [answer.status]);
    await client.query('COMMIT');
  } finally {
    client.release();
//  ^^^^^^^^^^^^^^^^ openAfterError
  }
}`,
    },
    {
      name: 'a throw in the middle',
      code: `
async function f(n: number) {
  const client = await pool.connect();
  await client.query('BEGIN').catch((error) => { client.release(); throw error; });
  try {
    if (n < 0) throw new Error('negative');
  } catch (error) {
    client.release();
//  ^^^^^^^^^^^^^^^^ openAfterError
    throw error;
  }
  await client.query('COMMIT').finally(() => client.release());
}`,
    },
    {
      name: 'a helper that works for its callers',
      code: `
async function insert(client: PoolClient) { await client.query('INSERT INTO a VALUES (1)'); }
async function f() {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await insert(client);
    await client.query('COMMIT');
  } finally {
    client.release();
//  ^^^^^^^^^^^^^^^^ openAfterError
  }
}`,
    },
    {
      name: 'a helper that begins',
      code: `
async function begin(client: PoolClient) { await client.query('BEGIN'); }
async function f() {
  const client = await pool.connect();
  try {
    await begin(client);
    await client.query('INSERT INTO a VALUES (1)');
    await client.query('COMMIT');
  } finally {
    client.release();
//  ^^^^^^^^^^^^^^^^ openAfterFailedQuery
  }
}`,
    },
    {
      name: 'callbacks',
      code: `
function f(callback: (error?: Error) => void) {
  pool.connect((error, client, done) => {
    if (error || !client) return callback(error);
    client.query('BEGIN', (error) => {
      if (error) { done(error); return callback(error); }
      client.query('INSERT INTO a VALUES (1)', (error) => {
        if (error) { done(); return callback(error); }
//                   ^^^^^^ openAfterFailedQuery
        client.query('COMMIT', (error) => { done(error); callback(error); });
      });
    });
  });
}`,
    },
    {
      name: 'a chain',
      code: `
async function f() {
  const client = await pool.connect();
  return client.query('BEGIN').then(() => client.query('INSERT INTO a VALUES (1)')).then(() => client.query('COMMIT')).finally(() => client.release());
//                                                                                                                                   ^^^^^^^^^^^^^^^^ openAfterFailedQuery
}`,
    },
    {
      name: 'COMMIT AND CHAIN goes on',
      code: `
async function f() {
  const client = await pool.connect();
  await client.query('BEGIN');
  await client.query('COMMIT AND CHAIN');
  client.release();
//^^^^^^^^^^^^^^^^ open
}`,
    },
    {
      name: 'a savepoint is no end',
      code: `
async function f() {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('SAVEPOINT a');
    await client.query('ROLLBACK TO SAVEPOINT a');
  } finally {
    client.release();
//  ^^^^^^^^^^^^^^^^ open
  }
}`,
    },
    {
      name: 'in each round of a script',
      code: `
async function main() {
  for (const name of ['a', 'b']) {
    const client = await pool.connect();
    try {
      await client.query('BEGIN');
      await client.query('INSERT INTO a VALUES ($1)', [name]);
      await client.query('COMMIT');
    } catch (error) {
      console.error(error);
    } finally {
      client.release();
//    ^^^^^^^^^^^^^^^^ openAfterFailedQuery
    }
  }
}
void main();`,
    },
  ]);
});

const around = (
  body: string,
  after = '',
): string => `async function f(owns: boolean, work: (client: PoolClient) => Promise<void>, other: any) {
  const client = await pool.connect();
  ${body}
}
${after}
export { f };`;

describe('is silent where the transaction ends or the connection does', () => {
  checkRule(rule, [
    {
      name: 'the common wrapper',
      code: around(
        "try { await client.query('BEGIN'); await work(client); await client.query('COMMIT'); } catch (error) { await client.query('ROLLBACK'); throw error; } finally { client.release(); }",
      ),
    },
    {
      name: 'BEGIN before the try',
      code: around(
        "try { await client.query('BEGIN'); try { await work(client); await client.query('COMMIT'); } catch (error) { await client.query('ROLLBACK'); throw error; } } finally { client.release(); }",
      ),
    },
    {
      name: 'a failed BEGIN has begun nothing',
      code: around("try { await client.query('BEGIN'); } finally { client.release(true); }"),
    },
    {
      name: 'a failed BEGIN, and a plain release',
      code: around(
        "try { await client.query('BEGIN'); } catch (error) { client.release(); throw error; } client.release(true);",
      ),
    },
    {
      name: 'a failed COMMIT has ended the transaction',
      code: around(
        "try { await client.query('BEGIN'); await client.query('COMMIT'); } finally { client.release(); }",
      ),
    },
    {
      name: 'destroyed on failure',
      code: around(
        "try { await client.query('BEGIN'); await work(client); await client.query('COMMIT'); client.release(); } catch (error) { client.release(error as Error); throw error; }",
      ),
    },
    {
      name: 'destroyed by an error variable',
      code: around(
        "let failure: Error | undefined; try { await client.query('BEGIN'); await work(client); await client.query('COMMIT'); } catch (error) { failure = error as Error; throw error; } finally { client.release(failure); }",
      ),
    },
    {
      name: 'ROLLBACK whose failure is dropped',
      code: around(
        "try { await client.query('BEGIN'); await work(client); await client.query('COMMIT'); } catch (error) { await client.query('ROLLBACK').catch(() => {}); throw error; } finally { client.release(); }",
      ),
    },
    {
      name: 'a flag',
      code: around(
        "let committed = false; try { await client.query('BEGIN'); await work(client); await client.query('COMMIT'); committed = true; } finally { if (!committed) await client.query('ROLLBACK'); client.release(); }",
      ),
    },
    {
      name: 'a transaction of its own only when asked for',
      code: around(
        "try { if (owns) await client.query('BEGIN'); await work(client); if (owns) await client.query('COMMIT'); } catch (error) { if (owns) await client.query('ROLLBACK'); throw error; } finally { client.release(); }",
      ),
    },
    {
      name: 'a question that is not followed',
      code: around(
        "try { if (other.wants()) await client.query('BEGIN'); await client.query('SELECT 1'); if (other.wants()) await client.query('COMMIT'); } catch (error) { if (other.wants()) await client.query('ROLLBACK'); throw error; } finally { client.release(); }",
      ),
    },
    {
      name: 'either word by a condition',
      code: around(
        "let ok = false; try { await client.query('BEGIN'); await work(client); ok = true; } finally { await client.query(ok ? 'COMMIT' : 'ROLLBACK'); client.release(); }",
      ),
    },
    {
      name: 'a helper that ends',
      code: around(
        "try { await client.query('BEGIN'); await work(client); await client.query('COMMIT'); } catch (error) { await undo(client); throw error; } finally { client.release(); }",
        "async function undo(client: PoolClient) { await client.query('ROLLBACK'); }",
      ),
    },
    {
      name: 'an unknown helper that may end',
      code: around(
        "try { await client.query('BEGIN'); await client.query('SELECT 1'); await other.finish(client); } catch (error) { await other.undo(client, error); throw error; } finally { client.release(); }",
      ),
    },
    {
      name: 'a closure that ends',
      code: around(
        "const run = (text: string) => client.query(text); try { await client.query('BEGIN'); await client.query('SELECT 1'); await run('COMMIT'); } catch (error) { await run('ROLLBACK'); throw error; } finally { client.release(); }",
      ),
    },
    {
      name: 'a text that is not known',
      code: around(
        "try { await client.query('BEGIN'); await client.query('SELECT 1'); await client.query('COMMIT'); } catch (error) { await client.query(other.undo); throw error; } finally { client.release(); }",
      ),
    },
    {
      name: 'an object made with the client',
      code: around(
        "const db = other.wrap(client); try { await client.query('BEGIN'); await client.query('SELECT 1'); await db.run('COMMIT'); } catch (error) { await db.run(other.undo); throw error; } finally { client.release(); }",
      ),
    },
    {
      name: 'a transaction of somebody else',
      code: around('await work(client); client.release();'),
    },
    {
      name: 'all of it in one text',
      code: around(
        "try { await client.query('BEGIN; INSERT INTO a VALUES (1); COMMIT'); await work(client); } finally { client.release(); }",
      ),
    },
    {
      name: 'a text with a hole in it',
      code: around(
        'try { await client.query(`BEGIN; ${other.sql}; COMMIT`); await client.query(`BEGIN; ${other.sql}`); } finally { client.release(); }',
      ),
    },
    {
      name: 'COMMIT not waited for',
      code: around("await client.query('BEGIN'); void client.query('COMMIT'); client.release();"),
    },
    {
      name: 'PREPARE TRANSACTION sets it aside',
      code: around(
        "await client.query('BEGIN'); await client.query(\"PREPARE TRANSACTION 'a'\"); client.release();",
      ),
    },
    {
      name: 'the client is closed first',
      code: around(
        "try { await client.query('BEGIN'); await client.query('SELECT 1'); } finally { await client.end(); client.release(); }",
      ),
    },
    {
      name: 'the pool ends with it',
      code: around(
        "try { await client.query('BEGIN'); await client.query('SELECT 1'); await client.query('COMMIT'); } finally { client.release(); await pool.end(); }",
      ),
    },
    {
      name: 'a script that has one client',
      code: "async function main() { const client = await pool.connect(); try { await client.query('BEGIN'); await client.query('SELECT 1'); await client.query('COMMIT'); } finally { client.release(); } }\nasync function start() { await main(); }\nvoid start();",
    },
    {
      name: 'only synchronous work could throw',
      code: around(
        "try { await client.query('BEGIN'); other.count(); await client.query('COMMIT'); } finally { client.release(); }",
      ),
    },
    {
      name: 'callbacks that roll back',
      code: "function f(callback: (error?: Error) => void) { pool.connect((error, client, done) => { if (error || !client) return callback(error); client.query('BEGIN', (error) => { if (error) { done(); return callback(error); } client.query('INSERT INTO a VALUES (1)', (error) => { if (error) return client.query('ROLLBACK', () => { done(); callback(error); }); client.query('COMMIT', (error) => { done(error); callback(error); }); }); }); }); }",
    },
    {
      name: 'a release in another function',
      code: around("await client.query('BEGIN'); return client;"),
    },
    {
      name: 'functions of a transaction object',
      code: around(
        "const { commit, rollback } = other.begin(client); try { await client.query('BEGIN'); await client.query('SELECT 1'); await commit(); } catch (error) { await rollback(); throw error; } finally { client.release(); }",
      ),
    },
  ]);
});

describe('offers a ROLLBACK', () => {
  const program = (handler: string): string => `export async function f() {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('INSERT INTO a VALUES (1)');
    await client.query('COMMIT');
  }${handler} finally {
    client.release();
  }
}
`;
  const inItsOwn = program(
    " catch (error) {\n    await client.query('ROLLBACK').catch(() => {});\n    throw error;\n  }",
  );
  const withoutSemicolons = (code: string): string => code.replaceAll(';', '');
  const inDoubleQuotes = (code: string): string => code.replaceAll("'", '"');
  const withWindowsLines = (code: string): string => code.replaceAll('\n', '\r\n');

  checkSuggestions(rule, [
    { name: 'in a catch of its own', code: program(''), outputs: [inItsOwn] },
    ...[withoutSemicolons, inDoubleQuotes, withWindowsLines].map((written) => ({
      name: `in a catch of its own, ${written.name}`,
      code: written(program('')),
      outputs: [written(inItsOwn)],
    })),
    {
      name: 'at the start of the catch',
      code: program(' catch (error) {\n    throw new Error("no", { cause: error });\n  }'),
      outputs: [
        program(
          ' catch (error) {\n    await client.query(\'ROLLBACK\').catch(() => {});\n    throw new Error("no", { cause: error });\n  }',
        ),
      ],
    },
    {
      name: 'before a catch that answers, so that the function still does',
      code: program(' catch {\n    return false;\n  }'),
      outputs: [
        program(
          " catch {\n    await client.query('ROLLBACK').catch(() => {});\n    return false;\n  }",
        ),
      ],
    },
    {
      name: 'but not where the release is not in a finally',
      code: "export async function f() { const client = await pool.connect(); try { await client.query('BEGIN'); await client.query('SELECT 1'); await client.query('COMMIT'); client.release(); } catch (error) { client.release(); } }",
      outputs: [],
    },
  ]);
});
