import { describe } from 'vitest';
import { checkRule, withHeader, type Sample } from '../../support/marked.ts';
import { markedCalls } from '../../support/marked-calls.ts';

const header = `
import { DataTypes, Model, Sequelize } from 'sequelize';
const sequelize = new Sequelize(url);
class User extends Model {
  static async register(values, options) {
    return await this.create(values, options);
  }
  static async enter(context, values, options) {
    const given = { ...context, ...options, hooks: false };
    return await this.create(values, given);
  }
  static async store(values, options) {
    return await this.create(values, { raw: true, ...{ hooks: false }, ...options });
  }
  static async join<M extends Model>(this: ModelStatic<M>, context, values) {
    const transaction = context.inner.transaction;
    return await this.create(values, { transaction });
  }
  static async log(values) {
    await User.create(values);
  }
  async touch(t) {
    await this.update({ at: 1 }, { transaction: t });
  }
}
const Post = sequelize.define('post', {});`;

/** One statement in a transaction, in both of its forms. */
function inTransaction(statement: string): readonly Sample[] {
  return [
    {
      name: `${statement} with a callback`,
      code: markedCalls(`
export const run = (values, where, options) =>
  sequelize.transaction(async (t) => {
    ${statement}
  });`),
    },
    {
      name: `${statement} begun by hand`,
      code: markedCalls(`
export async function run(values, where, options) {
  const t = await sequelize.transaction();
  try {
    ${statement}
    await t.commit();
  } catch (error) {
    await t.rollback();
    throw error;
  }
}`),
    },
  ];
}

const outer = [
  'await «User.create(values)»',
  'await «User.findOne({ where })»',
  'await «User.findByPk(1, { raw: true })»',
  'await «User.findAll()»',
  'const count = await «User.count({ where, transaction: undefined })»',
  'await «User.update(values, { where, transaction: null })»',
  'await «User.bulkCreate([values])»',
  'await «User.findOrCreate({ where })»',
  "await «User.scope('active').findAll()»",
  'await «User.unscoped().findAll()»',
  'await «Post.create(values)»',
  'await «sequelize.models.User.create(values)»',
  "await «sequelize.query('SELECT 1')»",
  "await «sequelize.query('SELECT 1', { replacements: {} })»",
  'const user = await User.findOne({ where, transaction: t }); await «user.save()»',
  'const user = User.build(values); await «user.save({ hooks: false })»',
  'const user = new User(values); await «user.save()»',
  'const [user] = await User.findOrCreate({ where, transaction: t }); await «user.destroy()»',
  'const post = await Post.findByPk(1, { transaction: t }); await «post.reload()»',
  'await «User.log(values)» // outsideInHelper',
  'await «User.register(values)» // outsideInHelper',
  'await «User.register(values, { hooks: false })» // outsideInHelper',
  'await «User.store(values)» // outsideInHelper',
  'const user = await User.findOne({ where, transaction: t }); await «user.touch()» // outsideInHelper',
  'const plain = { where }; await «User.findAll(plain)»',
  'const plain = { where }; await «User.findAll({ ...plain, limit: 1 })»',
];

const right = [
  'await User.create(values, { transaction: t })',
  'await User.findOne({ where, transaction: t })',
  'await User.findAll({ where, ...options })',
  'await User.findAll(options)',
  'await User.update(values, { where, transaction: options.transaction })',
  "await User.scope('active').findAll({ transaction: t })",
  'await Post.create(values, { transaction: t })',
  "await sequelize.query('SELECT 1', { transaction: t })",
  'const user = await User.findOne({ where, transaction: t }); await user.save({ transaction: t })',
  'const user = User.build(values)',
  'await User.register(values, { transaction: t })',
  'await User.store(values, { transaction: t })',
  'await User.enter({ transaction: t }, values)',
  'await User.enter(options, values)',
  'await User.join(options, { name })',
  'await User.join({ inner: { transaction: t } }, { name })',
  'await User.enter({}, values, { transaction: t })',
  'const user = await User.findOne({ where, transaction: t }); await user.touch(t)',
  'const plain = { where }; plain.transaction = t; await User.findAll(plain)',
  'const plain = { where, transaction: t }; await User.findAll(plain)',
  'User.create(values)',
  'void User.create(values)',
  't.afterCommit(() => User.create(values))',
  'const user = {}; user.save()',
  'await sequelize.transaction({ transaction: t }, async (inner) => { await User.create(values, { transaction: inner }) })',
];

describe('queries outside the transaction', () => {
  checkRule('no-nested-checkout', withHeader(header, outer.flatMap(inTransaction)));
});

describe('queries inside the transaction', () => {
  checkRule('no-nested-checkout', withHeader(header, right.flatMap(inTransaction)));
});

const userModel = `
import { Model, type HasManyGetAssociationsMixin, type HasManyAddAssociationMixin } from 'sequelize';
import { sequelize } from './database';
export class User extends Model {
  declare getPosts: HasManyGetAssociationsMixin<Post>;
  declare addPost: HasManyAddAssociationMixin<Post, number>;
}
User.init({}, { sequelize });`;

