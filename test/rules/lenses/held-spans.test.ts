import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { HeldSpan, Place } from '../../../rules/index.ts';
import { edited, inspected } from '../../support/inspected.ts';

const header =
  "import { Pool } from 'pg'; const pool = new Pool({ connectionTimeoutMillis: 1 }); pool.on('error', console.error);\n";

interface Sample {
  readonly name: string;
  /** Lines on which the client of `span` is held begin with `|`. */
  readonly code: string;
  /** Which of the spans it is, the first unless given. */
  readonly span?: number;
  /** Texts at the places of the span, and its other properties. */
  readonly expected?: Readonly<Record<string, unknown>>;
}

function unmarked(code: string): string {
  return header + code.replace(/^[| ]/gmu, ' ');
}

function markedLines(text: string, { lines }: HeldSpan): string {
  const isHeld = (line: number): boolean =>
    lines.some(({ startLine, endLine }) => startLine <= line && line <= endLine);
  return text
    .split('\n')
    .slice(1)
    .map((each, index) => (each === '' ? each : (isHeld(index + 2) ? '|' : ' ') + each.slice(1)))
    .join('\n');
}

function textAt(text: string, { start, end }: Place): string {
  const lines = text.split('\n').slice(start.line - 1, end.line);
  return lines
    .map((line, index) =>
      line.slice(
        index === 0 ? start.column : 0,
        index === lines.length - 1 ? end.column : line.length,
      ),
    )
    .join('\n');
}

function summaryOf(text: string, span: HeldSpan): Readonly<Record<string, unknown>> {
  const at = (place: Place): string => textAt(text, place);
  return {
    ...span,
    acquire: at(span.acquire),
    releases: span.releases.map(at),
    leaves: span.leaves.map(at),
    given: span.given.map(at),
    statements: span.statements.map(({ words }) => words),
    slowAwaits: span.slowAwaits.map(({ place, what, call }) => [at(place), what, call]),
  };
}

function checkSpans(samples: readonly Sample[]): void {
  for (const { name, code, span = 0, expected = {} } of samples) {
    test(name, () => {
      const text = unmarked(code);
      const found = inspected(text).spans()[span];
      expect(found).toBeDefined();
      if (found === undefined) return;
      expect(markedLines(text, found)).toBe(code);
      expect(summaryOf(text, found)).toMatchObject(expected);
    });
  }
}

