import knexOf from 'knex';
import { Model } from 'objection';

class User extends Model {
  static tableName = 'users';
}

class Order extends Model {
  static get tableName() {
    return 'orders';
  }
}

export function open(url) {
  const knex = knexOf({ client: 'pg', connection: url, pool: { min: 0, max: 1 } });
  Model.knex(knex);
  return {
    end: () => knex.destroy(),
    select: async () => await User.query().findById(1), // table
    getter: async () => await Order.query().where('user', 1), // table
    insert: () => User.query().insert({ id: 1, name: 'x' }), // table
    update: () => User.query().findById(1).patch({ name: 'x' }), // table
    remove: () => User.query().deleteById(1), // table
    raw: () => User.knex().raw('SELECT name FROM users WHERE id = ?', [1]), // template
  };
}
