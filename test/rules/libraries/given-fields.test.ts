import { describe } from 'vitest';
import { checkRule } from '../../support/marked.ts';
import { libraries, type Library } from '../../support/lending-libraries.ts';
import { markedCalls } from '../../support/marked-calls.ts';

/** A class that keeps a handle, with a method `add()` that queries over it. */
const kept =
  (constructor: string, field = '') =>
  ({ type, outer }: Library): string => `
class Repository {
  ${field.replace('TYPE', type)}
  ${constructor.replace('TYPE', type)}
  async add(values, text, data, tx) {
    await ${over('this.db', outer)};
  }
  async addAll(all, text, data) {
    for (const values of all) await this.add(values, text, data);
  }
  with(db: ${type}) {
    return new Repository(db);
  }
}`;

/** A function that makes an object whose method `add()` queries over the handle that it is given. */
const made =
  (parameter: string, value: string) =>
  ({ type, outer }: Library): string => `
function createRepository(${parameter.replace('TYPE', type)}) {
  async function add(values, text, data, tx) {
    await ${over('db', outer)};
  }
  return ${value};
}
const createServices = (db: ${type}) => ({ repository: createRepository(${parameter.startsWith('{') ? '{ db }' : 'db'}) });`;

const argument = made('db: TYPE', '{ add }');
const option = made(
  '{ db }: { db: TYPE }',
  '{ async add(values, text, data, tx) { await add(values, text, data, tx); } }',
);

function over(handle: string, query: string): string {
  return query.replaceAll(/[«»]/gu, '').replace(/^db\b/u, handle);
}

const property = 'constructor(private readonly db: TYPE) {}';
const assigned = 'constructor(db: TYPE) {\n    this.db = db;\n  }';

const ways: Readonly<Record<string, readonly [(library: Library) => string, string]>> = {
  'a property that is a parameter': [
    kept(property),
    'const repository = new Repository(db);\nRUN await «repository.add()»; // outsideInHelper\nEND',
  ],
  'a field that the constructor sets': [
    kept(assigned, 'private readonly db: TYPE;'),
    'const repository = new Repository(db);\nRUN await «repository.add()»; // outsideInHelper\nEND',
  ],
  'a method of it that calls the other': [
    kept(property),
    'const repository = new Repository(db);\nRUN await «repository.addAll([])»; // outsideInHelper\nEND',
  ],
  'one that is made on the spot': [
    kept(property),
    'RUN await «new Repository(db).add()»; // outsideInHelper\nEND',
  ],
  'one that a service keeps': [
    kept(property),
    'class Service {\n  repository = new Repository(db);\n  run() {\nRUN await «this.repository.add()»; // outsideInHelper\nEND}}',
  ],
  'one that is given the transaction': [
    kept(property),
    'RUN const repository = new Repository(tx); await repository.add();\nEND',
  ],
  'one that is given the transaction on the spot': [
    kept(property),
    'const repository = new Repository(db);\nRUN await repository.with(tx).add();\nEND',
  ],
  'an object that a function makes': [
    argument,
    'const repository = createRepository(db);\nRUN await «repository.add()»; // outsideInHelper\nEND',
  ],
  'a method of such an object': [
    argument,
    'const { add } = createRepository(db);\nRUN await «add()»; // outsideInHelper\nEND',
  ],
  'an object that a function makes of an option': [
    option,
    'const repository = createRepository({ db });\nRUN await «repository.add()»; // outsideInHelper\nEND',
  ],
  'an object in one that a function makes': [
    argument,
    'const services = createServices(db);\nRUN await «services.repository.add()»; // outsideInHelper\nEND',
  ],
  'an object that a function makes of the transaction': [
    argument,
    'RUN const repository = createRepository(tx); await repository.add(); await createServices(tx).repository.add();\nEND',
  ],
  'an object that a function makes of the transaction as an option': [
    option,
    'RUN const { add } = createRepository({ db: tx }); await add();\nEND',
  ],
  'an object that somebody made': [argument, 'RUN await given.add();\nEND'],
  'one that is replaced': [
    kept(property),
    'let repository = new Repository(db);\nRUN repository = new Repository(tx); await repository.add();\nEND',
  ],
  'a field that something else sets': [
    kept(`${assigned}\n  use(tx) {\n    this.db = tx;\n  }`, 'private db: TYPE;'),
    'const repository = new Repository(db);\nRUN repository.use(tx); await repository.add();\nEND',
  ],
  'one that is given whatever a caller has': [
    kept(property),
    'const add = (handle) =>\nRUN await new Repository(handle).add();\nEND',
  ],
};

describe('what is made with the outer handle', () => {
  // A model of Sequelize says itself which pool it speaks to.
  const { Sequelize: _, ...others } = libraries;
  for (const [library, row] of Object.entries(others))
    checkRule(
      'no-nested-checkout',
      Object.entries(ways).map(([name, [makes, use]]) => ({
        name: `${library}: ${name}`,
        header: '',
        code: markedCalls(
          `${row.header}\n${makes(row)}\n${use
            .replace(/^(.*)RUN /mu, (_all, before: string) =>
              before === ''
                ? `${use.includes('run()') ? 'return' : use.includes('=>\nRUN') ? '' : 'export const run = () =>'} ${row.lend('db', 'async (tx) => {')}\n`.replace(
                    /\)\n$/u,
                    '\n',
                  )
                : before,
            )
            .replace('END', '});')}`,
        ),
      })),
    );

  checkRule('no-nested-checkout', [
    {
      name: 'in another file',
      header: '',
      files: {
        'db.ts': `${libraries['Knex']?.header ?? ''}\n`,
        'repository.ts':
          "import type { Knex } from 'knex';\nexport class Repository {\n  constructor(private readonly db: Knex) {}\n  add(values) {\n    return this.db('logs').insert(values);\n  }\n}\n",
        'repositories.ts':
          "import { db } from './db';\nimport { Repository } from './repository';\nexport const repository = new Repository(db);\n",
      },
      code: `
import { db } from './db';
import { Repository } from './repository';
import { repository } from './repositories';
export const run = (values) =>
  db.transaction(async (trx) => {
    await new Repository(trx).add(values);
    await repository.add(values);
    //    ^^^^^^^^^^^^^^^^^^^^^^ outsideInHelper
  });`,
    },
  ]);
});
