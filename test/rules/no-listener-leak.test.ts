import { describe } from 'vitest';
import { checkRule } from '../support/marked.ts';
import { checkSuggestions } from '../support/suggestions.ts';

const rule = 'no-listener-leak';

describe('reports listeners that are added whenever the pool lends a client', () => {
  checkRule(rule, [
    {
      name: 'on acquire',
      code: `
pool.on('acquire', (client) => { client.on('error', console.error); });
//                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ atAcquire`,
    },
    {
      name: 'on acquire, in a longer function, to another event',
      code: `
pool.addListener('acquire', function (client) {
  client.query('SELECT 1');
  client.addListener('notification', (message) => { console.log(message); });
//^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ atAcquire
});`,
    },
    {
      name: 'on acquire, in a function with a name',
      code: `
const hear = (client: PoolClient) => {
  client.on('notice', console.log);
//^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ atAcquire
};
pool.on('acquire', hear);
function watch(client: PoolClient) { client.on('error', console.error); }
//                                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ atAcquire
pool.prependListener('acquire', watch);`,
    },
    {
      name: 'and not where another listener of the pool takes it off',
      code: `
pool.on('acquire', (client) => { client.on('error', console.error); });
pool.on('release', (error, client) => { client.off('error', console.error); });`,
    },
    {
      name: 'and not where it is added once, taken off, or asked about',
      code: `
pool.on('connect', (client) => { client.on('error', console.error); });
pool.on('acquire', (client) => { client.once('error', console.error); });
pool.on('acquire', (client) => { if (client.listenerCount('error') === 0) client.on('error', console.error); });
pool.on('acquire', (client) => { client.removeAllListeners('error'); client.on('error', console.error); });
other.on('acquire', (client) => { client.on('error', console.error); });`,
    },
  ]);
});

describe('reports listeners that stay on a client', () => {
  checkRule(rule, [
    {
      name: 'for errors, at each checkout',
      code: `
export async function f() {
  const client = await pool.connect();
  client.on('error', (error) => console.error(error));
//^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ left
  try { await client.query('x'); } finally { client.release(); }
}`,
    },
    {
      name: 'for notices, in the try',
      code: `
export async function f(notices: string[]) {
  const client = await pool.connect();
  try {
    client.addListener('notice', (notice) => notices.push(notice.message ?? ''));
  //^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ left
    await client.query('x');
  } finally { client.release(); }
}`,
    },
    {
      name: 'taken off on one way only',
      code: `
export async function f(onNotice: () => void) {
  const client = await pool.connect();
  client.on('notice', onNotice);
//^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ left
  try {
    await client.query('x');
    client.off('notice', onNotice);
  } finally { client.release(); }
}`,
    },
    {
      name: 'another event is taken off',
      code: `
export async function f(listener: () => void) {
  const client = await pool.connect();
  client.on('notice', listener);
//^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ left
  client.on('error', listener);
  try { await client.query('x'); } finally { client.removeListener('error', listener); client.release(); }
}`,
    },
    {
      name: 'in a callback',
      code: `
export function f(callback: (error: Error | null) => void) {
  pool.connect((error, client, done) => {
    if (error) return callback(error);
    client.on('notice', console.log);
  //^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ left
    client.query('x', (failure) => { done(); callback(failure); });
  });
}`,
    },
  ]);
});

