import { describe } from 'vitest';
import { checkRule } from '../../support/marked.ts';
import { libraries } from '../../support/lending-libraries.ts';
import { markedCalls } from '../../support/marked-calls.ts';

const { Sequelize: _, ...others } = libraries;

describe('a parameter without a type is what the calls of its function give', () => {
  for (const [library, row] of Object.entries(others)) {
    const query = row.outer.replaceAll(/[«»]/gu, '').replace(/^db\b/u, 'handle');
    const sample = (name: string, declared: string, use: string) => ({
      name: `${library}: ${name}`,
      header: '',
      code: markedCalls(
        `${row.header}\n${declared.replace('QUERY', query)}\nexport const run = () =>\n${row.lend('db', `async (tx) => {\n${use}\n}`)};`,
      ),
    });
    const add = 'async function add(handle, values, text, data, tx) { await QUERY; }';
    checkRule('no-nested-checkout', [
      sample('the outer handle', add, 'await «add(db)»; // outsideInHelper'),
      sample('the handle of the transaction', add, 'await add(tx);'),
      sample('either', add, 'await add(tx);\nawait «add(db)»; // outsideInHelper'),
      sample(
        'by way of another one',
        `${add}\nasync function addAll(handle) { await add(handle); }`,
        'await addAll(tx);\nawait «addAll(db)»; // outsideInHelper',
      ),
      sample(
        'as an option',
        'async function add({ handle }, values, text, data, tx) { await QUERY; }',
        'await add({ handle: tx });\nawait «add({ handle: db })»; // outsideInHelper',
      ),
      sample(
        'in a constructor',
        'class Repository {\n  constructor(handle) { this.handle = handle; }\n  async add(values, text, data, tx) { await this.QUERY; }\n}\nconst repository = new Repository(db);',
        'await new Repository(tx).add();\nawait «repository.add()»; // outsideInHelper',
      ),
      sample('of a function that nobody here calls', add, 'await given(add);'),
    ]);
  }
});

/** A module beside one that imports it. */
const given = (code: string, use: string) => ({
  header: '',
  filename: 'users.ts',
  files: {
    'package.json': '{}',
    'users.ts': code,
    'main.ts': `${libraries['Knex']?.header ?? ''}\n${use}\n`,
  },
  code,
});

describe('a module that imports nothing may be given a handle by whoever imports it', () => {
  checkRule('no-external-await-while-holding', [
    {
      name: 'by its default export',
      ...given(
        `
export default (handle) => ({
  create: (row) => handle.transaction(async (trx) => {
    await trx('users').insert(row);
    await fetch('https://example.org');
  //^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ inTransaction
  }),
});`,
        "import createUsers from './users';\nexport const users = createUsers(db);",
      ),
    },
    {
      name: 'under another name',
      ...given(
        `
export const createUsers = ({ db }) => ({
  create: (row) => db.transaction(async (trx) => {
    await fetch('https://example.org');
  //^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ inTransaction
  }),
});`,
        "import { createUsers as make } from './users';\nexport const users = make({ db });",
      ),
    },
    {
      name: 'but what is given may be no handle',
      ...given(
        `
export default (handle) => ({
  create: (row) => handle.transaction(async (trx) => {
    await fetch('https://example.org');
  }),
});`,
        "import { store } from 'some-store';\nimport createUsers from './users';\nexport const users = createUsers(store);",
      ),
    },
  ]);
});
