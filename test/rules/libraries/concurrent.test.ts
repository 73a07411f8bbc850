import { describe } from 'vitest';
import { checkRule, withHeader } from '../../support/marked.ts';

const rule = 'no-concurrent-client-query';

/** The call of a combinator with the mark under it. */
function reported(before: string, call: string, after: string): string {
  const indent = before.slice(before.lastIndexOf('\n') + 1).length;
  return `${before}${call};\n//${' '.repeat(indent - 2)}${'^'.repeat(call.length)} overHandle\n${after}`;
}

const models = `
import knexOf from 'knex';
import { Model } from 'objection';
const knex = knexOf({ client: 'pg' });
class User extends Model {}
class Post extends Model {}
async function save(trx, row) { await Post.query(trx).insert(row); }
async function saveIn({ trx, row }) { await Post.query(trx).insert(row); }
async function saveOf(given) { await Post.query(given.trx).insert(given.row); }
async function saveSome(trx, row) { if (row) await Post.query(trx).insert(row); }
async function saveIf(trx, isWanted) { if (isWanted) await Post.query(trx).insert({}); }`;

const inTransaction = (call: string): string =>
  reported(
    `\nexport async function run(rows) {\n  await User.transaction(async (trx) => {\n    await `,
    call,
    '  });\n}',
  );

describe('several queries at a time over a transaction that they are told of', () => {
  checkRule(
    rule,
    withHeader(models, [
      {
        name: 'as an argument, in each round',
        code: inTransaction('Promise.all(rows.map((row) => User.query(trx).insert(row)))'),
      },
      {
        name: 'as an argument, of two models',
        code: inTransaction(
          'Promise.all([User.query(trx).insert({}), Post.query(trx).insert({})])',
        ),
      },
      {
        name: 'by a method of the builder',
        code: inTransaction(
          "Promise.all([knex('a').insert({}).transacting(trx), knex('b').insert({}).transacting(trx)])",
        ),
      },
      {
        name: 'in a helper',
        code: inTransaction('Promise.all(rows.map((row) => save(trx, row)))'),
      },
      {
        name: 'in a helper that takes an object apart',
        code: inTransaction('Promise.all(rows.map((row) => saveIn({ trx, row })))'),
      },
      {
        name: 'in a helper that reads a member, and in another one',
        code: inTransaction('Promise.all([saveOf({ trx, row: 1 }), save(trx, 2)])'),
      },
      {
        name: 'are not several where a helper may send none, where there is one, and where each waits',
        code: `
export async function run(rows) {
  await User.transaction(async (trx) => {
    await Promise.all([saveSome(trx, rows[0]), saveSome(trx, rows[1])]);
    await Promise.all(rows.map((row) => saveIf(trx, options.isWanted)));
    await Promise.all([save(trx, 1), hash(rows)]);
    for (const row of rows) await save(trx, row);
  });
}`,
      },
      {
        name: 'of which one depends on a test',
        code: inTransaction('Promise.all([save(trx, 1), rows[0] && save(trx, 2)])'),
      },
      {
        name: 'are not several where each depends on a test of its own',
        code: `
export async function run(rows) {
  await User.transaction(async (trx) => {
    await Promise.all([rows[0] ? save(trx, 1) : 0, !rows[0] && save(trx, 2)]);
  });
}`,
      },
      {
        name: 'of which one depends on an argument that is left out',
        code: `
async function sort(trx, since) {
  await Promise.all([User.query(trx).max('at'), !since && Post.query(trx).max('at')]);
}
export async function run(since) {
  await User.transaction(async (trx) => {
    await sort(trx);
    //    ^^^^^^^^^ inHelper
    await sort(trx, since);
  });
}`,
      },
      {
        name: 'go over transactions of their own',
        code: `
export async function run(rows) {
  await Promise.all(rows.map((row) => User.transaction(async (trx) => { await save(trx, row); })));
}`,
      },
    ]),
  );

  checkRule(
    rule,
    withHeader(
      `
import { Model, Sequelize } from 'sequelize';
const sequelize = new Sequelize(url);
class Account extends Model {}`,
      [
        {
          name: 'as an option',
          code: reported(
            '\nexport async function run(rows) {\n  await sequelize.transaction(async (transaction) => {\n    await ',
            'Promise.all(rows.map((row) => Account.create(row, { transaction })))',
            '  });\n}',
          ),
        },
      ],
    ),
  );
});

describe("several queries at a time over a transaction of TypeORM's", () => {
  checkRule(
    rule,
    withHeader(
      `
import { DataSource } from 'typeorm';
const dataSource = new DataSource(options);`,
      [
        {
          name: 'manager',
          code: reported(
            '\nexport async function run(ids) {\n  await dataSource.transaction(async (manager) => {\n    await ',
            'Promise.all(ids.map((id) => manager.delete(Log, id)))',
            '  });\n}',
          ),
        },
        {
          name: 'query runner',
          code: reported(
            `
export async function run(ids) {
  const runner = dataSource.createQueryRunner();
  try {
    await `,
            'Promise.all(ids.map((id) => runner.manager.delete(Log, id)))',
            '  } finally {\n    await runner.release();\n  }\n}',
          ),
        },
      ],
    ),
  );
});

describe('a need that somebody else meets', () => {
  checkRule(
    'no-nested-checkout',
    withHeader(
      `${models}
async function within(given, work) {
  if (work === undefined) return knex.transaction(given);
  if (isTransaction(given)) return work(given);
  return knex.transaction(work);
}
async function move({ trx, row }) {
  await within(trx, async (inner) => { await User.query(inner).insert(row); });
}`,
      [
        {
          name: 'is none where a guard has found a transaction, and uses it',
          code: `
export async function run(row) {
  await knex.transaction(async (trx) => {
    await move({ trx, row });
  });
}`,
        },
        {
          name: 'is one where none is given',
          code: `
export async function run(row) {
  await knex.transaction(async (trx) => {
    await move({ row });
    //    ^^^^^^^^^^^^^ outsideInHelper
  });
}`,
        },
      ],
    ),
  );
  checkRule(
    'no-nested-checkout',
    withHeader("import postgres from 'postgres';\nconst sql = postgres(url);", [
      {
        name: 'a fragment that is folded into a statement sends nothing',
        code: `
export async function run(parts) {
  await sql.begin(async (tx) => {
    await tx\`SELECT \${parts.reduce((all, part) => sql\`\${all}, \${part}\`)}\`;
  });
}`,
      },
    ]),
  );
});
