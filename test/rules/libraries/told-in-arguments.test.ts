import { describe } from 'vitest';
import { checkRule, withHeader } from '../../support/marked.ts';
import { checkSuggestions } from '../../support/suggestions.ts';

const rule = 'no-nested-checkout';
const sequelize = `import { Sequelize } from 'sequelize';
export const db = new Sequelize(url);
const User = db.define('user', {});`;

describe('says into which argument the transaction belongs', () => {
  checkRule(
    rule,
    withHeader(sequelize, [
      {
        name: 'where it stands in a later one',
        code: `
const f = (id) => db.transaction(async (t) => {
  await User.findAll({ where: { id } }, { transaction: t });
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ wrongArgument
  await User.create({ id }, {}, { transaction: t });
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ wrongArgument
});`,
        cures: ['Pass `{ transaction: t }` there.', 'Pass `{ transaction: t }` there.'],
      },
      {
        name: 'where it stands in an earlier one, or by itself',
        code: `
const f = (id) => db.transaction(async (transaction) => {
  await User.create({ id, transaction });
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ wrongArgument
  await User.findAll({ where: { id } }, transaction);
  //    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ wrongArgument
});`,
        cures: ['Pass `{ transaction }` there.', 'Pass `{ transaction }` there.'],
      },
      {
        name: 'where it stands in none, or under another name',
        code: `
const f = (id) => db.transaction(async (t) => {
  await User.create({ id });
//      ^^^^^^^^^^^^^^^^^^^ outside
  await User.create({ id }, { t });
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^ outside
});`,
        cures: [
          'Pass `{ transaction: t }` in its second argument.',
          'Pass `{ transaction: t }` in its second argument.',
        ],
      },
    ]),
  );
  checkRule(
    rule,
    withHeader("import { Model } from 'objection';\nclass User extends Model {}", [
      {
        name: 'where another call of the chain has it',
        code: `
const f = (values) => User.transaction(async (trx) => {
  await User.query().insert(values, trx);
//      ^^^^^^^^^^^^ wrongArgument
  await User.query().insert(values);
//      ^^^^^^^^^^^^ outside
});`,
        cures: ['Pass `trx` there.', 'Pass `trx` as its first argument.'],
      },
    ]),
  );
});

describe('moves the transaction', () => {
  checkSuggestions(
    rule,
    [
      {
        name: 'from a later argument into an object that is there',
        code: 'const f = () => db.transaction(async (t) => {\n  await User.findOne({ where }, { transaction: t });\n});',
        outputs: [
          'const f = () => db.transaction(async (t) => {\n  await User.findOne({ where, transaction: t });\n});',
        ],
      },
      {
        name: 'and leaves what else is in that argument',
        code: 'const f = () => db.transaction(async (t) => {\n  await User.create({ a }, {}, { transaction: t, logging });\n});',
        outputs: [
          'const f = () => db.transaction(async (t) => {\n  await User.create({ a }, { transaction: t }, { transaction: t, logging });\n});',
        ],
      },
    ],
    `${sequelize}\n`,
  );
});
