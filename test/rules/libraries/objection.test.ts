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
