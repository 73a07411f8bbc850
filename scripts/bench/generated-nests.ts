/** One function with a checkout around something that an analysis may trip over. */
export interface Nest {
  /** What there is `size` of. */
  readonly name: string;
  readonly size: number;
  readonly code: (size: number) => string;
}

const open =
  "import { Pool } from 'pg';\nconst pool = new Pool();\nexport async function work(input: Record<string, any>) {\n";

function times(count: number, part: (n: number) => string): string {
  return Array.from({ length: count }, (_, n) => part(n)).join('');
}

/** A checkout of the usual form with `body` inside its `try`. */
function guarded(body: string): string {
  return `${open}  const client = await pool.connect();\n  try {\n${body}\n  } finally {\n    client.release();\n  }\n}\n`;
}

/** With `scale` 1 the sizes are 200 and 5,000. */
export function nests(scale = 1): readonly Nest[] {
  const many = Math.round(200 * scale);
  const long = Math.round(5000 * scale);
  return [
    {
      name: 'nested branches',
      size: many,
      code: (size) =>
        guarded(
          `${times(size, (n) => `if (input.a${n}) {\nawait client.query('SELECT ${n}');\n`)}${'} else { input.b(); }\n'.repeat(size)}`,
        ),
    },
    {
      name: 'nested try/finally',
      size: many,
      code: (size) =>
        guarded(
          `${'try {\n'.repeat(size)}await client.query('SELECT 1');\n${times(size, (n) => `} finally { input.f${n}(); }\n`)}`,
        ),
    },
    {
      name: 'nested try/catch with an awaited ROLLBACK',
      size: many,
      code: (size) =>
        guarded(
          `${'try {\n'.repeat(size)}await client.query('SELECT 1');\n${"} catch (e) { await client.query('ROLLBACK'); throw e; }\n".repeat(size)}`,
        ),
    },
    {
      name: 'tests of different flags, each asked twice',
      size: many,
      code: (size) =>
        guarded(
          `${times(size, (n) => `if (input.a${n}) await client.query('SELECT ${n}');\n`)}${times(size, (n) => `if (!input.a${n}) input.skip(${n});\n`)}`,
        ),
    },
    {
      name: 'guarded clients',
      size: many,
      code: (size) =>
        `${open}${times(size, (n) => `  let c${n};\n  if (input.f${n}) c${n} = await pool.connect();\n  try {\n    if (c${n}) await c${n}.query('SELECT ${n}');\n  } finally {\n    if (c${n}) c${n}.release();\n  }\n`)}}\n`,
    },
    {
      name: 'statements, each left by a return',
      size: many,
      code: (size) =>
        guarded(times(size, (n) => `if (await client.query('SELECT ${n}')) return ${n};\n`)),
    },
    {
      name: 'terms in one sum',
      size: long,
      code: (size) =>
        guarded(
          `const sum = input.x${times(size, (n) => ` + input.x${n % 10}`)};\nawait client.query('SELECT $1', [sum]);`,
        ),
    },
    {
      name: 'terms in one and-chain',
      size: long,
      code: (size) =>
        guarded(
          `if (input.x${times(size, (n) => ` && input.x${n % 10}`)}) await client.query('SELECT 1');`,
        ),
    },
    {
      name: 'links of one else-if chain',
      size: long,
      code: (size) =>
        guarded(
          `${times(size, (n) => `if (input.a${n}) await client.query('SELECT ${n}'); else `)}{}`,
        ),
    },
    {
      name: 'members of one chain',
      size: many,
      code: (size) =>
        guarded(`await client.query('SELECT $1', [input${times(size, (n) => `.x${n}`)}]);`),
    },
    {
      name: 'steps that put one statement together',
      size: many,
      code: (size) =>
        guarded(
          `let text = 'SELECT 1';\n${times(size, (n) => `if (input.a${n}) text = \`\${text} AND ${n}\`;\n`)}await client.query(text);`,
        ),
    },
    {
      name: 'links in one else-if chain',
      size: long,
      code: (size) =>
        guarded(
          `if (input.x) input.f();\n${times(size, (n) => `else if (input.x === ${n}) input.f(${n});\n`)}`,
        ),
    },
    {
      name: 'links in one call chain',
      size: Math.round(long / 5),
      code: (size) => guarded(`input.start()${times(size, (n) => `\n.step(${n})`)};`),
    },
    {
      name: 'statements in one list',
      size: long,
      code: (size) => guarded(times(size, (n) => `input.f(${n});\n`)),
    },
    {
      name: 'nested functions',
      size: many,
      code: (size) =>
        guarded(
          `${times(size, (n) => `const f${n} = async () => {\n`)}await client.query('SELECT 1');\n${times(size, () => '};\n')}`,
        ),
    },
    {
      name: 'nested loops and labels',
      size: Math.round(many / 4),
      code: (size) =>
        guarded(
          `${times(size, (n) => `l${n}: for (const x${n} of input.list) {\n`)}if (await client.query('SELECT 1')) break l0; else continue l1;\n${'}\n'.repeat(size)}`,
        ),
    },
  ];
}
