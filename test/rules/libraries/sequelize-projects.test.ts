import { describe } from 'vitest';
import { checkRule, type Sample } from '../../support/marked.ts';
import { markedCalls } from '../../support/marked-calls.ts';

/** `models/index.js` as sequelize-cli writes it, with one line of its loop and what stands in front. */
const index = (model: string, before = ''): string => `
const fs = require('fs');
const path = require('path');
const Sequelize = require('sequelize');
const db = {};
let sequelize;
if (config.url) {
  sequelize = new Sequelize(process.env[config.url], config);
} else {
  sequelize = new Sequelize(config.database, config.username, config.password, config);
}
${before}
fs.readdirSync(__dirname).forEach((file) => {
  ${model}
});
Object.keys(db).forEach((name) => db[name].associate?.(db));
db.sequelize = sequelize;
db.Sequelize = Sequelize;
module.exports = db;`;

const required =
  'const model = require(path.join(__dirname, file))(sequelize, Sequelize.DataTypes); db[model.name] = model;';

const inTransaction = (statement: string): string =>
  markedCalls(`
const db = require('./models');
const { User, sequelize } = db;
module.exports.run = () =>
  db.sequelize.transaction(async (t) => {
    ${statement}
  });`);

function inProject(name: string, models: string, statement: string): Sample {
  return {
    name,
    filename: 'run.js',
    code: inTransaction(statement),
    files: { 'package.json': '{"dependencies":{"sequelize":"6"}}', 'models/index.js': models },
  };
}

describe('knows the models that a project loads from a folder', () => {
  checkRule('no-nested-checkout', [
    inProject('by require', index(required), 'await «db.User.create({})»;'),
    inProject('under the name of a variable', index(required), 'await «User.findAll()»;'),
    inProject('beside the instance', index(required), "await «sequelize.query('SELECT 1')»;"),
    inProject(
      "by the instance's import",
      index('const model = sequelize.import(path.join(__dirname, file)); db[model.name] = model;'),
      'await «db.User.create({})»;',
    ),
    inProject(
      'by the default export',
      index(
        'const made = require(path.join(__dirname, file)); const model = made.default(sequelize, Sequelize); db[model.name] = model;',
      ),
      'await «db.User.create({})»;',
    ),
  ]);
});

describe('knows what is no such model, or is told', () => {
  checkRule('no-nested-checkout', [
    inProject(
      'told of the transaction',
      index(required),
      'await db.User.create({}, { transaction: t });',
    ),
    inProject('a member of the package', index(required), 'await db.Sequelize.Op.create({});'),
    inProject(
      'a service that is given the instance only',
      index('db[file] = require(path.join(__dirname, file))(sequelize);'),
      'await db.User.create({});',
    ),
    inProject(
      'models of several instances',
      index(
        'const model = require(file)(sequelize, Sequelize.DataTypes); db[model.name] = model; const log = require(file)(logs, Sequelize.DataTypes); db[log.name] = log;',
        'const logs = new Sequelize(config.logs);',
      ),
      'await db.User.create({});',
    ),
    inProject(
      'an instance for each name',
      index('const other = new Sequelize(file); db[file] = other;'),
      "await db.logs.query('SELECT 1');",
    ),
    inProject(
      'transactions that queries find by themselves',
      index(required, 'Sequelize.useCLS(namespace);'),
      'await db.User.create({});',
    ),
  ]);
});

describe('knows the class that the package itself is', () => {
  checkRule('no-nested-checkout', [
    ...["const Sequelize = require('sequelize');", "import Sequelize from 'sequelize';"].map(
      (line) => ({
        name: line,
        filename: 'run.ts',
        code: markedCalls(`
${line}
const sequelize = new Sequelize('postgres://');
class User extends Sequelize.Model {}
export const run = () => sequelize.transaction(async (t) => {
  await «User.create({})»;
  await User.create({}, { transaction: t });
});`),
      }),
    ),
    {
      name: "the fork of SubQuery's indexers",
      filename: 'run.ts',
      code: markedCalls(`
import { Sequelize } from '@subql/x-sequelize';
class Project {
  constructor(private readonly sequelize: Sequelize) {}
  async run() {
    const tx = await this.sequelize.transaction();
    try {
      await «this.sequelize.query('SELECT 1')»;
      await this.sequelize.query('SELECT 1', { transaction: tx });
      await tx.commit();
    } catch (error) {
      await tx.rollback();
      throw error;
    }
  }
}`),
    },
  ]);
});
