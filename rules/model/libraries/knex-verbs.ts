import { byMethod } from '../built.ts';

/** Knex 3.3.0 `lib/query/querybuilder.js`. */
export const knexVerbs = byMethod({
  insert: 'insert upsert',
  update: 'update increment decrement',
  delete: 'del delete',
  truncate: 'truncate',
});
