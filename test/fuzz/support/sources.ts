import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { program } from '../../rules/oracle/generate.ts';
import { printProgram } from '../../rules/oracle/print-program.ts';
import { sourceOf } from '../../rules/oracle/verdict.ts';
import { mutated } from './pieces.ts';

const root = join(import.meta.dirname, '../../..');

/** Real code of the repository in which something is found, and code that is meant to hurt. */
const samples: readonly string[] = [
  'examples/leaky-api/src',
  'examples/healthy-api/src',
  'test/fixtures/suggestions',
  'monitor/watch',
  'src/database',
]
  .flatMap(filesIn)
  .filter((text) => text.length < 12_000);

function filesIn(folder: string): readonly string[] {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => /\.[cm]?[jt]s$/u.test(name) && !name.includes('node_modules'))
    .map((name) => readFileSync(join(root, folder, name), 'utf8'));
}

const put = [
  '(',
  ')',
  '{',
  '}',
  '[',
  ']',
  '`',
  '${',
  '"',
  "'",
  '/*',
  '*/',
  '//',
  ';',
  ',',
  '?.',
  '!',
  '...',
  '=>',
  'await ',
  'return ',
  'throw ',
  'yield ',
  'async ',
  'function* ',
  'try { ',
  '} finally { ',
  '} catch { ',
  'for (;;) ',
  'while (client) ',
  'x: ',
  'break x;',
  'continue;',
  'switch (a) { case 1: ',
  'client',
  '.release()',
  'release(true)',
  'pool',
  '.connect()',
  '.query(',
  "'BEGIN'",
  "'SET x = 1'",
  'new Pool(',
  'class A { ',
  '#p',
  'static { ',
  'using c = ',
  '<T,>',
  ' as any',
  'satisfies ',
  '@d ',
  'import("pg")',
  'export default ',
  '/a/u',
  '\\',
  '\0',
  '\u2028',
  '\uFEFF',
  '\r',
  '😀',
  'eslint-disable-next-line poolguard/no-unreleased-client',
  '/* eslint poolguard/no-unreleased-client: [2, {"x": 1}] */',
];

/** Programs of people, a little broken; most still parse. */
export const brokenSource: fc.Arbitrary<string> = fc.oneof(
  mutated(samples, put, 3),
  mutated(samples, put, 12),
);

const component = `import { Pool } from 'pg';
const pool = new Pool();
export default async function Orders({ id, ...rest }: { readonly id: number }) {
  const client = await pool.connect();
  try {
    const { rows } = await client.query('SELECT * FROM orders WHERE id = $1', [id]);
    return <ul {...rest}>{rows.map((row) => <li key={row.id} onClick={async () => { const other = await pool.connect(); other.release(); }}>{row.name} &amp; more</li>)}<></></ul>;
  } finally {
    client.release();
  }
}
`;

/** Components that ask the database themselves. */
export const brokenComponent: fc.Arbitrary<string> = mutated(
  [component],
  [
    ...put,
    '<p>',
    '</p>',
    '<>',
    '</>',
    '<a.b ',
    '/>',
    '{...x}',
    '{/* x */}',
    'a="',
    '&nbsp;',
    '<pool.connect />',
    '{await client.query(1)}',
  ],
  6,
);

/** Programs around checkouts that the analysis has not been told the answer of. */
export const generatedSource: fc.Arbitrary<string> = program.map((each) =>
  sourceOf(printProgram(each)),
);

type Nest = (inner: string, index: number) => string;

const nests: readonly Nest[] = [
  (inner) => `try { ${inner} } finally { await client.query('x'); }`,
  (inner) =>
    `try { ${inner} } catch (e) { if (e.a) throw e; } finally { if (q) client.release(); }`,
  (inner, index) =>
    `l${index}: for (const a of b) { ${inner}; if (a) continue l${index}; if (b) break l${index}; }`,
  (inner, index) =>
    `switch (a) { case ${index}: ${inner} default: ${inner.length < 300 ? inner : ''} }`,
  (inner) =>
    `if (p && (q || await r())) { ${inner} } else { ${inner.length < 300 ? inner : 'client.release();'} }`,
  (inner) => `await (async () => { ${inner} })();`,
  (inner) =>
    `await client.query('x').then(async () => { ${inner} }).catch(() => {}).finally(() => client.release());`,
  (inner) =>
    `for await (const a of (function* () { yield* ${'['.repeat(3)}${']'.repeat(3)}; })()) { ${inner} }`,
  (inner) => `{ let client = await pool.connect(); ${inner} }`,
  (inner) => `do { ${inner} } while (a ? b : c);`,
  (inner) =>
    `void [(client.release(), 1), \`\${await client.query('x')}\`, a?.b?.[c], d ?? (e ||= f)]; ${inner}`,
];

/** Programs deeper than people write them, of forms that multiply the ways through a function. */
export const nestedSource: fc.Arbitrary<string> = fc
  .array(fc.nat(nests.length - 1), { maxLength: 24 })
  .map((all) => {
    const body = all.reduce<string>(
      (inner, nest, index) => nests[nest]?.(inner, index) ?? inner,
      "await client.query('SELECT 1');",
    );
    return `import { Pool } from 'pg';\nconst pool = new Pool();\nexport async function f(p, q, r, a, b) {\n  const client = await pool.connect();\n  ${body}\n  client.release();\n}\n`;
  });
