/** One function with a checkout around something that an analysis may trip over. */
export interface Nest {
  readonly name: string;
  readonly code: string;
}

const open = "import { Pool } from 'pg';\nconst pool = new Pool();\nexport async function work(input: Record<string, any>) {\n";

function times(count: number, part: (n: number) => string): string {
  return Array.from({ length: count }, (_, n) => part(n)).join('');
}

/** A checkout of the usual form with `body` inside its `try`. */
function guarded(body: string): string {
  return `${open}  const client = await pool.connect();\n  try {\n${body}\n  } finally {\n    client.release();\n  }\n}\n`;
}

/** `scale` is 1 for the sizes in the names. */
export function nests(scale = 1): readonly Nest[] {
  const many = Math.round(200 * scale);
  const long = Math.round(5000 * scale);
  return [
    { name: `${many} nested branches`, code: guarded(`${times(many, (n) => `if (input.a${n}) {\nawait client.query('SELECT ${n}');\n`)}${'} else { input.b(); }\n'.repeat(many)}`) },
    { name: `${many} nested try/finally`, code: guarded(`${'try {\n'.repeat(many)}await client.query('SELECT 1');\n${times(many, (n) => `} finally { input.f${n}(); }\n`)}`) },
    { name: `${many} nested try/catch with an awaited ROLLBACK`, code: guarded(`${'try {\n'.repeat(many)}await client.query('SELECT 1');\n${"} catch (e) { await client.query('ROLLBACK'); throw e; }\n".repeat(many)}`) },
    { name: `${many} tests of different flags, each asked twice`, code: guarded(`${times(many, (n) => `if (input.a${n}) await client.query('SELECT ${n}');\n`)}${times(many, (n) => `if (!input.a${n}) input.skip(${n});\n`)}`) },
    { name: `${many} guarded clients`, code: `${open}${times(many, (n) => `  let c${n};\n  if (input.f${n}) c${n} = await pool.connect();\n  try {\n    if (c${n}) await c${n}.query('SELECT ${n}');\n  } finally {\n    if (c${n}) c${n}.release();\n  }\n`)}}\n` },
    { name: `${many} statements, each left by a return`, code: guarded(times(many, (n) => `if (await client.query('SELECT ${n}')) return ${n};\n`)) },
    { name: `a sum of ${long} terms`, code: guarded(`const sum = input.x${times(long, (n) => ` + input.x${n % 10}`)};\nawait client.query('SELECT $1', [sum]);`) },
    { name: `an and-chain of ${long} terms`, code: guarded(`if (input.x${times(long, (n) => ` && input.x${n % 10}`)}) await client.query('SELECT 1');`) },
    { name: `an else-if chain of ${long} links`, code: guarded(`if (input.x) input.f();\n${times(long, (n) => `else if (input.x === ${n}) input.f(${n});\n`)}`) },
    { name: `a call chain of ${Math.round(long / 5)} links`, code: guarded(`input.start()${times(Math.round(long / 5), (n) => `\n.step(${n})`)};`) },
    { name: `a list of ${long} statements`, code: guarded(times(long, (n) => `input.f(${n});\n`)) },
    { name: `${many} nested functions`, code: guarded(`${times(many, (n) => `const f${n} = async () => {\n`)}await client.query('SELECT 1');\n${times(many, () => '};\n')}`) },
    { name: `${many} nested loops and labels`, code: guarded(`${times(Math.round(many / 4), (n) => `l${n}: for (const x${n} of input.list) {\n`)}if (await client.query('SELECT 1')) break l0; else continue l1;\n${'}\n'.repeat(Math.round(many / 4))}`) },
  ];
}
