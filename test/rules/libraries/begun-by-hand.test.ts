import { describe } from 'vitest';
import { checkRule, withHeader, type Sample } from '../../support/marked.ts';

interface Library {
  readonly name: string;
  readonly header: string;
  /** What begins, commits and rolls back, and a query in between. */
  readonly begin: string;
  readonly commit: string;
  readonly rollback: string;
  readonly query: string;
  readonly isOpen: string;
}

const begunByHand: readonly Library[] = [
  {
    name: 'Knex',
    header: "import knex from 'knex';\nconst db = knex({ client: 'pg' });",
    begin: 'db.transaction()',
    commit: 'trx.commit()',
    rollback: 'trx.rollback()',
    query: "trx('users').insert({ name })",
    isOpen: '!trx.isCompleted()',
  },
  {
    name: 'Sequelize',
    header: "import { Sequelize, User } from 'sequelize';\nconst db = new Sequelize(url);",
    begin: "db.transaction({ isolationLevel: 'SERIALIZABLE' })",
    commit: 'trx.commit()',
    rollback: 'trx.rollback()',
    query: 'User.create({ name }, { transaction: trx })',
    isOpen: '!trx.finished',
  },
  {
    name: 'Sequelize 7',
    header: "import { Sequelize, User } from '@sequelize/core';\nconst db = new Sequelize(url);",
    begin: 'db.startUnmanagedTransaction()',
    commit: 'trx.commit()',
    rollback: 'trx.rollback()',
    query: 'User.create({ name }, { transaction: trx })',
    isOpen: '!trx.finished',
  },
  {
    name: 'Kysely',
    header: "import { Kysely } from 'kysely';\nconst db = new Kysely({ dialect });",
    begin: 'db.startTransaction().execute()',
    commit: 'trx.commit().execute()',
    rollback: 'trx.rollback().execute()',
    query: "trx.insertInto('users').values({ name }).execute()",
    isOpen: '!trx.isCommitted && !trx.isRolledBack',
  },
  {
    name: 'Kysely with an isolation level',
    header: "import { Kysely } from 'kysely';\nconst db = new Kysely({ dialect });",
    begin: "db.startTransaction().setIsolationLevel('serializable').execute()",
    commit: 'trx.commit().execute()',
    rollback: 'trx.rollback().execute()',
    query: "trx.insertInto('users').values({ name }).execute()",
    isOpen: '!trx.isCommitted && !trx.isRolledBack',
  },
];

/** The line with what begins, and a mark under it. */
function marked(text: string, begin: string, messageId: string | undefined): string {
  return text
    .split('\n')
    .flatMap((line) => {
      const start = line.indexOf(begin);
      return messageId === undefined || start === -1
        ? [line]
        : [line, `//${' '.repeat(start - 2)}${'^'.repeat(begin.length)} ${messageId}`];
    })
    .join('\n');
}

interface Program {
  readonly name: string;
  readonly code: string;
  /** What is said of what begins; nothing where the program is right. */
  readonly messageId?: string;
}

/** Programs for any library: BEGIN, COMMIT, ROLLBACK, QUERY and OPEN stand for its own calls. */
function inLibrary(library: Library, programs: readonly Program[]): readonly Sample[] {
  const words: Readonly<Record<string, string>> = {
    BEGIN: library.begin,
    COMMIT: library.commit,
    ROLLBACK: library.rollback,
    QUERY: library.query,
    OPEN: library.isOpen,
  };
  return withHeader(
    library.header,
    programs.map(({ name, code, messageId }) => ({
      name: `${library.name}: ${name}`,
      code: marked(
        code.replace(/\b(?:BEGIN|COMMIT|ROLLBACK|QUERY|OPEN)\b/gu, (word) => words[word] ?? word),
        library.begin,
        messageId,
      ),
    })),
  );
}

