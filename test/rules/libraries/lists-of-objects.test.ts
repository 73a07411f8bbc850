import { describe } from 'vitest';
import { checkRule, withHeader, type Sample } from '../../support/marked.ts';
import { markedCalls } from '../../support/marked-calls.ts';

const header = `
import { Model, Sequelize } from 'sequelize';
const sequelize = new Sequelize(url);
class User<T = unknown> extends Model {
  async touch(t) {
    await this.update({ at: 1 }, { transaction: t });
  }
}`;

/** Statements behind a query for a list of objects, in a transaction. */
const withUsers = (statements: string): Sample => ({
  name: statements,
  code: markedCalls(`
export const run = (where) =>
  sequelize.transaction(async (t) => {
    const users = await User.findAll({ where, transaction: t });
    ${statements}
  });`),
});

describe('follows the objects of a list', () => {
  checkRule(
    'no-nested-checkout',
    withHeader(
      header,
      [
        'for (const user of users) await «user.destroy()»;',
        'for (const user of users as User<string>[]) { await «user.save()»; }',
        'await «users[0].destroy()»;',
        'await Promise.all(users.map((user) => «user.save()»));',
        'for (const user of users.filter((each) => each.isOld)) await «user.reload()»;',
        'const user = users.find((each) => each.isOld); await «user.destroy()»;',
        'for (const [first] of [users]) await first.destroy();',
      ].map(withUsers),
    ),
  );
});

describe('tells them from others', () => {
  checkRule(
    'no-nested-checkout',
    withHeader(
      header,
      [
        'for (const user of users) await user.destroy({ transaction: t });',
        'await Promise.all(users.map((user) => user.save({ transaction: t })));',
        'for (const user of users) await user.touch(t);',
        'const names = users.map((user) => user.name); for (const name of names) await name.save();',
        'for (const index in users) await index.destroy();',
        'users.map((_, index) => index.save());',
        'await users.reduce((last, user) => last.save(), first);',
        'for (const file of files) await file.destroy();',
      ].map(withUsers),
    ),
  );
});
