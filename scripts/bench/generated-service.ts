/** Code of the shapes that services have: imports, helpers, transactions in try/finally, late acquires, callbacks, and functions without any client. */
const checkoutShapes: readonly ((n: number) => string)[] = [
  (n) => `export async function transfer${n}(from: string, to: string, amount: number) {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const { rows } = await client.query('SELECT balance FROM account WHERE id = $1 FOR UPDATE', [from]);
    if (rows.length === 0 || rows[0].balance < amount) {
      await client.query('ROLLBACK');
      return { done: false, reason: 'insufficient' };
    }
    await client.query('UPDATE account SET balance = balance - $2 WHERE id = $1', [from, amount]);
    await client.query('UPDATE account SET balance = balance + $2 WHERE id = $1', [to, amount]);
    await client.query('COMMIT');
    return { done: true };
  } catch (error) {
    await client.query('ROLLBACK').catch((problem) => log('rollback', problem));
    throw error;
  } finally {
    client.release();
  }
}
`,
  (n) => `export async function report${n}(since: Date, limit = 100) {
  let client;
  const totals: Record<string, number> = {};
  try {
    client = await getClient();
    const result = await client.query({ text: 'SELECT kind, total FROM report WHERE day > $1 LIMIT $2', values: [since, limit] });
    for (const row of result.rows) {
      if (!row.kind) continue;
      totals[row.kind] = (totals[row.kind] ?? 0) + Number(row.total);
    }
    return Object.entries(totals).map(([kind, total]) => ({ kind: titleCase(kind), total }));
  } finally {
    if (client) client.release();
  }
}
`,
  (
    n,
  ) => `export async function order${n}(user: { id: string; name: string }, items: readonly { sku: string; count: number }[]) {
  const connection = await pool.connect();
  const began = Date.now();
  try {
    for (const item of items) {
      const stock = await reserve${n}(connection, item.sku, item.count);
      if (stock === null) throw new Error(\`\${item.sku} is gone\`);
    }
    await audit(connection, 'order', user.id, { items: items.length, tookMs: Date.now() - began });
  } finally {
    giveBack(connection);
  }
  return chargeCard(user.id, items.length);
}

async function reserve${n}(connection: PoolClient, sku: string, count: number) {
  const { rows } = await connection.query('UPDATE stock SET left = left - $2 WHERE sku = $1 AND left >= $2 RETURNING left', [sku, count]);
  return rows.length > 0 ? Number(rows[0].left) : null;
}
`,
  (
    n,
  ) => `export function legacy${n}(id: string, callback: (error: Error | null, name?: string) => void) {
  pool.connect((error, client, done) => {
    if (error || !client) return callback(error ?? new Error('no client'));
    client.query('SELECT name FROM person WHERE id = $1', [id], (failure, result) => {
      done();
      if (failure) return callback(failure);
      callback(null, titleCase(result.rows[0]?.name ?? ''));
    });
  });
}
`,
];

const plainShapes: readonly ((n: number) => string)[] = [
  (
    n,
  ) => `export function summarize${n}(orders: readonly { id: string; total: number; tags?: string[] }[], currency = 'EUR') {
  const byTag = new Map<string, number>();
  for (const { total, tags = [] } of orders) {
    for (const tag of tags) byTag.set(tag, (byTag.get(tag) ?? 0) + total);
  }
  const lines = [...byTag].sort(([, a], [, b]) => b - a).map(([tag, total]) => \`\${titleCase(tag)}: \${total.toFixed(2)} \${currency}\`);
  return { count: orders.length, lines, largest: Math.max(0, ...orders.map(({ total }) => total)) };
}
`,
  (
    n,
  ) => `export async function notify${n}(userId: string, text: string, { retries = 3, quiet = false } = {}) {
  for (let attempt = 1; attempt <= retries; attempt++) {
    try {
      const answer = await sendMail({ to: userId, text, attempt });
      if (answer.ok) return answer.id;
      if (!quiet) log('mail', answer.status, attempt);
    } catch (problem) {
      if (attempt === retries) throw problem;
      await pause(attempt * 50);
    }
  }
  return null;
}
`,
];

const head = `import type { PoolClient } from 'pg';
import { getClient, pool } from './db.ts';
import { audit } from './audit.ts';
import { log, pause, titleCase } from './helpers.ts';
import { chargeCard, sendMail } from './payments.ts';

function giveBack(client: PoolClient) {
  log('back');
  client.release();
}
`;

/** What the generated files import, by file name. */
export const neighbours: Readonly<Record<string, string>> = {
  'db.ts': `import { Pool } from 'pg';
export const pool = new Pool({ max: 10 });
export async function getClient() {
  const client = await pool.connect();
  return client;
}
`,
  'audit.ts': `import type { PoolClient } from 'pg';
export async function audit(client: PoolClient, kind: string, id: string, details: object) { await client.query('INSERT INTO audit VALUES ($1, $2, $3)', [kind, id, details]); }
`,
  'helpers.ts': `export function log(...parts: unknown[]) { console.log(...parts); }
export function titleCase(text: string) { return text.slice(0, 1).toUpperCase() + text.slice(1); }
export function pause(ms: number) { return new Promise((resolve) => setTimeout(resolve, ms)); }
`,
  'payments.ts': `export async function chargeCard(id: string, count: number) { return (await fetch('https://pay.example', { method: 'POST', body: JSON.stringify({ id, count }) })).ok; }
export async function sendMail(mail: object) { const answer = await fetch('https://mail.example', { method: 'POST', body: JSON.stringify(mail) }); return { ok: answer.ok, status: answer.status, id: String(mail) }; }
`,
};

/** A file of about `lines` lines with that many checkouts, spread evenly. */
export function generateService(lines: number, checkouts: number): string {
  const parts: string[] = [head];
  let written = countLines(head);
  let done = 0;
  for (let n = 0; done < checkouts || written < lines; n++) {
    const isCheckout =
      done < checkouts && (written >= lines || done / checkouts <= written / lines);
    const shapes = isCheckout ? checkoutShapes : plainShapes;
    const part = shapes[n % shapes.length]?.(n) ?? '';
    parts.push(part);
    written += countLines(part) + 1;
    if (isCheckout) done++;
  }
  return parts.join('\n');
}

/** A file without a pool: what most files of a project look like. */
export function generatePlainFile(lines: number): string {
  const parts = [
    "import { log, pause, titleCase } from './helpers.ts';\nimport { sendMail } from './payments.ts';\n",
  ];
  for (let n = 0, written = 2; written < lines; n++) {
    const part = plainShapes[n % plainShapes.length]?.(n) ?? '';
    parts.push(part);
    written += countLines(part) + 1;
  }
  return parts.join('\n');
}

export function countLines(text: string): number {
  return text.split('\n').length - 1;
}
