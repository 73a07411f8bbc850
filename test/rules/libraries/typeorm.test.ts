import { describe } from 'vitest';
import { checkRule, withHeader } from '../../support/marked.ts';

const header = `
import { DataSource, EntityManager, BaseEntity, QueryRunner, Repository } from 'typeorm';
import { User } from './user';
export const dataSource = new DataSource({ type: 'postgres' });
const users = dataSource.getRepository(User);
`;

/** What takes a connection of its own inside `dataSource.transaction(async (m) => …)`, with the part that is reported in angle brackets. */
const outer: readonly string[] = [
  '«users.find()»',
  '«users.save(user)»',
  '«dataSource.getRepository(User).findOneBy({ id })»',
  '«dataSource.manager.save(user)»',
  '«dataSource.manager.getRepository(User).save(user)»',
  '«users.manager.save(user)»',
  "«dataSource.query('SELECT 1')»",
  '«dataSource.sql`SELECT 1`»',
  "«users.createQueryBuilder('user')».where('id = 1').getMany()",
  '«dataSource.createQueryBuilder()».update(User).set({ id }).execute()',
  "«dataSource.getRepository(User).createQueryBuilder('user')».getOne()",
  '«dataSource.transaction(async (n) => n.save(user))»',
  '«users.manager.transaction(async (n) => n.save(user))»',
  '«dataSource.createQueryRunner()».connect()',
  '«dataSource.runMigrations()»',
  '«dataSource.synchronize()»',
];

const right: readonly string[] = [
  'await m.save(user)',
  'await m.getRepository(User).find()',
  'await m.withRepository(users).find()',
  "await users.createQueryBuilder('user', m.queryRunner).getMany()",
  "await users.createQueryBuilder('user').setQueryRunner(m.queryRunner).getMany()",
  "await dataSource.query('SELECT 1', [], m.queryRunner)",
  'await m.sql`SELECT 1`',
  'await dataSource.createQueryBuilder(m.queryRunner).update(User).set({ id }).execute()',
  'await m.transaction(async (n) => n.save(user))',
  'users.create({ id })',
  'users.merge(user, { id })',
  "users.createQueryBuilder('user').getQuery()",
  'const metadata = users.metadata',
  'dataSource.getMetadata(User)',
  'dataSource.hasMetadata(User)',
];

/** The lines of a statement with a mark under what stands in the brackets. */
function marked(statement: string, messageId: string): string {
  const line = `    await ${statement.replace(/[«»]/gu, '')};`;
  const start = `    await ${statement}`.indexOf('«');
  const length = statement.indexOf('»') - statement.indexOf('«') - 1;
  return `${line}\n//${' '.repeat(start - 2)}${'^'.repeat(length)} ${messageId}`;
}

const within = (line: string): string =>
  `\nexport async function run(user, id) {\n  await dataSource.transaction(async (m) => {\n${line}\n  });\n}`;

describe('the outer handles of a transaction of TypeORM', () => {
  checkRule(
    'no-nested-checkout',
    withHeader(header, [
      ...outer.map((statement) => ({
        name: statement,
        code: within(marked(statement, 'outside')),
      })),
      ...right.map((statement) => ({ name: statement, code: within(`    ${statement};`) })),
    ]),
  );
});
