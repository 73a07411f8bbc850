import { describe } from 'vitest';
import { checkRule } from '../../support/marked.ts';

describe('clients in a list', () => {
  checkRule('no-unreleased-client', [
    {
      name: 'are lost where a loop fills it and nothing empties it',
      code: `
async function warm(count: number) {
  const clients: PoolClient[] = [];
  for (let index = 0; index < count; index++) clients.push(await pool.connect());
  //                                                             ^^^^^^^^^^^^^^ listNeverReleased
  for (const client of clients) await client.query('SELECT 1');
}`,
    },
    {
      name: 'are lost behind Promise.all',
      code: `
async function spread(ids: number[]) {
  const clients = await Promise.all(ids.map(() => pool.connect()));
  //                                              ^^^^^^^^^^^^^^ listNeverReleased
  await Promise.all(clients.map((client, index) => client.query('SELECT $1', [ids[index]])));
  return clients.length;
}
async function first(ids: number[]) {
  const clients = await Promise.all(ids.map(async () => { return pool.connect(); }));
  //                                                             ^^^^^^^^^^^^^^ listNeverReleased
  return (await clients[0]!.query('SELECT 1')).rows;
}`,
    },
    {
      name: 'go back one by one',
      code: `
async function each(ids: number[]) {
  const clients = await Promise.all(ids.map(() => pool.connect()));
  try { await Promise.all(clients.map((client) => client.query('SELECT 1'))); }
  finally { clients.forEach((client) => client.release()); }
}
async function loop(count: number) {
  const clients: PoolClient[] = [];
  try {
    for (let index = 0; index < count; index++) clients.push(await pool.connect());
    await clients[0]!.query('SELECT 1');
  } finally {
    for (const client of clients) client.release();
  }
}
async function taken(ids: number[]) {
  const clients = await Promise.all(ids.map(() => pool.connect()));
  let next;
  while ((next = clients.pop())) next.release();
}`,
    },
    {
      name: 'are somebody else’s where the list is',
      code: `
const kept: PoolClient[] = [];
async function fill() { kept.push(await pool.connect()); }
async function give(ids: number[]) {
  const clients = await Promise.all(ids.map(() => pool.connect()));
  await clients[0]!.query('SELECT 1');
  return clients;
}
async function lend(use: (clients: PoolClient[]) => void) {
  const clients: PoolClient[] = [];
  clients.push(await pool.connect());
  use(clients);
}
class Pair {
  all: PoolClient[] = [];
  async open() {
    const clients = await Promise.all([1, 2].map(() => pool.connect()));
    this.all = clients;
  }
}`,
    },
  ]);
});
