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
      name: 'are lost where a later checkout fails, or something else before the release',
      code: `
async function fill(count: number) {
  const clients: PoolClient[] = [];
  for (let index = 0; index < count; index++) clients.push(await pool.connect());
  //                                                             ^^^^^^^^^^^^^^ notReleasedOnThrow
  try { await work(clients); } finally { for (const client of clients) client.release(); }
}
async function pair() {
  const clients = [];
  clients.push(await pool.connect());
  //                 ^^^^^^^^^^^^^^ notReleasedOnThrow
  await fetch('https://example.com');
  clients.forEach((client) => client.release());
}
async function named(count: number) {
  const clients: PoolClient[] = [];
  for (let index = 0; index < count; index++) {
    const client = await pool.connect();
    //                   ^^^^^^^^^^^^^^ notReleasedOnThrow
    clients.push(client);
  }
  await prepare(count);
  await Promise.all(clients.map((client) => client.release()));
}`,
    },
    {
      name: 'go back where what may throw does not leave the function, or leaves it through their release',
      code: `
async function guarded(count: number) {
  const clients: PoolClient[] = [];
  try {
    for (let index = 0; index < count; index++) clients.push(await pool.connect());
  } catch (error) {
    for (const client of clients) client.release();
    throw error;
  }
  for (const client of clients) client.release();
}
async function tested(count: number) {
  const clients: PoolClient[] = [];
  try {
    for (let index = 0; index < count; index++) {
      const client = await pool.connect();
      clients.push(client);
    }
  } finally {
    if (clients.length > 0) clients.forEach((client) => client.release());
  }
}
async function single() {
  const clients = [];
  clients.push(await pool.connect());
  for (const client of clients) client.release();
  await fetch('https://example.com');
}
async function swallowed(count: number) {
  const clients = [];
  for (let index = 0; index < count; index++) {
    try { clients.push(await pool.connect()); } catch { break; }
  }
  while (clients.length > 0) clients.pop()!.release();
}
async function given(count: number, registry: { add(clients: PoolClient[]): void }) {
  const clients: PoolClient[] = [];
  registry.add(clients);
  for (let index = 0; index < count; index++) clients.push(await pool.connect());
  for (const client of clients) client.release();
}
async function both(count: number) {
  const clients: PoolClient[] = [];
  for (let index = 0; index < count; index++) {
    const client = await pool.connect();
    clients.push(client);
    client.release();
  }
  for (const client of clients) client.release();
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
