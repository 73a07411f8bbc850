import { describe } from 'vitest';
import { checkRule, withHeader } from '../../support/marked.ts';

const rule = 'no-concurrent-client-query';

/** A transaction over `tx`, with the mark under the `Promise.all` of its last line. */
function reported(body: string, list: string): string {
  const call = `Promise.all(${list})`;
  return `
export async function run(rows, given) {
  await knex.transaction(async (tx) => {${body}
    await ${call};
    //    ${'^'.repeat(call.length)} overHandle
  });
}`;
}

function silent(body: string): string {
  return `
export async function run(rows, given, wanted) {
  await knex.transaction(async (tx) => {
    ${body}
  });
}`;
}

const knex = `
import knexOf from 'knex';
import pMap from 'p-map';
const knex = knexOf({ client: 'pg' });
async function save(tx, row) { await tx('a').insert(row); }
async function saveNew(tx, row) {
  const [known] = await load(row.id);
  if (known) return;
  await tx('a').insert(row);
}`;

describe('several rounds of which each may query', () => {
  checkRule(
    rule,
    withHeader(knex, [
      {
        name: 'under a condition of the element',
        code: reported('', 'rows.map(async (row) => { if (row.isNew) await save(tx, row); })'),
      },
      {
        name: 'behind a round that leaves',
        code: reported(
          '',
          'rows.map(async (row) => { if (!row.isNew) return; await save(tx, row); })',
        ),
      },
      {
        name: 'under a condition that is the same in all rounds',
        code: reported('', 'rows.map(async (row) => { if (given.length) await save(tx, row); })'),
      },
      {
        name: 'on either branch',
        code: reported(
          '',
          'rows.map(async (row) => { if (row.id) await save(tx, row); else await tx("b").insert(row); })',
        ),
      },
      {
        name: 'in a helper that decides by what it finds of the element',
        code: reported('', 'rows.map((row) => saveNew(tx, row))'),
      },
      {
        name: 'not where only one round is meant',
        code: silent(`await Promise.all(rows.map(async (row, index) => { if (index === 0) await save(tx, row); }));
    await Promise.all(rows.map(async (row) => { if (row.id === wanted.id) await save(tx, row); }));
    let done = false;
    await Promise.all(rows.map(async (row) => { if (!done) { done = true; await save(tx, row); } }));`),
      },
      {
        name: 'not of a list of one, and not where each is awaited before',
        code: silent(`await Promise.all([rows[0]].map((row) => save(tx, row)));
    await Promise.all([rows[0] ? save(tx, rows[0]) : null, rows[1] && save(tx, rows[1])]);
    await Promise.all(rows.map(async (row) => { await hash(row); }));`),
      },
    ]),
  );
});

describe('promises that are kept in a list', () => {
  checkRule(
    rule,
    withHeader(knex, [
      {
        name: 'in a loop',
        code: reported(
          '\n    const jobs = [];\n    for (const row of rows) jobs.push(save(tx, row));',
          'jobs',
        ),
      },
      {
        name: 'in a callback for each',
        code: reported(
          '\n    const jobs = [];\n    rows.forEach((row) => { jobs.push(tx("a").insert(row)); });',
          'jobs',
        ),
      },
      {
        name: 'one after the other',
        code: reported('\n    const jobs = [save(tx, 1)];\n    jobs.push(save(tx, 2));', 'jobs'),
      },
      {
        name: 'spread beside another one',
        code: reported('', '[...rows.map((row) => save(tx, row)), save(tx, 2)]'),
      },
      {
        name: 'made in a constant before',
        code: reported(
          '\n    const jobs = rows.map(async (row) => { await save(tx, row); });',
          'jobs',
        ),
      },
      {
        name: 'of entries, by a function of the callback',
        code: reported(
          '\n    const each = async ([, row]) => { await tx("a").insert(row); };',
          'Object.entries(rows).map(each)',
        ),
      },
      {
        name: 'are not several when they are awaited, or when one may be pushed',
        code: silent(`const jobs = [];
    for (const row of rows) jobs.push(await save(tx, row));
    await Promise.all(jobs);
    const some = [];
    if (wanted) some.push(save(tx, 1));
    else some.push(save(tx, 2));
    await Promise.all(some);`),
      },
      {
        name: 'are not of one connection in rounds that have one each',
        code: `
export async function run(rows) {
  const jobs = [];
  for (const row of rows) jobs.push(knex.transaction(async (tx) => { await save(tx, row); }));
  await Promise.all(jobs);
}`,
      },
    ]),
  );
});

describe('what was made over the handle', () => {
  checkRule(
    rule,
    withHeader(
      `${knex}
const finder = (db) => (table) => { const name = table; return async (id) => { try { return await db(name).where({ id }); } catch (error) { throw error; } }; };
function queriesOf(db) { const list = async () => db('a').select(); return { list, count: async () => db('a').count() }; }
class Users {
  constructor(private readonly db, private readonly other) {}
  async list() { return this.db('a').select(); }
  async first() { return await this.list(); }
  async cached() { return this.other.get('a'); }
}
class Posts {
  constructor(db) { this.db = db; }
  async list() { return this.db('a').select(); }
}`,
      [
        {
          name: 'functions that functions gave',
          code: reported(
            "\n    const a = finder(tx)('a');\n    const b = finder(tx)('b');",
            '[a(1), b(2)]',
          ),
        },
        {
          name: 'functions of an object',
          code: reported(
            '\n    const queries = queriesOf(tx);',
            '[queries.list(), queries.count()]',
          ),
        },
        {
          name: 'functions that are taken from an object',
          code: reported('\n    const { list, count } = queriesOf(tx);', '[list(), count()]'),
        },
        {
          name: 'services',
          code: reported(
            '\n    const users = new Users(tx);\n    const posts = new Posts(tx);',
            '[users.first(), posts.list()]',
          ),
        },
        {
          name: 'an object that is handed on',
          code: reported(
            '\n    const given = { tx, row: 1 };\n    const saveOf = async (options) => { const { tx: db } = options; await db("a").select(); };',
            '[saveOf(given), saveOf({ tx })]',
          ),
        },
        {
          name: 'not over a handle of its own',
          code: silent(`const users = new Users(cache, tx);
    await Promise.all([finder(knex)('a')(1), users.cached(), users.cached()]);`),
        },
      ],
    ),
  );
});

