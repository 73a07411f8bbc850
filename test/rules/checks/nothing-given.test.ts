import { describe } from 'vitest';
import { checkRule } from '../../support/marked.ts';

describe('knows what a helper asks where nothing is given', () => {
  checkRule('no-nested-checkout', [
    {
      name: 'a default that is taken out of options, and a parameter that is set to it',
      code: `
type Db = Pool | PoolClient;
const a = (id, options: { db?: Db } = {}) => { const { db = pool } = options; return db.query('x', [id]); };
const b = (id, db?: Db) => { if (!db) db = pool; return db.query('x', [id]); };
const c = (id, db?) => { db ??= pool; return db.query('x', [id]); };
const e = (id, db: Db = pool) => db.query('x', [id]);
const d = (id, db?) => { db = db || pool; return db.query('x', [id]); };
async function f() {
  const client = await pool.connect();
  try {
    await a(1);
//        ^^^^ helper
    await b(1, undefined);
//        ^^^^^^^^^^^^^^^ helper
    await c(1);
//        ^^^^ helper
    await d(1);
//        ^^^^ helper
    await e(1, undefined);
//        ^^^^^^^^^^^^^^^ helper
  } finally { client.release(); }
}
async function g() {
  const client = await pool.connect();
  try { await a(1, { db: client }); await b(1, client); await c(1, client); await d(1, client); await e(1, client); } finally { client.release(); }
}`,
    },
    {
      name: 'another pool, and what nobody knows',
      code: `
const other = new Pool();
const a = (id, db?) => { db ??= other; return db.query('x', [id]); };
const b = (id, db?) => { db ??= pool; return db.query('x', [id]); };
async function f(given, options) {
  const client = await pool.connect();
  try { await a(1); await b(1, given); await b(1, options.db); } finally { client.release(); }
}`,
    },
  ]);
});