const leaks: readonly Program[] = [
  {
    name: 'never ended',
    messageId: 'neverEnded',
    code: `
export async function run() {
  const trx = await BEGIN;
  console.log(OPEN);
}`,
  },
  {
    name: 'an early return before the try',
    messageId: 'notEndedOnSomePath',
    code: `
export async function run(name, ok) {
  const trx = await BEGIN;
  if (ok) return;
  await QUERY;
  await COMMIT;
}`,
  },
  {
    name: 'commit without a try',
    messageId: 'notEndedOnThrow',
    code: `
export async function run(name) {
  const trx = await BEGIN;
  await QUERY;
  await COMMIT;
}`,
  },
  {
    name: 'a catch that neither rolls back nor throws',
    messageId: 'notEndedOnSomePath',
    code: `
export async function run(name) {
  const trx = await BEGIN;
  try {
    await QUERY;
    await COMMIT;
  } catch (error) {
    console.error(error);
  }
}`,
  },
  {
    name: 'an early return inside of the try',
    messageId: 'notEndedOnSomePath',
    code: `
export async function run(name) {
  const trx = await BEGIN;
  try {
    const found = await QUERY;
    if (!found) return null;
    await COMMIT;
    return found;
  } catch (error) {
    await ROLLBACK;
    throw error;
  }
}`,
  },
  {
    name: 'what throws before the try',
    messageId: 'notEndedOnThrow',
    code: `
export async function run(load) {
  const trx = await BEGIN;
  const name = await load();
  try {
    await QUERY;
    await COMMIT;
  } catch (error) {
    await ROLLBACK;
    throw error;
  }
}`,
  },
  {
    name: 'rolled back for one kind of error only',
    messageId: 'notEndedOnThrow',
    code: `
export async function run(name) {
  const trx = await BEGIN;
  try {
    await QUERY;
    await COMMIT;
  } catch (error) {
    if (error instanceof RangeError) await ROLLBACK;
    throw error;
  }
}`,
  },
  {
    name: 'begun again in the next round of a loop',
    messageId: 'begunAgain',
    code: `
export async function run(next, good) {
  for (;;) {
    const name = next();
    const trx = await BEGIN;
    if (!good(name)) continue;
    try {
      await QUERY;
    } finally {
      await COMMIT;
    }
  }
}`,
  },
];