describe('a client is held', () => {
  checkSpans([
    {
      name: 'from its checkout to its release in a finally',
      code: `
 export async function move(ids: number[]) {
   console.log('before');
|  const client = await pool.connect();
|  try {
|    // a comment
|    await client.query('BEGIN');
|    for (const id of ids) {
|      await client.query(
|        \`UPDATE accounts
|         SET balance = 0 WHERE id = $1\`,
|        [id],
|      );
|    }
|    await client.query('COMMIT');
|  } catch (error) {
|    await client.query('ROLLBACK');
|    throw error;
|  } finally {
|    client.release();
   }
   console.log('after');
 }`,
      expected: {
        pool: 'pool',
        client: 'client',
        acquire: 'pool.connect()',
        isLent: false,
        releases: ['client.release()'],
        leaves: [],
        given: [],
        statements: ['BEGIN', 'UPDATE accounts SET balance', 'COMMIT', 'ROLLBACK'],
        slowAwaits: [],
        transactions: 'opened',
        isComplete: true,
      },
    },
    {
      name: 'on the way to a return that forgets it, and no longer than to the release',
      code: `
 export async function first() {
|  const held = await pool.connect();
|  const { rows } = await held.query('SELECT 1');
|  if (rows.length === 0) {
|    return null;
|  }
|  held.release();
   return rows[0];
 }`,
      expected: {
        client: 'held',
        releases: ['held.release()'],
        leaves: ["await held.query('SELECT 1')", 'return null;'],
        transactions: 'none',
      },
    },
    {
      name: 'on one of two branches',
      code: `
 export async function maybe(isOn: boolean) {
   if (isOn) {
|    const client = await pool.connect();
|    try { await client.query('SELECT 1'); } finally { client.release(); }
   } else {
     console.log('off');
   }
 }`,
    },
    {
      name: 'while somebody waits for slow work',
      code: `
 export async function slow() {
|  const client = await pool.connect();
|  try {
|    const answer = await fetch('https://example.org');
|    await client.query(\`INSERT INTO answers VALUES (\${answer.status})\`);
|  } finally {
|    client.release();
   }
 }`,
      expected: {
        slowAwaits: [["await fetch('https://example.org')", 'an HTTP request', 'fetch']],
        statements: ['INSERT INTO answers VALUES'],
      },
    },
    {
      name: 'in a callback, from its beginning to done()',
      code: `
 export function read(answer: (error: Error | undefined, rows?: unknown[]) => void) {
|  pool.connect((error, client, done) => {
|    if (error !== undefined || client === undefined) return answer(error);
|    client.query('SELECT now()', (failure, result) => {
|      done();
       answer(failure, result.rows);
     });
   });
 }`,
      expected: {
        acquire: 'pool.connect',
        client: 'client',
        releases: ['done()'],
        statements: ['SELECT now'],
      },
    },
    {
      name: 'in a chain, in each handler that releases it',
      code: `
 export function chained() {
|  return pool.connect().then((client) =>
|    client.query('SELECT 1')
|      .finally(() => client.release()),
   );
 }`,
      expected: { client: 'client', releases: ['client.release()'] },
    },
    {
      name: 'by a lender, while the callback runs',
      code: `
 async function withTransaction<T>(work: (client: import('pg').PoolClient) => Promise<T>): Promise<T> {
   const client = await pool.connect();
   try {
     await client.query('BEGIN');
     const result = await work(client);
     await client.query('COMMIT');
     return result;
   } finally {
     client.release();
   }
 }
 export async function remove() {
|  await withTransaction(async (tx) => {
|    await tx.query('DELETE FROM orders');
|    return 1;
|  });
   console.log('removed');
 }`,
      span: 1,
      expected: {
        pool: 'withTransaction()',
        client: 'tx',
        acquire: 'withTransaction',
        isLent: true,
        releases: [],
        leaves: [],
        given: [],
        statements: ['DELETE FROM orders'],
        isComplete: true,
      },
    },
    {
      name: 'until it is returned',
      code: `
 export async function open() {
|  const client = await pool.connect();
|  await client.query("SET application_name = 'x'");
|  return client;
 }`,
      expected: { given: ['return client;'], releases: [] },
    },
    {
      name: 'until it is stored',
      code: `
 export class Session {
   client: unknown;
   async start() {
|    const client = await pool.connect();
|    this.client = client;
     console.log('started');
   }
 }`,
      expected: { given: ['this.client = client'], isComplete: true },
    },
    {
      name: 'by its getter’s caller',
      code: `
 class Database {
   db = pool;
   async getClient() {
     return this.db.connect();
   }
   async users() {
|    const client = await this.getClient();
|    const { rows } = await client.query('SELECT id FROM users');
|    client.release();
     return rows;
   }
 }
 export default Database;`,
      span: 1,
      expected: {
        pool: 'this.getClient()',
        client: 'client',
        statements: ['SELECT id FROM users'],
        leaves: ["await client.query('SELECT id FROM users')"],
      },
    },
    {
      name: 'around functions that are called at once, and not in those that run later',
      code: `
 export async function mixed(ids: number[]) {
|  const client = await pool.connect();
|  const more = ids.map((id) => {
|    return id + 1;
|  });
|  setTimeout(() => {
     console.log('later');
|  }, 10);
|  await client.query('SELECT 1', more).finally(() => client.release());
 }`,
    },
    {
      name: 'where only an unlikely exception leads, too',
      code: `
 export async function parsed(text: string) {
|  const client = await pool.connect();
|  let value: unknown;
|  try {
|    value = JSON.parse(text);
|  } catch {
|    value = null;
|  }
|  client.release();
   return value;
 }`,
    },
    {
      name: 'until a helper of the file releases it',
      code: `
 function giveBack(client: import('pg').PoolClient) { client.release(); }
 export async function helped() {
|  const client = await pool.connect();
|  try {
|    await client.query('SELECT 1');
|  } finally {
|    giveBack(client);
   }
 }`,
      expected: { releases: ['giveBack(client)'] },
    },
  ]);

  it('as far as is known where a client is lent to unknown code and comes back nowhere', () => {
    const text = unmarked(`
 import { register } from 'elsewhere';
 export async function unknown() {
   const client = await pool.connect();
   await client.query('SELECT 1');
   await register(client);
   console.log('done');
 }`);
    const [span] = inspected(text).spans();
    expect(span).toMatchObject({
      isComplete: false,
      leaves: [],
      releases: [],
      lines: [{ startLine: 5, endLine: 7 }],
    });
  });
});