describe('queries that join the transaction around them', () => {
  checkRule(
    rule,
    withHeader(
      `
import { Repository } from 'typeorm';
import { InjectRepository } from '@nestjs/typeorm';
import { Transactional } from 'typeorm-transactional';
import { User } from './user';
class Inventory {
  constructor(@InjectRepository(User) private readonly users: Repository<User>) {}
  async decrease(id: string) { await this.users.createQueryBuilder().update(User).where(id).execute(); }
  build(id: string) { return this.users.create({ id }); }
  @Transactional({ propagation: 'REQUIRES_NEW' })
  async apart(id: string) { await this.users.save({ id }); }
}`,
      [
        {
          name: 'in a service, and by themselves',
          code: `
export class Orders {
  constructor(private readonly inventory: Inventory, @InjectRepository(User) private readonly users: Repository<User>) {}
  @Transactional()
  async create(items: string[]) {
    await Promise.all(items.map((item) => this.inventory.decrease(item)));
    //    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ overAmbient
    await Promise.all([this.users.find(), this.users.count()]);
    //    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ overAmbient
    await Promise.all(items.map((item) => this.inventory.build(item)));
    await Promise.all(items.map((item) => this.inventory.apart(item)));
  }
  async list(items: string[]) {
    await Promise.all(items.map((item) => this.inventory.decrease(item)));
  }
}`,
        },
      ],
    ),
  );
});

describe('a helper that starts several over the handle that it is given', () => {
  checkRule(
    rule,
    withHeader(
      `
import { drizzle } from 'drizzle-orm/node-postgres';
import { Pool } from 'pg';
import { createAll, loadAll, loadEach, loadBoth } from './helpers.ts';
const db = drizzle(new Pool());`,
      [
        {
          name: 'is reported where it is given it',
          files: {
            'helpers.ts': `
const upsert = (db) => async (row) => { await db.insert(t).values(row); };
export const createAll = (db) => async ({ rows }) => {
  if (rows.length > 0) {
    const all = Object.entries(rows).map(async ([, row]) => { try { await upsert(db)(row); } catch (error) { throw error; } });
    await Promise.all(all);
  }
};
export async function loadAll({ tx }) { return inside(tx); }
async function inside(tx) { return Promise.all([tx.select().from(t), tx.select().from(u)]); }
export async function loadEach(tx, rows) { for (const row of rows) await upsert(tx)(row); await Promise.all([upsert(tx)(1), hash(2)]); }
export async function loadBoth(tx, cache) { return Promise.all([cache.get(1), cache.get(2)]); }`,
          },
          code: `
export async function run(rows) {
  await db.transaction(async (tx) => {
    await createAll(tx)({ rows });
    //    ^^^^^^^^^^^^^^^^^^^^^^^ inHelper
    await loadAll({ tx });
    //    ^^^^^^^^^^^^^^^ inHelper
    await loadEach(tx, rows);
    await loadBoth(tx, cache);
    await loadAll({ tx: db });
  });
}`,
        },
      ],
    ),
  );
});

describe('transactions inside one', () => {
  checkRule(
    rule,
    withHeader(
      `
import { drizzle } from 'drizzle-orm/node-postgres';
import knexOf from 'knex';
import { Pool } from 'pg';
const db = drizzle(new Pool());
const knex = knexOf({ client: 'pg' });`,
      [
        {
          name: 'get in the way of each other',
          code: `
export async function run(a, b) {
  await db.transaction(async (tx) => {
    await Promise.all([tx.transaction(a), tx.transaction(b)]);
    //    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ nestedTogether
  });
}`,
        },
        {
          name: 'wait for each other in some libraries, or come one after the other',
          code: `
export async function run(a, b) {
  await knex.transaction(async (tx) => {
    await Promise.all([tx.transaction(a), tx.transaction(b)]);
  });
  await db.transaction(async (tx) => {
    await tx.transaction(a);
    await Promise.all([tx.transaction(b), hash(b)]);
  });
}`,
        },
      ],
    ),
  );
});

describe('queries that are told of the transaction by options which a helper is given', () => {
  checkRule(rule, [
    {
      name: 'several of them',
      header: '',
      code: `
import { Model, Sequelize } from 'sequelize';
const sequelize = new Sequelize(url);
class User extends Model {}
async function save(options, rows) {
  await Promise.all(rows.map((row) => User.create(row, options)));
}
async function saveOutside({ ...others }, rows) {
  await Promise.all(rows.map((row) => User.create(row, others)));
}
export async function run(rows) {
  await sequelize.transaction(async (transaction) => {
    await save({ transaction }, rows);
    //    ^^^^^^^^^^^^^^^^^^^^^^^^^^^ inHelper
    await saveOutside({ rows }, rows);
  });
}`,
    },
  ]);
});
