import { describe } from 'vitest';
import { checkRule, type Sample } from '../../support/marked.ts';

const typeorm = `
import { DataSource, EntityManager } from 'typeorm';
import { User } from './user';
const source = new DataSource({});
const other = new DataSource({ name: 'other' });
`;

const knex = `
import Knex from 'knex';
const source = Knex({});
const other = Knex({});
`;

const program = (header: string, helper: string, call: string, mark = ''): string =>
  `${header}${helper}
export async function run(id) {
  return source.transaction(async (tx) => {
    await ${call};
    ${mark}
  });
}`;

const sample = (
  name: string,
  header: string,
  helper: string,
  call: string,
  isFound: boolean,
): Sample => ({
  name,
  header: '',
  code: program(
    header,
    helper,
    call,
    isFound ? `//    ${'^'.repeat(call.length)} outsideInHelper` : '',
  ),
});

const inTypeOrm = [
  'const find = (id, m?: EntityManager) => (m || source.manager).find(User, { id });',
  'const find = (id, m?: EntityManager) => (m ?? source.manager).getRepository(User).findOne({ id });',
  'const find = (id, m?: EntityManager) => (m ? m : source.manager).find(User, { id });',
  'const find = async (id, m?: EntityManager) => { const em = m ?? source.manager; return em.find(User, { id }); };',
  'const find = async (id, m?: EntityManager) => { const users = (m ?? source.manager).getRepository(User); return users.find({ id }); };',
  'const find = async (id, m?: EntityManager) => { if (id && !m) return source.manager.find(User, { id }); return m.find(User, { id }); };',
  'const find = async (id, m?: EntityManager) => (id && !m && source.manager.find(User, { id }));',
  'const find = async (id, m?: EntityManager) => { const users = m?.getRepository(User) ?? source.manager.getRepository(User); return users.find({ id }); };',
  "const find = (id, m?: EntityManager) => (m || source.manager).createQueryBuilder(User, 'u').where('x').getMany();",
  "const find = async (id, m?: EntityManager) => { const q = (m || source.manager).createQueryBuilder(User, 'u').where('x'); return q.andWhere('y').getMany(); };",
  "const find = async (id, m?: EntityManager) => { const q = (m || source.manager).createQueryBuilder(User, 'u'); if (id) { return q.getOne(); } return q.andWhere('y').skip(1).getMany(); };",
];

describe('a handle that is taken where the caller gives none', () => {
  checkRule('no-nested-checkout', [
    ...inTypeOrm.flatMap((helper) => [
      sample(`nothing: ${helper}`, typeorm, helper, 'find(id)', true),
      sample(`silent for the transaction: ${helper}`, typeorm, helper, 'find(id, tx)', false),
      sample(
        `silent for another pool: ${helper}`,
        typeorm,
        helper.replaceAll('source.manager', 'other.manager'),
        'find(id)',
        false,
      ),
    ]),
    sample(
      'silent for two of them',
      typeorm,
      'const find = (id, m?: EntityManager) => (m ?? (id ? other : source).manager).find(User, { id });',
      'find(id)',
      false,
    ),
  ]);
});

const chained = [
  "const find = async (id) => { const q = source('users'); return q.where({ id }); };",
  "const find = async (id) => { const q = source('users').select('*'); await q.where({ id }).first(); };",
  "const find = async (id) => { const q = source('users'); if (id) return await q.where({ id }).first(); return q; };",
];

describe('a query that a variable keeps and a chain goes on with', () => {
  checkRule('no-nested-checkout', [
    ...chained.flatMap((helper) => [
      sample(helper, knex, helper, 'find(id)', true),
      sample(
        `silent for another pool: ${helper}`,
        knex,
        helper.replace('source(', 'other('),
        'find(id)',
        false,
      ),
      sample(
        `silent where the chain is told of the transaction: ${helper}`,
        knex,
        helper
          .replace('(id)', '(id, trx)')
          .replaceAll(/(q\.\w+\([^)]*\)|return q(?=;))/gu, '$1.transacting(trx)'),
        'find(id, tx)',
        false,
      ),
    ]),
    ...[
      "const find = async (id, trx) => { const q = source('users'); if (trx) q.transacting(trx); return q.where({ id }); };",
      "const find = async (id, trx) => { const q = source('users'); if (trx) { void q.transacting(trx); } await q.where({ id }).first(); };",
      "const find = async (id, trx) => { let q = source('users'); if (trx) q = q.transacting(trx); await q.where({ id }).first(); };",
      "const find = async (id, trx) => { const q = trx ? trx('users') : source('users'); await q.where({ id }).first(); };",
      "const find = async (id, trx) => { const q = source('users'); build(q.where({ id })); };",
    ].map((helper) => sample(`silent: ${helper}`, knex, helper, 'find(id, tx)', false)),
  ]);
});