const right: readonly Program[] = [
  {
    name: 'committed in the try, rolled back in the catch',
    code: `
export async function run(name) {
  const trx = await BEGIN;
  try {
    await QUERY;
    await COMMIT;
  } catch (error) {
    await ROLLBACK;
    throw error;
  }
}`,
  },
  {
    name: 'committed behind the try',
    code: `
export async function run(name) {
  const trx = await BEGIN;
  try {
    await QUERY;
  } catch (error) {
    await ROLLBACK;
    throw error;
  }
  await COMMIT;
}`,
  },
  {
    name: 'begun inside of the try',
    code: `
export async function run(name) {
  let trx;
  try {
    trx = await BEGIN;
    await QUERY;
    await COMMIT;
  } catch (error) {
    if (trx) await ROLLBACK;
    throw error;
  }
}`,
  },
  {
    name: 'begun inside of the try, with an optional rollback',
    code: `
export async function run(name) {
  let trx = null;
  try {
    trx = await BEGIN;
    await QUERY;
    await COMMIT;
  } catch (error) {
    await trx?.rollback();
    throw error;
  }
}`,
  },
  {
    name: 'a flag for the finally',
    code: `
export async function run(name) {
  const trx = await BEGIN;
  let committed = false;
  try {
    await QUERY;
    await COMMIT;
    committed = true;
  } finally {
    if (!committed) await ROLLBACK;
  }
}`,
  },
  {
    name: 'the transaction tells whether it has ended',
    code: `
export async function run(name) {
  const trx = await BEGIN;
  try {
    await QUERY;
    await COMMIT;
  } finally {
    if (OPEN) await ROLLBACK;
  }
}`,
  },
  {
    name: 'rolled back before an early return',
    code: `
export async function run(name) {
  const trx = await BEGIN;
  try {
    const found = await QUERY;
    if (!found) {
      await ROLLBACK;
      return null;
    }
    await COMMIT;
    return found;
  } catch (error) {
    if (OPEN) await ROLLBACK;
    throw error;
  }
}`,
  },
  {
    name: 'given back to the caller',
    code: `
export async function begin() {
  const trx = await BEGIN;
  return trx;
}`,
  },
  {
    name: 'given back at once',
    code: `
export function begin() {
  return BEGIN;
}`,
  },
  {
    name: 'kept in a field',
    code: `
export class UnitOfWork {
  async begin() {
    this.trx = await BEGIN;
  }
  async commit() {
    const { trx } = this;
    await COMMIT;
  }
}`,
  },
  {
    name: 'handed to unknown code',
    code: `
import { work } from './work';
export async function run() {
  const trx = await BEGIN;
  await work(trx);
}`,
  },
  {
    name: 'ended by a helper',
    code: `
async function finish(trx, ok) {
  if (ok) await COMMIT;
  else await ROLLBACK;
}
export async function run(name) {
  const trx = await BEGIN;
  try {
    await QUERY;
  } catch (error) {
    await finish(trx, false);
    throw error;
  }
  await finish(trx, true);
}`,
  },
  {
    name: 'ended by a closure',
    code: `
export async function run(name) {
  const trx = await BEGIN;
  const undo = async () => {
    await ROLLBACK;
  };
  try {
    await QUERY;
    await COMMIT;
  } catch (error) {
    await undo();
    throw error;
  }
}`,
  },
  {
    name: "the caller's transaction, or one of its own",
    code: `
export async function run(name, outer) {
  const trx = outer ?? (await BEGIN);
  try {
    await QUERY;
    if (!outer) await COMMIT;
  } catch (error) {
    if (!outer) await ROLLBACK;
    throw error;
  }
}`,
  },
  {
    name: "the caller's transaction by ||, with a flag",
    code: `
export async function run(name, options) {
  const isOwn = !options.transaction;
  const trx = options.transaction || (await BEGIN);
  try {
    await QUERY;
    if (isOwn) await COMMIT;
  } catch (error) {
    if (isOwn) await ROLLBACK;
    throw error;
  }
}`,
  },
  {
    name: "the caller's transaction, assigned",
    code: `
export async function run(name, outer) {
  let trx = outer;
  if (!outer) trx = await BEGIN;
  try {
    await QUERY;
    if (!outer) await COMMIT;
  } catch (error) {
    if (!outer) await ROLLBACK;
    throw error;
  }
}`,
  },
  {
    name: 'several queries at a time',
    code: `
export async function run(name) {
  const trx = await BEGIN;
  try {
    await Promise.all([QUERY, QUERY]);
    await COMMIT;
  } catch (error) {
    await ROLLBACK;
    throw error;
  }
}`,
  },
  {
    name: 'a note of the program on the transaction',
    code: `
export async function run(name) {
  const trx = await BEGIN;
  try {
    await QUERY;
    await COMMIT;
    trx.settled = true;
  } finally {
    if (!trx.settled) await ROLLBACK;
  }
}`,
  },
  {
    name: 'a chain',
    code: `
export function run(name) {
  return BEGIN.then((trx) =>
    QUERY.then(
      () => COMMIT,
      (error) => ROLLBACK.then(() => { throw error; }),
    ),
  );
}`,
  },
];

describe('no-unreleased-client', () => {
  for (const library of begunByHand)
    checkRule('no-unreleased-client', inLibrary(library, [...leaks, ...right]));
});

describe('Sequelize: queries that get the transaction as an option', () => {
  const sequelize = "import { Sequelize } from 'sequelize';\nconst db = new Sequelize(url);";
  checkRule(
    'no-unreleased-client',
    withHeader(sequelize, [
      {
        name: 'they take nothing over, whatever they are called',
        code: `
export async function run(User) {
  const transaction = await db.transaction();
//                          ^^^^^^^^^^^^^^^^ notEndedOnThrow
  await User.destroy({ where: {}, transaction });
  await transaction.commit();
}`,
      },
      {
        name: 'nor do the rounds of a list',
        code: `
export async function run(User, names) {
  const transaction = await db.transaction();
//                          ^^^^^^^^^^^^^^^^ notEndedOnThrow
  await Promise.all(names.map((name) => User.create({ name }, { transaction })));
  await transaction.commit();
}`,
      },
      {
        name: 'where nothing ends it',
        code: `
export async function run(User, name) {
  const transaction = await db.transaction();
//                          ^^^^^^^^^^^^^^^^ neverEnded
  await User.create({ name }, { transaction });
}`,
      },
      {
        name: 'a function of the program may end what it gets as an option',
        code: `
import { work } from './work';
export async function run() {
  const transaction = await db.transaction();
  await work.finish({ transaction });
}`,
      },
    ]),
  );
  checkRule(
    'no-use-after-release',
    withHeader(sequelize, [
      {
        name: 'after the commit',
        code: `
export async function run(User, name) {
  const transaction = await db.transaction();
  try {
    await User.create({ name }, { transaction });
    await transaction.commit();
  } catch (error) {
    await transaction.rollback();
    throw error;
  }
  await User.update({ name }, { where: {}, transaction });
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ usedAfterEnd
}`,
      },
    ]),
  );
});

