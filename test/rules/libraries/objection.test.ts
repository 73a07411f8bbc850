import { describe } from 'vitest';
import { checkRule, withHeader, type Sample } from '../../support/marked.ts';
import { markedCalls } from '../../support/marked-calls.ts';

const header = `
import createKnex from 'knex';
import { Model, transaction, type Transaction } from 'objection';
import { BaseModel } from './base';
const knex = createKnex({ client: 'pg' });
Model.knex(knex);
class User extends BaseModel {
  static active() {
    return this.query().where('active', true);
  }
  static async first(trx?: Transaction) {
    return await this.query(trx).first();
  }
  async touch(trx) {
    await this.$query(trx).patch({ at: 1 });
  }
}
class Post extends Model {}`;

const base = `
import { Model } from 'objection';
export class BaseModel extends Model {}`;

/** One statement in a transaction, begun in every way. */
function inTransaction(statement: string): readonly Sample[] {
  const ways = [
    ['User.transaction(async (trx) => {', '})'],
    ['Model.transaction(async (trx) => {', '})'],
    ['User.transaction(User.knex(), async (trx) => {', '})'],
    ['transaction(Post.knex(), async (trx) => {', '})'],
    ['transaction(User, Post, async (BoundUser, BoundPost, trx) => {', '})'],
    ['knex.transaction(async (trx) => {', '})'],
  ] as const;
  const byHand = ['User.startTransaction()', 'transaction.start(knex)', 'knex.transaction()'];
  return [
    ...ways.map(([open, close]) => ({
      name: `${statement} in ${open}`,
      files: { 'base.ts': base },
      code: markedCalls(`
export const run = (values, given) =>
  ${open}
    ${statement}
  ${close};`),
    })),
    ...byHand.map((begin) => ({
      name: `${statement} after ${begin}`,
      files: { 'base.ts': base },
      code: markedCalls(`
export async function run(values, given) {
  const trx = await ${begin};
  try {
    ${statement}
    await trx.commit();
  } catch (error) {
    await trx.rollback();
    throw error;
  }
}`),
    })),
  ];
}

const outer = [
  'await «User.query()».insert(values)',
  'await «User.query(undefined)».findById(1)',
  'await «User.query(knex)».findById(1)',
  'const user = await User.query(trx).findById(1); await «Post.query()».where("user", user.id)',
  'const user = User.fromJson(values); await «user.$query()».patch(values)',
  'const user = User.fromJson(values); await «user.$relatedQuery("posts")».insert(values)',
  'const user = User.fromJson(values); await «user.$fetchGraph("posts")»',
  'const user = User.fromJson(values); await «user.touch()» // outsideInHelper',
  'await «User.relatedQuery("posts")».for(1)',
  'await «User.first()» // outsideInHelper',
  'await «User.active()».limit(1) // outsideInHelper',
];

const right = [
  'await User.query(trx).insert(values)',
  'await User.query(given).insert(values)',
  'await User.query().insert(values).transacting(trx)',
  'await User.active().transacting(trx)',
  'await User.query(trx).whereIn("id", Post.query().select("user"))',
  'await User.query(trx).whereExists(User.relatedQuery("posts"))',
  'await User.query(trx).whereIn("id", User.active().select("id"))',
  'const query = User.query()',
  'const user = User.fromJson(values); await user.$query(trx).patch(values)',
  'const user = User.fromJson(values); await user.$relatedQuery("posts", trx).insert(values)',
  'const user = User.fromJson(values); await user.$fetchGraph("posts", { transaction: trx })',
  'const user = User.fromJson(values); await user.touch(trx)',
  'await User.first(trx)',
  'const Bound = User.bindTransaction(trx); await Bound.query().insert(values)',
  'await User.transaction(trx, async (inner) => { await User.query(inner).insert(values) })',
];

describe('queries outside the transaction', () => {
  checkRule('no-nested-checkout', withHeader(header, outer.flatMap(inTransaction)));
});

