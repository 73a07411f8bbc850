import { describe } from 'vitest';
import { checkRule } from '../../support/marked.ts';

describe('a client that is acquired beside other promises', () => {
  checkRule('no-unreleased-client', [
    {
      name: 'comes back in a `finally`',
      code: `
async function copy() {
  const [from, to] = await Promise.all([pool.connect(), pool.connect()]);
  try {
    await to.query((await from.query('SELECT 1')).rows[0]);
  } finally {
    from.release();
    to.release();
  }
}`,
    },
    {
      name: 'is lost where only the other one comes back',
      code: `
async function copy() {
  const [from, to] = await Promise.all([pool.connect(), pool.connect()]);
  //                                                    ^^^^^^^^^^^^^^ notReleasedOnThrow
  try {
    await from.query('SELECT 1');
    await to.query('SELECT 1');
    to.release();
  } finally {
    from.release();
  }
}`,
    },
    {
      name: 'is lost when another promise rejects',
      code: `
async function find(user: () => Promise<number>) {
  const [client, id] = await Promise.all([pool.connect(), user()]);
  //                                      ^^^^^^^^^^^^^^ notReleasedOnThrow
  try {
    return await client.query('SELECT $1', [id]);
  } finally {
    client.release();
  }
}`,
    },
    {
      name: 'is lost when another promise is first',
      code: `
async function find(late: Promise<never>) {
  const client = await Promise.race([pool.connect(), late]);
  //                                 ^^^^^^^^^^^^^^ notReleasedOnThrow
  try {
    return await client.query('SELECT 1');
  } finally {
    client.release();
  }
}`,
    },
    {
      name: 'may come back late where its promise has a name',
      code: `
async function find(late: Promise<never>) {
  const promise = pool.connect();
  const client = await Promise.race([promise, late]).catch(async (error) => {
    void promise.then((lost) => lost.release());
    throw error;
  });
  try {
    return await client.query('SELECT 1');
  } finally {
    client.release();
  }
}`,
    },
    {
      name: 'is anywhere behind a spread',
      code: `
async function find(others: Promise<number>[]) {
  const all = await Promise.all([...others, pool.connect()]);
  return all.length;
}`,
    },
    {
      name: 'is in the chain behind',
      code: `
function find() {
  return Promise.all([pool.connect(), 1]).then(([client, id]) =>
    client.query('SELECT $1', [id]).finally(() => client.release()),
  );
}`,
    },
  ]);
});

describe('what `Promise.all` gives, under one name', () => {
  checkRule('no-unreleased-client', [
    {
      name: 'comes back however its clients are reached',
      code: `
const both = () => Promise.all([pool.connect(), pool.connect()]);
async function byIndex() {
  const all = await Promise.all([pool.connect(), pool.connect()]);
  try { await all[0].query('x'); } finally { all[0].release(); all[1].release(); }
}
async function byLoop() {
  const all = await Promise.all([pool.connect(), pool.connect()]);
  try { await all[0].query('x'); } finally { for (const each of all) each.release(); }
}
async function byMethod() {
  const all = await Promise.all([pool.connect(), pool.connect()]);
  try { await Promise.all(all.map((each) => each.query('x'))); } finally { all.forEach((each) => each.release()); }
}
async function byPattern() {
  const all = await Promise.all([pool.connect(), pool.connect(), pool.connect()]);
  const [one, ...others] = all;
  one.release();
  for (const each of others) each.release();
}
async function byName() {
  const all = await Promise.all([pool.connect(), pool.connect()]);
  const one = all.at(0);
  const other = all[1];
  one.release();
  other.release();
}
async function byListener(events) {
  const all = await Promise.all([pool.connect(), pool.connect()]);
  events.on('end', () => all.forEach((each) => each.release()));
}
async function byFunction() {
  const all = await Promise.all([pool.connect(), pool.connect()]);
  const release = () => { for (const each of all) each.release(); };
  try { await all[0].query('x'); } finally { release(); }
}
async function inPlace() {
  for (const each of await Promise.all([pool.connect(), pool.connect()])) each.release();
  (await Promise.all([pool.connect(), pool.connect()])).forEach((each) => each.release());
  const client = (await Promise.all([pool.connect(), 1]))[0];
  try { await client.query('x'); } finally { client.release(); }
}
function inChain() {
  return Promise.all([pool.connect(), pool.connect()]).then((all) =>
    Promise.all(all.map((each) => each.query('x'))).finally(() => all.forEach((each) => each.release())),
  );
}`,
    },
    {
      name: 'is lost where nothing but queries comes of it',
      code: `
async function f() {
  const all = await Promise.all([pool.connect(), pool.connect()]);
  //                             ^^^^^^^^^^^^^^ neverReleased
  //                                             ^^^^^^^^^^^^^^ neverReleased
  await all[0].query('x');
}
async function g() {
  const all = await Promise.all([pool.connect(), pool.connect()]);
  //                             ^^^^^^^^^^^^^^ listNeverReleased
  //                                             ^^^^^^^^^^^^^^ listNeverReleased
  await Promise.all(all.map((each) => each.query('x')));
}
async function h() {
  const all = await Promise.all([pool.connect(), pool.connect()]);
  //                             ^^^^^^^^^^^^^^ notReleasedOnThrow
  //                                             ^^^^^^^^^^^^^^ neverReleased
  await all[1].query('x');
  all[0].release();
}`,
    },
    {
      name: 'and so is a pair of a client and its release',
      code: `
async function get() { const client = await pool.connect(); return [client, () => client.release()]; }
async function right() { const pair = await get(); try { await pair[0].query('x'); } finally { pair[1](); } }
async function wrong() { const pair = await get(); await pair[0].query('x'); pair[1](); }
//                                          ^^^^^ notReleasedOnThrow
async function handed(use) { const pair = await get(); use(...pair); }`,
    },
  ]);
});
