import { describe } from 'vitest';
import { checkSuggestions, type SuggestionSample } from '../support/suggestions.ts';

const imports = "import { Pool } from 'pg';\n";
const heard = "pool.on('error', (error) => console.error(error));\n";
const shared = `${imports}export const pool = new Pool({ connectionTimeoutMillis: 5000 });\n${heard}`;

function check(rule: string, samples: readonly SuggestionSample[]): void {
  checkSuggestions(rule, samples, '');
}

describe('require-pool-error-handler adds a listener', () => {
  check('require-pool-error-handler', [
    {
      name: 'behind an exported declaration of several lines',
      code: `${imports}export const pool = new Pool({\n  connectionTimeoutMillis: 5000,\n});\n`,
      outputs: [
        `${imports}export const pool = new Pool({\n  connectionTimeoutMillis: 5000,\n});\npool.on('error', (error) => console.error('An idle PostgreSQL client failed', error));\n`,
      ],
    },
    {
      name: 'in the indentation of a function',
      code: `${imports}export function connect() {\n\tconst db = new Pool({ connectionTimeoutMillis: 1 });\n\treturn { query: (text: string) => db.query(text) };\n}\n`,
      outputs: [
        `${imports}export function connect() {\n\tconst db = new Pool({ connectionTimeoutMillis: 1 });\n\tdb.on('error', (error) => console.error('An idle PostgreSQL client failed', error));\n\treturn { query: (text: string) => db.query(text) };\n}\n`,
      ],
    },
    {
      name: 'but only behind a declaration',
      code: `${imports}export class Database { private pool = new Pool(); query() { return this.pool.query('SELECT 1'); } }`,
      outputs: [],
    },
  ]);
});

describe('require-connection-timeout sets five seconds', () => {
  const rows = [
    ['new Pool()', 'new Pool({ connectionTimeoutMillis: 5000 })'],
    ['new Pool', 'new Pool({ connectionTimeoutMillis: 5000 })'],
    ['new Pool({})', 'new Pool({ connectionTimeoutMillis: 5000 })'],
    ['new Pool({ max: 5 })', 'new Pool({ max: 5, connectionTimeoutMillis: 5000 })'],
    ['new Pool({\n  max: 5,\n})', 'new Pool({\n  max: 5,\n  connectionTimeoutMillis: 5000,\n})'],
    ['new Pool({\n  max: 5\n})', 'new Pool({\n  max: 5,\n  connectionTimeoutMillis: 5000\n})'],
    [
      'new Pool({ connectionTimeoutMillis: 0, max: 5 })',
      'new Pool({ connectionTimeoutMillis: 5000, max: 5 })',
    ],
  ] as const;
  check(
    'require-connection-timeout',
    rows.map(([before, after]) => ({
      name: before,
      code: `${imports}export const pool = ${before};\n${heard}`,
      outputs: [`${imports}export const pool = ${after};\n${heard}`],
    })),
  );
});

describe('prefer-pool-query takes the checkout away', () => {
  check('prefer-pool-query', [
    {
      name: 'around a return',
      code: `${shared}export async function f() {\n  const client = await pool.connect();\n  try {\n    return await client.query('SELECT 1');\n  } finally {\n    client.release();\n  }\n}\n`,
      outputs: [
        `${shared}export async function f() {\n  return await pool.query('SELECT 1');\n}\n`,
      ],
    },
    {
      name: 'around several statements, and leaves texts as they are',
      code: `${shared}export async function f(id: string) {\n  const c = await pool.connect();\n  try {\n    const { rows } = await c.query(\n      \`SELECT *\n       FROM users WHERE id = $1\`,\n      [id],\n    );\n\n    return rows;\n  } finally {\n    c.release();\n  }\n}\n`,
      outputs: [
        `${shared}export async function f(id: string) {\n  const { rows } = await pool.query(\n    \`SELECT *\n       FROM users WHERE id = $1\`,\n    [id],\n  );\n\n  return rows;\n}\n`,
      ],
    },
    {
      name: 'on one line',
      code: `${shared}export async function f() {\n  const client = await pool.connect(); try { await client.query('SELECT 1'); } finally { client.release(); }\n}\n`,
      outputs: [`${shared}export async function f() {\n  await pool.query('SELECT 1');\n}\n`],
    },
  ]);

  const kept = [
    [
      'a catch',
      "try { await client.query('SELECT 1'); } catch (error) { console.error(error); } finally { client.release(); }",
    ],
    [
      'more in the finally',
      "try { await client.query('SELECT 1'); } finally { client.release(); console.log('done'); }",
    ],
    [
      'a comment',
      "try { await client.query('SELECT 1'); } finally {\n    // Give it back.\n    client.release();\n  }",
    ],
    [
      'a name that is declared around it',
      "try { const rows = await client.query('SELECT 1'); console.log(rows); } finally { client.release(); }",
    ],
  ] as const;
  check(
    'prefer-pool-query',
    kept.map(([what, attempt]) => ({
      name: `but not with ${what}`,
      outputs: [],
      code: `${shared}export async function f(rows: unknown) {\n  const client = await pool.connect();\n  ${attempt}\n}\n`,
    })),
  );
});
