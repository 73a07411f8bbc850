import knexOf from 'knex';

export function open(url) {
  const knex = knexOf({ client: 'pg', connection: url, pool: { min: 0, max: 1 } });
  return {
    end: () => knex.destroy(),
    select: async () => await knex('users').where({ id: 1 }), // table
    from: async () => await knex.select('id').from('orders'), // table
    insert: () => knex('users').insert({ id: 1, name: 'x' }).returning('id'), // table
    update: () => knex('users').where({ id: 1 }).update({ name: 'x' }), // table
    remove: () => knex('users').where({ id: 1 }).del(), // table
    empty: () => knex('orders').truncate(), // table
    raw: () => knex.raw('SELECT ?? FROM users WHERE id = ?', ['name', 1]), // template
    named: () => knex.raw('SELECT count(*) FROM users WHERE name = :name', { name: 'x' }), // template
  };
}
