import { Linter } from 'eslint';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import plugin from '../../rules/index.ts';

/** Code that is longer or deeper than anybody writes: every rule together answers, without a mistake of its own. What grew with each part would not end within the time limit of a test. */

beforeEach(() => {
  vi.stubEnv('POOLGUARD_DEBUG', '1');
});

afterEach(() => {
  vi.unstubAllEnvs();
});

const open =
  "import { Pool } from 'pg';\nconst pool = new Pool();\nexport async function work(input, given) {\n";

function guarded(body: string): string {
  return `${open}const client = await pool.connect();\ntry {\n${body}\n} finally {\nclient.release();\n}\n}\n`;
}

/** The acquire leaks, so that a function that is followed to its end is told from one that is unknown. */
function leaking(body: string): string {
  return `${open}const client = await pool.connect();\n${body}\nclient.release();\n}\n`;
}

function times(count: number, part: (n: number) => string): string {
  return Array.from({ length: count }, (_, n) => part(n)).join('');
}

function reportsOf(code: string): readonly (string | null)[] {
  const rules = Object.fromEntries(
    Object.keys(plugin.rules ?? {}).map((id) => [`poolguard/${id}`, 'error' as const]),
  );
  const messages = new Linter().verify(code, [{ plugins: { poolguard: plugin }, rules }]);
  return messages.map(({ ruleId, message }) => ruleId ?? message);
}

const followed: readonly (readonly [name: string, body: string])[] = [
  [
    'a statement that is put together in 40 steps, each from the text before',
    `let q = 'SELECT 1';\n${times(40, (n) => `if (input.a${n % 3} && input.b${n % 2}) q = \`\${q} AND x${n} = ?\`;\n`)}await client.query(q);`,
  ],
  [
    'statements made of one another',
    `let q0 = 'SELECT 1', q1 = q0;\n${times(30, (n) => `q${n % 2} = \`\${q0} \${q1} \${q0} ${n}\`;\n`)}await client.query(q0 + q1);`,
  ],
  [
    'a chain of 60 members',
    `await client.query('SELECT $1', [input${times(60, (n) => `.a${n}`)}]);`,
  ],
  [
    'a test of 200 flags',
    `if (input.a${times(200, (n) => ` && input.x${n}`)}) await client.query('SELECT 1');`,
  ],
  [
    'a choice among 200',
    `${times(200, (n) => `if (input.a === ${n}) given(${n}); else `)}{}\nawait client.query('SELECT 1');`,
  ],
  [
    'a result that is assigned 2,000 times',
    `let result;\n${times(2000, (n) => `result = given(${n});\n`)}await client.query('SELECT 1');`,
  ],
];

test.each(followed)('%s is followed', (_name, body) => {
  expect(reportsOf(leaking(body))).toContain('poolguard/no-unreleased-client');
});

/** Each field of `input` is copied, and asked for once more: every combination of them is a way of its own. */
function optionalFields(count: number): string {
  const copies = times(count, (n) => `if (input.a${n}) out.a${n} = input.a${n};\n`);
  const uses = times(count, (n) => `if (input.a${n}) given(input.a${n});\n`);
  return `const out = {};\n${copies}await client.query('SELECT $1', [out]);\n${uses}`;
}

const manyWays: readonly (readonly [name: string, body: string])[] = [
  ['1,000 queries', times(1000, (n) => `await client.query('SELECT ${n}');\n`)],
  [
    '1,000 queries that nobody waits for',
    `${times(1000, (n) => `client.query('SELECT ${n}');\n`)}await given();\n`,
  ],
  ['300 settings of the session', times(300, (n) => `await client.query('SET app.a${n} = 1');\n`)],
  ['300 listeners', times(300, (n) => `client.on('a${n}', given);\nawait given(${n});\n`)],
  ['8 optional fields', optionalFields(8)],
  ['14 optional fields', optionalFields(14)],
  [
    '14 flags',
    `${times(14, (n) => `let flag${n} = false;\nif (input.a${n} > 1) flag${n} = true;\n`)}${times(14, (n) => `if (flag${n}) await client.query('SELECT ${n}');\n`)}`,
  ],
];

test.each(manyWays)('%s: a leak is seen', (_name, body) => {
  expect(reportsOf(leaking(body))).toContain('poolguard/no-unreleased-client');
});

test.each(manyWays)('%s: a release is seen', (_name, body) => {
  expect(reportsOf(guarded(body))).not.toContain('poolguard/no-unreleased-client');
});

test.each(manyWays)('%s: a release that two tests share is seen', (_name, body) => {
  const shared = 'if (input.b) client.release();\nif (!input.b) client.release();';

  expect(reportsOf(guarded(body).replace('client.release();', shared))).not.toContain(
    'poolguard/no-unreleased-client',
  );
});

const deep: readonly (readonly [name: string, code: string])[] = [
  [
    'an if/else chain',
    guarded(
      `${times(1250, (n) => `if (input.a${n}) { await client.query('SELECT ${n}'); } else `)}{}`,
    ),
  ],
  [
    'an and-chain',
    guarded(`if (input.a${times(1250, (n) => ` && input.x${n}`)}) await client.query('SELECT 1');`),
  ],
  ['a sum', guarded(`await client.query('SELECT 1'${times(1250, (n) => ` + input.x${n % 10}`)});`)],
  ['a chain of members', guarded(`await client.query(input${times(1250, (n) => `.a${n}`)});`)],
  ['a chain of calls', guarded(`await client.query(input${times(1000, (n) => `.a${n}()`)});`)],
  [
    'a choice in a choice',
    guarded(`await client.query(${times(1000, (n) => `input.a${n} ? '${n}' : `)}'x');`),
  ],
  ['a call in a call', guarded(`await client.query(${'given('.repeat(250)}1${')'.repeat(250)});`)],
  [
    'a list in a list',
    guarded(`await client.query('SELECT 1', ${'['.repeat(250)}1${']'.repeat(250)});`),
  ],
  [
    'a block in a block',
    guarded(`${'{'.repeat(1000)}await client.query('SELECT 1');${'}'.repeat(1000)}`),
  ],
  [
    'a chain of promises',
    `${open}return pool.connect().then((client) => client.query('SELECT 1')${times(500, (n) => `.then(() => client.query('SELECT ${n}'))`)}.finally(() => client.release()));\n}\n`,
  ],
];

test.each(deep)('%s with hundreds of parts is no harm', (_name, code) => {
  expect(reportsOf(code)).not.toContain('poolguard/no-unreleased-client');
  expect(reportsOf(code).filter((each) => each?.startsWith('poolguard/') !== true)).toEqual([]);
});

test('hundreds of clients in one function are followed as far as that is fast, and the next function is followed again', () => {
  const clients = times(
    120,
    (n) =>
      `let c${n};\nif (input.f${n}) c${n} = await pool.connect();\ntry {\nif (c${n}) await c${n}.query('SELECT ${n}');\n} finally {\nif (c${n}) c${n}.release();\n}\n`,
  );

  expect(
    reportsOf(
      `${leaking(clients)}${leaking("await client.query('SELECT 1');").replace(open, 'export async function next() {\n')}`,
    ).filter((each) => each === 'poolguard/no-unreleased-client'),
  ).toHaveLength(2);
});
