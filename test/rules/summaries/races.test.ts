import { describe } from 'vitest';
import { checkRule } from '../../support/marked.ts';

const helper = `
async function within<Value>(promise: Promise<Value>, time: number): Promise<Value> {
  let timer;
  const late = new Promise<never>((_, reject) => { timer = setTimeout(() => reject(new Error('late')), time); });
  try { return await Promise.race([promise, late]); } finally { clearTimeout(timer); }
}
`;
const sleep = 'const sleep = (time) => new Promise((resolve) => setTimeout(resolve, time));\n';
const work = "try { return await client.query('SELECT 1'); } finally { client.release(); }";

describe('a client that comes too late for a race', () => {
  checkRule('no-unreleased-client', [
    {
      name: 'has nobody, though its promise has a name',
      code: `
async function find(late: Promise<never>) {
  const pending = pool.connect();
  //              ^^^^^^^^^^^^^^ notReleasedOnThrow
  const client = await Promise.race([pending, late]);
  ${work}
}`,
    },
    {
      name: 'has nobody behind a function that races it',
      code: `${helper}
async function find() {
  const client = await within(pool.connect(), 500);
  //                          ^^^^^^^^^^^^^^ notReleasedOnThrow
  ${work}
}`,
    },
    {
      name: 'has nobody behind a function of another file',
      files: {
        'within.ts':
          "const fail = (time) => new Promise((_, reject) => setTimeout(reject, time, new Error('late')));\nexport const within = (promise, time) => Promise.race([promise, fail(time)]);",
      },
      code: `
import { within } from './within';
async function find() {
  const pending = pool.connect();
  //              ^^^^^^^^^^^^^^ notReleasedOnThrow
  const client = await within(pending, 500);
  ${work}
}`,
    },
    {
      name: 'has nobody where a pause was first',
      code: `${sleep}
async function find() {
  const client = await Promise.race([pool.connect(), sleep(500)]);
  //                                 ^^^^^^^^^^^^^^ notReleasedOnSomePath
  if (!client) return [];
  ${work}
}`,
    },
    {
      name: 'has nobody where only the race is returned',
      code: `
const acquire = (late: Promise<never>) => Promise.race([pool.connect(), late]);
//                                                      ^^^^^^^^^^^^^^ notReleasedOnSomePath`,
    },
    {
      name: 'is not released where only the winner is',
      code: `
async function find(late: Promise<never>) {
  let client;
  try {
    client = await Promise.race([pool.connect(), late]);
    //                           ^^^^^^^^^^^^^^ notReleasedOnThrow
    return await client.query('SELECT 1');
  } finally {
    client?.release();
  }
}`,
    },
    {
      name: 'goes back by its own promise',
      code: `${helper}
async function find() {
  const pending = pool.connect();
  const client = await within(pending, 500).catch((error) => { void pending.then((lost) => lost.release()); throw error; });
  ${work}
}
async function findInTry(late: Promise<never>) {
  const pending = pool.connect();
  const race = Promise.race([pending, late]);
  let client;
  try {
    client = await race;
  } catch (error) {
    pending.then((lost) => lost.release(), () => {});
    throw error;
  }
  ${work}
}
async function findInFinally(late: Promise<never>) {
  const pending = pool.connect();
  let client;
  try {
    client = await Promise.race([pending, late]);
    return await client.query('SELECT 1');
  } finally {
    if (client) client.release();
    else pending.then((lost) => lost.release()).catch(() => {});
  }
}`,
    },
    {
      name: 'goes back where a pause was first',
      code: `${sleep}
async function find() {
  const pending = pool.connect();
  const client = await Promise.race([pending, sleep(500)]);
  if (!client) { void pending.then((lost) => lost.release()); return []; }
  ${work}
}
async function findOrTell(word: string) {
  const pending = pool.connect();
  const client = await Promise.race([pending, sleep(500)]);
  if (client === word) { void pending.then((lost) => lost.release()); return []; }
  ${work}
}`,
    },
    {
      name: 'is waited for once more',
      code: `${sleep}
async function find(tell) {
  const pending = pool.connect();
  await Promise.race([pending, sleep(500)]);
  tell();
  const client = await pending;
  ${work}
}`,
    },
    {
      name: 'goes back by the function that races',
      code: `
async function within(promise, late) {
  try { return await Promise.race([promise, late]); }
  catch (error) { promise.then((client) => client.release()); throw error; }
}
async function find(late) {
  const client = await within(pool.connect(), late);
  ${work}
}`,
    },
  ]);
});
