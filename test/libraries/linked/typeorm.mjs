import { DataSource, EntitySchema } from 'typeorm';

const columns = { id: { type: Number, primary: true }, name: { type: String } };
const User = new EntitySchema({ name: 'User', tableName: 'users', columns });

export async function open(url) {
  const source = new DataSource({ type: 'postgres', url, entities: [User], poolSize: 1 });
  await source.initialize();
  return {
    end: () => source.destroy(),
    select: () => source.getRepository(User).findOneBy({ id: 1 }), // table
    insert: () => source.manager.insert(User, { id: 1, name: 'x' }), // table
    update: () => source.createQueryBuilder().update(User).set({ name: 'x' }).execute(), // table
    remove: () => source.getRepository(User).delete(1), // table
    query: () => source.query('SELECT name FROM users WHERE id = $1', [1]), // exact
  };
}