describe('what cannot be known', () => {
  it('has no spans: a text that does not parse', () => {
    const file = inspected('const client = await (');
    expect([file.spans(), file.pools()]).toEqual([[], []]);
  });

  it('has no lines: a function with too many ways through it', () => {
    const tests = Array.from(
      { length: 12 },
      (_, index) =>
        `let f${index} = Math.random() > 0.5; if (f${index}) { await client.query('SELECT ${index}'); }`,
    ).join('\n');
    const again = Array.from(
      { length: 12 },
      (_, index) => `if (f${index}) { console.log(f${index}); }`,
    ).join('\n');
    const text = `${header}export async function f() {\nconst client = await pool.connect();\n${tests}\n${again}\nclient.release();\n}`;
    const [span] = inspected(text).spans();
    expect(span).toMatchObject({
      isComplete: false,
      releases: [],
      leaves: [],
      given: [],
      statements: [],
      lines: [{ startLine: 3, endLine: 3 }],
    });
  });
});

describe('straight code', () => {
  const statement = fc.constantFrom(
    "await client.query('SELECT 1');",
    'console.log(1);',
    '',
    '// nothing',
    'let x: number[] = [\n1,\n2,\n];',
    'if (Math.random() > 1) {\nconsole.log(2);\n}',
    "await client.query(\n'SELECT 2',\n);",
    '{\n}',
  );
  const others = fc.array(
    fc.constantFrom('console.log(0);', '', '// nothing', 'await pool.query(\n"SELECT 0",\n);'),
    { maxLength: 4 },
  );

  it.each(['\n', '\r\n'])(
    'is held from the line of the acquire to that of the release, line break %j',
    (lineBreak) => {
      fc.assert(
        fc.property(
          others,
          fc.array(statement, { maxLength: 8 }),
          others,
          (before, between, after) => {
            const own = between.map((each, index) => each.replace(' x:', ` x${index}:`));
            const text = [
              header.trimEnd(),
              'export async function f() {',
              ...before,
              'const client = await pool.connect();',
              ...own,
              'client.release();',
              ...after,
              '}',
            ].join('\n');
            const lines = text.split('\n');
            const startLine = lines.findIndex((line) => line.includes('pool.connect()')) + 1;
            const endLine = lines.findIndex((line) => line.includes('client.release()')) + 1;
            const [span] = inspected(text.replaceAll('\n', lineBreak)).spans();
            expect(span?.lines).toEqual([{ startLine, endLine }]);
          },
        ),
        { numRuns: 40 },
      );
    },
  );
});

it('is found when asked for, and once', () => {
  const file = inspected(unmarked('\n export const get = () => pool.connect();'));
  expect(file.spans()).toBe(file.spans());
  expect(edited('ab', [{ range: [1, 1], text: '-' }])).toBe('a-b');
});