const database = `
import { Sequelize } from 'sequelize';
export const sequelize = new Sequelize(url);
export const reports = new Sequelize(other);`;

const files = { 'database.ts': database, 'user.ts': userModel };

const imports = `
import { reports, sequelize } from './database';
import { User } from './user';`;

describe('models of other files', () => {
  checkRule('no-nested-checkout', [
    {
      name: 'a model and its relations',
      header: imports,
      files,
      code: markedCalls(`
export const run = (values) =>
  sequelize.transaction(async (transaction) => {
    const user = await User.findOne({ transaction });
    await user.getPosts({ transaction });
    await «user.getPosts()»;
    await «user.addPost(1, { through: {} })»;
    await user.addPost(1, { transaction });
    await «User.create(values)»;
    user.getName();
  });`),
    },
    {
      name: 'a transaction of another database',
      header: imports,
      files,
      code: `
export const run = (values) =>
  reports.transaction(async (transaction) => {
    await User.create(values);
  });`,
    },
    {
      name: 'a parameter of the class',
      header: imports,
      files,
      code: markedCalls(`
async function rename(user: User, name: string, transaction?: Transaction) {
  await user.update({ name }, { transaction });
}
const service = {
  async rename(user: User, name: string, { transaction = null }: Options = {}) {
    await rename(user, name, transaction);
  },
  async create(values, options: { transaction?: Transaction } = {}) {
    const { transaction } = options;
    await User.create(values, { transaction });
  },
  async own(values, options: { transaction?: Transaction } = {}) {
    const transaction = options.transaction ?? (await sequelize.transaction());
    await User.create(values, { transaction });
  },
};
export const run = (user: User, values) =>
  sequelize.transaction(async (transaction) => {
    await rename(user, 'a', transaction);
    await «rename(user, 'a')»; // outsideInHelper
    await service.rename(user, 'a', { transaction });
    await «service.rename(user, 'a')»; // outsideInHelper
    await service.create(values, { transaction });
    await «service.create(values)»; // outsideInHelper
    await service.own(values, { transaction });
  });`),
    },
    ...['Sequelize.useCLS(namespace);', 'Sequelize . useCLS (namespace);'].map((line) => ({
      name: `a program in which another file says ${line}`,
      header: imports,
      files: { ...files, 'main.ts': `import { Sequelize } from 'sequelize';\n${line}` },
      code: markedCalls(`
export const run = (values) =>
  sequelize.transaction(async (t) => {
    await User.create(values);
    await sequelize.query('SELECT 1');
    await «sequelize.transaction(async (inner) => {})»;
  });
export async function byHand(values) {
  const transaction = await sequelize.transaction();
  try {
    await «User.create(values)»;
    await transaction.commit();
  } catch (error) {
    await transaction.rollback();
    throw error;
  }
}`),
    })),
    {
      name: 'a factory of a model',
      header: `
import factory from './post';
import { sequelize } from './database';
const Post = factory(sequelize, DataTypes);`,
      files: {
        ...files,
        'post.ts': `
export default (sequelize, DataTypes) => {
  const Post = sequelize.define('post', {});
  return Post;
};`,
      },
      code: markedCalls(`
export const run = (values) =>
  sequelize.transaction(async (transaction) => {
    await Post.create(values);
  });`),
    },
  ]);
});

describe('other packages', () => {
  checkRule('no-nested-checkout', [
    {
      name: 'sequelize-typescript',
      header: `
import { Column, Model, Sequelize, Table } from 'sequelize-typescript';
@Table
class User extends Model<User> {
  @Column name: string;
}
class Users {
  constructor(private readonly sequelize: Sequelize, private readonly users: typeof User) {}`,
      code: markedCalls(`
  run(values) {
    return this.sequelize.transaction(async (t) => {
      await «this.users.create(values)»;
      const user = await this.users.findOne({ transaction: t });
      await «user.$set('posts', [1])»;
      await user.$set('posts', [1], { transaction: t });
    });
  }
}`),
    },
    {
      name: 'version 7, whose queries find the transaction with a callback',
      header: `
import { Model, Sequelize } from '@sequelize/core';
const sequelize = new Sequelize(options);
class User extends Model {}`,
      code: markedCalls(`
export const run = (values) =>
  sequelize.transaction(async (transaction) => {
    await User.create(values);
    await User.create(values, { transaction });
    await «User.create(values, { transaction: null })»;
    await sequelize.transaction(async (inner) => {});
    const apart = await «sequelize.startUnmanagedTransaction()»;
    await apart.commit();
  });
export async function byHand(values) {
  const transaction = await sequelize.startUnmanagedTransaction();
  try {
    await «User.create(values)»;
    await User.create(values, { transaction });
    await transaction.commit();
  } catch (error) {
    await transaction.rollback();
    throw error;
  }
}`),
    },
  ]);
});