describe('leaves alone', () => {
  checkRule(rule, [
    {
      name: 'listeners that are taken off',
      code: `
export async function f(onError: () => void) {
  const client = await pool.connect();
  client.on('error', onError);
  try { await client.query('x'); } finally { client.off('error', onError); client.release(); }
}
export async function g(onError: () => void) {
  const client = await pool.connect();
  client.on('error', onError);
  client.on('notice', onError);
  try { await client.query('x'); } finally { client.removeAllListeners(); client.release(); }
}
export async function h(onError: () => void, event: string) {
  const client = await pool.connect();
  client.on('error', onError);
  try { await client.query('x'); } finally { client.removeListener(event as 'error', onError); client.release(); }
}`,
    },
    {
      name: 'a function that takes them off',
      code: `
export async function f(onError: () => void) {
  const client = await pool.connect();
  const tidy = () => { client.off('error', onError); };
  client.on('error', onError);
  try { await client.query('x'); } finally { tidy(); client.release(); }
}
export async function g(onError: () => void, detach: (client: PoolClient) => void) {
  const client = await pool.connect();
  client.on('error', onError);
  try { await client.query('x'); } finally { detach(client); client.release(); }
}`,
    },
    {
      name: 'connections that are closed',
      code: `
export async function f() {
  const client = await pool.connect();
  client.on('error', console.error);
  try { await client.query('x'); } finally { client.release(true); }
}
export async function g() {
  const client = await pool.connect();
  let failure: Error | undefined;
  client.on('error', (error) => { failure = error; });
  try { await client.query('x'); } finally { client.release(failure); }
}`,
    },
    {
      name: 'once for each connection',
      code: `
pool.on('connect', (client) => { client.on('error', console.error); });
const known = new WeakSet<object>();
export async function f() {
  const client = await pool.connect();
  if (client.listenerCount('error') === 0) client.on('error', console.error);
  try { await client.query('x'); } finally { client.release(); }
}
export async function g() {
  const client = await pool.connect();
  if (!known.has(client)) { known.add(client); client.on('error', console.error); }
  try { await client.query('x'); } finally { client.release(); }
}`,
    },
    {
      name: 'once',
      code: `
export async function f() {
  const client = await pool.connect();
  client.once('error', console.error);
  try { await client.query('x'); } finally { client.release(); }
}`,
    },
    {
      name: 'the first client of a pool that is made here',
      code: `
class Driver {
  open() {
    const own = new Pool();
    return new Promise((resolve, reject) => {
      own.connect((error, client, release) => {
        if (error) return reject(error);
        client.on('notice', console.log);
        release();
        resolve(own);
      });
    });
  }
}`,
    },
    {
      name: 'the first client of a pool of a class that is not known',
      code: `
class Driver {
  open() {
    const own = new this.driver.Pool();
    return new Promise((resolve, reject) => {
      own.connect((error, client, release) => {
        if (error) return reject(error);
        client.on('notice', console.log);
        release();
        resolve(own);
      });
    });
  }
}`,
    },
    {
      name: 'a script that runs once',
      code: `
async function main() {
  const client = await pool.connect();
  client.on('notice', console.log);
  try { await client.query('x'); } finally { client.release(); }
}
main();`,
    },
    {
      name: 'a client that is kept for its notifications',
      code: `
export async function subscribe(onMessage: () => void) {
  const client = await pool.connect();
  client.on('notification', onMessage);
  await client.query('LISTEN a');
  return async () => { await client.query('UNLISTEN a'); client.release(); };
}`,
    },
    {
      name: 'a client that somebody lends',
      code: `
async function withClient<T>(work: (client: PoolClient) => Promise<T>) {
  const client = await pool.connect();
  try { return await work(client); } finally { client.removeAllListeners('notice'); client.release(); }
}
export const f = () => withClient(async (client) => { client.on('notice', console.log); await client.query('x'); });`,
    },
    {
      name: 'other emitters',
      code: `
export async function f(stream: NodeJS.ReadableStream) {
  const client = await pool.connect();
  stream.on('data', console.log);
  try { await client.query('x'); } finally { client.release(); }
}`,
    },
  ]);
});

describe('suggests', () => {
  checkSuggestions(rule, [
    {
      name: 'to take a named listener off',
      code: `
const onError = (error: Error) => console.error(error);
export async function f() {
  const client = await pool.connect();
  client.on('error', onError);
  try {
    await client.query('x');
  } finally {
    client.release();
  }
}`,
      outputs: [
        `
const onError = (error: Error) => console.error(error);
export async function f() {
  const client = await pool.connect();
  client.on('error', onError);
  try {
    await client.query('x');
  } finally {
    client.off('error', onError);
    client.release();
  }
}`,
      ],
    },
    {
      name: 'nothing where the listener is not known at the release',
      code: `
export async function f() {
  const client = await pool.connect();
  try {
    const onError = (error: Error) => console.error(error);
    client.on('error', onError);
    await client.query('x');
  } finally {
    client.release();
  }
}`,
      outputs: [],
    },
    {
      name: 'nothing where it has no name, or another one by then',
      code: `
export async function f(listener: () => void) {
  const client = await pool.connect();
  client.on('error', () => undefined);
  let current = listener;
  client.on('notice', current);
  current = () => undefined;
  try { await client.query('x'); } finally { client.release(); }
}`,
      outputs: [],
    },
  ]);
});