describe('queries inside the transaction', () => {
  checkRule('no-nested-checkout', withHeader(header, right.flatMap(inTransaction)));
});

describe('transactions that are begun by hand', () => {
  checkRule(
    'no-unreleased-client',
    withHeader(header, [
      ...right.flatMap(inTransaction).slice(0, 24),
      {
        name: 'never ended',
        files: { 'base.ts': base },
        code: `
export async function run(values) {
  const trx = await User.startTransaction();
  //                ^^^^^^^^^^^^^^^^^^^^^^^ neverEnded
  await User.query(trx).insert(values);
}`,
      },
      {
        name: 'left open by a way out',
        files: { 'base.ts': base },
        code: `
export async function run(values, response) {
  const trx = await transaction.start(User.knex());
  //                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ notEndedOnSomePath
  try {
    const user = await User.query(trx).findById(1);
    if (!user) return response.status(404).end();
    await user.$query(trx).patch(values);
    await trx.commit();
  } catch (error) {
    await trx.rollback();
    throw error;
  }
}`,
      },
    ]),
  );
});

/** A file of its own, with models that are bound elsewhere. */
function inService(
  name: string,
  body: string,
  files: Readonly<Record<string, string>> = {},
): Sample {
  return {
    name,
    header: '',
    files: {
      'package.json': '{}',
      'server.ts': 'Model.knex(db);',
      'user.ts': `
import { Model } from 'objection';
import { DbErrors } from 'objection-db-errors';
class BaseModel extends DbErrors(Model) {}
export class User extends BaseModel {}
const Extended = pipe(Searchable, Listed)(BaseModel);
export class Post extends Extended {}`,
      ...files,
    },
    code: `
import type { Knex } from 'knex';
import type { Transaction, TransactionOrKnex } from 'objection';
import { Post, User } from './user';
async function rename(id, given?: Transaction) {
  await User.query(given).patch({ id });
}
${body}`,
  };
}

/** The transaction is begun unless the caller gives one. */
function orGiven(
  statement: string,
  begin = 'const trx = given ?? (await knex.transaction());',
): string {
  return `
export async function run(id, knex: Knex, given?: Transaction) {
  ${begin}
  try {
    ${statement}
    if (!given) await trx.commit();
  } catch (error) {
    await trx.rollback();
    throw error;
  }
}`;
}

describe('models that another file binds, in a transaction that a parameter begins', () => {
  checkRule('no-nested-checkout', [
    inService(
      'a Knex instance, or a transaction, which has the same pool below it',
      `
export const run = (id, knex: TransactionOrKnex) =>
  knex.transaction(async (trx) => {
    await User.query(trx).patch({ id });
    await User.query().patch({ id });
    //    ^^^^^^^^^^^^ outside
    await Post.query().patch({ id });
    //    ^^^^^^^^^^^^ outside
    await User.query(knex).patch({ id });
  });`,
    ),
    inService(
      'what is absent where the transaction is begun',
      orGiven(`await User.query(given).patch({ id });
    //    ^^^^^^^^^^^^^^^^^ outside
    await rename(id, given);
    //    ^^^^^^^^^^^^^^^^^ outsideInHelper
    await rename(id, trx);
    await User.query(trx).patch({ id });`),
    ),
    inService(
      'what is set afterwards',
      orGiven(
        'await User.query(given).patch({ id });',
        'const trx = given ?? (await knex.transaction()); given = trx;',
      ),
    ),
    inService('what somebody else may give', orGiven('await User.query(other).patch({ id });')),
    ...[
      ['models bound to two pools', 'Model.knex(db); Tenant.knex(other);'],
      ['models bound for each tenant', 'Model.knex(db); const Bound = User.bindKnex(tenant);'],
    ].map(([name = '', server = '']) =>
      inService(
        name,
        `
export const run = (id, knex: Knex) =>
  knex.transaction(async (trx) => {
    await User.query().patch({ id });
  });`,
        { 'server.ts': server },
      ),
    ),
  ]);
});