describe('where the handle comes from', () => {
  checkRule('no-unreleased-client', [
    {
      name: 'a method that gives it, by the type of a field',
      header: '',
      code: `import type { Knex } from 'knex';
export class Import {
  constructor(private readonly getDb: () => Knex) {}
  async run(work) {
    const trx = await this.getDb().transaction({ isolationLevel: 'read committed' });
//                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ notEndedOnThrow
    await work.load(trx);
    await trx.commit();
  }
}`,
    },
    {
      name: 'a transaction whose callback has a name',
      header: "import knex from 'knex';\nconst db = knex({ client: 'pg' });\n",
      code: `
export async function run(work) {
  const found = await db.transaction(work);
  return found.length;
}`,
    },
    {
      name: 'a method of the program that is called so',
      header: '',
      code: `
export async function run(queue) {
  const trx = await queue.transaction();
  await trx.send();
  await trx.commit();
}`,
    },
  ]);
});

describe('no-use-after-release', () => {
  checkRule(
    'no-use-after-release',
    withHeader("import knex from 'knex';\nconst db = knex({ client: 'pg' });", [
      {
        name: 'Knex: a query after the commit',
        code: `
export async function run(name) {
  const trx = await db.transaction();
  try {
    await trx('users').insert({ name });
    await trx.commit();
  } catch (error) {
    await trx.rollback();
    throw error;
  }
  await trx('logs').insert({ name });
//      ^^^^^^^^^^^ usedAfterEnd
  const fragment = trx.raw('true');
  return fragment;
}`,
      },
      {
        name: 'Knex: a query that is bound to it after the commit',
        code: `
export async function run(name) {
  const trx = await db.transaction();
  try {
    await trx('users').insert({ name });
    await trx.commit();
  } catch (error) {
    await trx.rollback();
    throw error;
  }
  await db('logs').insert({ name }).transacting(trx);
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ usedAfterEnd
}`,
      },
    ]),
  );
  checkRule(
    'no-use-after-release',
    withHeader("import { Kysely } from 'kysely';\nconst db = new Kysely({ dialect });", [
      {
        name: 'Kysely: a query after the commit',
        code: `
export async function run(name) {
  const trx = await db.startTransaction().execute();
  try {
    await trx.insertInto('users').values({ name }).execute();
    await trx.commit().execute();
  } catch (error) {
    await trx.rollback().execute();
    throw error;
  }
  await trx.insertInto('logs').values({ name }).execute();
//      ^^^^^^^^^^^^^^^^^^^^^^ usedAfterEnd
}`,
      },
    ]),
  );
});

describe('connections without a transaction', () => {
  for (const { name, header, take, query, release, outside } of [
    {
      name: 'postgres.js',
      header: "import postgres from 'postgres';\nconst db = postgres(url);",
      take: 'db.reserve()',
      query: "taken.unsafe('SELECT 1')",
      release: 'taken.release()',
      outside: "postgres('').options",
    },
    {
      name: 'Bun',
      header: "import { SQL } from 'bun';\nconst db = new SQL(url);",
      take: 'db.reserve()',
      query: "taken.unsafe('SELECT 1')",
      release: 'taken.release()',
      outside: 'SQL.prototype',
    },
    {
      name: 'pg-promise',
      header: "import pgPromise from 'pg-promise';\nconst db = pgPromise()(url);",
      take: 'db.connect()',
      query: "taken.any('SELECT 1')",
      release: 'taken.done()',
      outside: 'await db.connect({ direct: true })',
    },
  ]) {
    const mark = (messageId: string): string =>
      `//${' '.repeat(20)}${'^'.repeat(take.length)} ${messageId}`;
    checkRule(
      'no-unreleased-client',
      withHeader(header, [
        {
          name: `${name}: never given back`,
          code: `
export async function run() {
  const taken = await ${take};
${mark('connectionNeverReleased')}
  await ${query};
}`,
        },
        {
          name: `${name}: not given back where a query fails`,
          code: `
export async function run() {
  const taken = await ${take};
${mark('notReleasedOnThrow')}
  await ${query};
  ${release};
}`,
        },
        {
          name: `${name}: given back in a finally`,
          code: `
export async function run() {
  const taken = await ${take};
  try {
    return await ${query};
  } finally {
    ${release};
  }
}`,
        },
        {
          name: `${name}: none of the pool's`,
          code: `
export async function run() {
  const other = ${outside};
  console.log(other);
}`,
        },
      ]),
    );
    checkRule(
      'no-use-after-release',
      withHeader(header, [
        {
          name: `${name}: a query after the release`,
          code: `
export async function run() {
  const taken = await ${take};
  ${release};
  await ${query};
//      ${'^'.repeat(query.length)} used
}`,
        },
      ]),
    );
  }
});

