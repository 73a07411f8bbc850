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
