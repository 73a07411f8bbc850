import { Linter } from 'eslint';
import { afterEach, expect, test, vi } from 'vitest';
import plugin from '../../../rules/index.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

function times(count: number, part: (n: number) => string): string {
  return Array.from({ length: count }, (_, n) => part(n)).join('');
}

const fields = `${times(14, (n) => `if (input.a${n}) out.a${n} = input.a${n};\n`)}await client.query('x', out);\n${times(14, (n) => `if (input.a${n}) log(n);\n`)}`;

const samples: readonly (readonly [name: string, body: string, verdict: RegExp])[] = [
  [
    '1,000 queries',
    `${times(1000, () => "await client.query('x');\n")}client.release();`,
    /: reported \(notReleasedOnThrow: /u,
  ],
  [
    'a leak in a sample of the ways',
    `${fields}client.release();`,
    /: reported \(on a sample of many paths, notReleasedOnThrow: /u,
  ],
  [
    'no leak in a sample of the ways',
    `try {\n${fields}} finally { client.release(); }`,
    /: unknown \(the function has too many paths; a sample of them shows no leak\)/u,
  ],
];

/** The verdicts on a file with a pool of `pg`, in their order. */
function verdictsOn(code: string): readonly string[] {
  vi.stubEnv('POOLGUARD_DEBUG', 'verdicts');
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const rules = { 'poolguard/no-unreleased-client': 'error' } as const;
  const file = `import { Pool } from 'pg';\nconst pool = new Pool();\n${code}\n`;
  new Linter().verify(file, [{ plugins: { poolguard: plugin }, rules }]);
  return String(written.mock.calls.at(0)?.[0])
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/^poolguard: /u, ''));
}

test.each(samples)(
  'POOLGUARD_DEBUG=verdicts says how it was decided: %s',
  (_name, body, verdict) => {
    const code = `export async function f(input, out) {\nconst client = await pool.connect();\n${body}\n}`;
    expect(verdictsOn(code).join('\n')).toMatch(verdict);
  },
);

const session =
  'class Session { async open() { this.client = await pool.connect(); } run(text) { return this.client.query(text); } close() { this.client.release(); } }';

/** Where nobody knows, the verdict does not say that the client comes back, or that somebody has it. */
const unknown: readonly (readonly [name: string, code: string, verdicts: readonly string[]])[] = [
  [
    'another checkout may fail beside it',
    "export async function f() { const [a, b] = await Promise.all([pool.connect(), pool.connect()]); try { await a.query('x'); } finally { a.release(); b.release(); } }",
    [
      'unknown (released on every path, unless another checkout of the `Promise.all` fails)',
      'unknown (released on every path, unless another checkout of the `Promise.all` fails)',
    ],
  ],
  [
    'nothing else may fail beside it',
    "export async function f() { const [a] = await Promise.all([pool.connect(), 1]); try { await a.query('x'); } finally { a.release(); } }",
    ['released (on every path)'],
  ],
  [
    'it is in a list',
    "export async function f(texts) { const clients = await Promise.all(texts.map(() => pool.connect())); for (const each of clients) await each.query('x'); for (const each of clients) each.release(); }",
    ['unknown (in the list `clients`, whose clients are not followed one by one)'],
  ],
  [
    'it is pushed to a list',
    'export async function f(texts) { const clients = []; try { for (const text of texts) clients.push(await pool.connect()); } finally { for (const each of clients) each.release(); } }',
    ['unknown (in the list `clients`, whose clients are not followed one by one)'],
  ],
  [
    'clients in a list are never released',
    "export async function f(texts) { const clients = await Promise.all(texts.map(() => pool.connect())); await clients[0].query('x'); }",
    ['reported (listNeverReleased: The function ends. Nothing releases the clients in `clients`.)'],
  ],
  [
    'a callback gives it to whoever calls it',
    'export async function f(texts) { return retry(() => pool.connect()); }',
    ['unknown (returned to `retry(() => pool.connect())`, which is not followed)'],
  ],
  [
    'an object has it and is never closed',
    `${session}\nexport async function f() { const s = new Session(); await s.open(); return await s.run('x'); }`,
    [
      'handed on (stored, captured or passed on by `this.client = await pool.connect()` (line 3), whose holder must release it)',
      'unknown (still checked out where the function ends, line 4)',
    ],
  ],
  [
    'it listens for as long as the program runs',
    "export async function f() { const c = await pool.connect(); await c.query('LISTEN x'); c.on('notification', log); }",
    ['unknown (still checked out where the function ends, line 3)'],
  ],
];

test.each(unknown)('a verdict says what is not known: %s', (_name, code, verdicts) => {
  const kinds = /^.*?: (?=(?:released|reported|handed on|lent|unknown) )/u;
  expect(verdictsOn(code).map((line) => line.replace(kinds, ''))).toEqual(verdicts);
});