describe('what holds in the callback of a transaction holds in one that is ended by hand', () => {
  checkRule(
    'no-nested-checkout',
    withHeader("import knex from 'knex';\nconst db = knex({ client: 'pg' });", [
      {
        name: 'Knex: a query of the outer handle, and another transaction',
        code: `
export async function run(name) {
  const trx = await db.transaction();
  try {
    await trx('users').insert({ name });
    await db('logs').insert({ name });
//        ^^^^^^^^^^ outside
    const other = await db.transaction();
//                      ^^^^^^^^^^^^^^^^ outside
    await other.rollback();
    await db('logs').insert({ name }).transacting(trx);
    await trx.commit();
  } catch (error) {
    await trx.rollback();
    throw error;
  }
  await db('logs').insert({ name });
}`,
      },
    ]),
  );
  checkRule(
    'no-external-await-while-holding',
    withHeader("import knex from 'knex';\nconst db = knex({ client: 'pg' });", [
      {
        name: 'Knex: an HTTP request between begin and commit',
        code: `
export async function run(name) {
  const trx = await db.transaction();
  try {
    await trx('users').insert({ name });
    await fetch('https://mail.example/');
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ inTransaction
    await trx.commit();
  } catch (error) {
    await trx.rollback();
    throw error;
  }
  await fetch('https://mail.example/');
}`,
      },
    ]),
  );
  checkRule(
    'no-concurrent-client-query',
    withHeader("import knex from 'knex';\nconst db = knex({ client: 'pg' });", [
      {
        name: 'Knex: several queries at a time',
        code: `
export async function run(name) {
  const trx = await db.transaction();
  try {
    await Promise.all([trx('users').insert({ name }), trx('logs').insert({ name })]);
//        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ overHandle
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

describe('no-use-after-release, no-double-release and no-open-transaction-release are silent', () => {
  for (const library of begunByHand) {
    checkRule('no-use-after-release', inLibrary(library, right));
    checkRule('no-double-release', inLibrary(library, right));
    checkRule(
      'no-open-transaction-release',
      inLibrary(
        library,
        [...leaks, ...right].map(({ name, code }) => ({ name, code })),
      ),
    );
  }
});

describe('what Kysely only builds', () => {
  checkRule(
    'no-unreleased-client',
    withHeader("import { Kysely } from 'kysely';\nconst db = new Kysely({ dialect });", [
      {
        name: 'a commit that nobody executes',
        code: `
export async function run(name) {
  const trx = await db.startTransaction().execute();
  //                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ endNotSent
  try {
    await trx.insertInto('users').values({ name }).execute();
    await trx.commit();
  } catch (error) {
    await trx.rollback().execute();
    throw error;
  }
}`,
      },
      {
        name: 'a rollback that nobody executes',
        code: `
export async function run(name) {
  const trx = await db.startTransaction().execute();
  //                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ endNotSent
  try {
    await trx.insertInto('users').values({ name }).execute();
    await trx.commit().execute();
  } catch (error) {
    trx.rollback();
    throw error;
  }
}`,
      },
      {
        name: 'a command that is executed elsewhere',
        code: `
export async function run(name, send) {
  const trx = await db.startTransaction().execute();
  try {
    await trx.insertInto('users').values({ name }).execute();
    await send(trx.commit());
  } catch (error) {
    const undo = trx.rollback();
    await undo.execute();
    throw error;
  }
}`,
      },
    ]),
  );
});
