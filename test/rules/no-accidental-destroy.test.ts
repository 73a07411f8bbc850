import { describe } from 'vitest';
import { checkRule } from '../support/marked.ts';
import { checkSuggestions } from '../support/suggestions.ts';

const rule = 'no-accidental-destroy';

describe('reports a release that gets something truthy by accident', () => {
  checkRule(rule, [
    {
      name: 'client.release as the handler of a then',
      code: `
async function f() {
  const client = await pool.connect();
  return client.query('x').then(client.release, client.release);
  //                            ^^^^^^^^^^^^^^ passed
}`,
    },
    {
      name: 'an object that asks not to',
      code: `
async function f() {
  const client = await pool.connect();
  try { await client.query('x'); } finally { client.release({ destroy: false }); }
  //                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ given
}
async function g(isBroken) {
  const client = await pool.connect();
  try { await client.query('x'); } finally { client.release({ destroy: true }); }
}
async function h(isBroken) {
  const client = await pool.connect();
  try { await client.query('x'); } finally { client.release({ destroy: isBroken }); }
}`,
    },
    {
      name: 'done as the handler of a then',
      code: `
pool.connect((error, client, done) => {
  if (error) throw error;
  client.query('x').then(done, done);
  //                     ^^^^ passed
});`,
    },
    {
      name: 'a bound release as the handler',
      code: `
async function f() {
  const client = await pool.connect();
  await client.query('x').then(client.release.bind(client), client.release);
  //                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^ passed
}`,
    },
    {
      name: 'what an earlier handler gives',
      code: `
async function f() {
  const client = await pool.connect();
  await client.query('x').then(({ rows }) => [rows.length]).then(client.release, client.release);
  //                                                             ^^^^^^^^^^^^^^ passed
}`,
    },
    {
      name: 'the results of several queries',
      code: `
async function f() {
  const client = await pool.connect();
  const all = Promise.all([client.query('x')]);
  await all.then(client.release, client.release);
  //             ^^^^^^^^^^^^^^ passed
}`,
    },
    {
      name: 'the result of a callback',
      code: `
pool.connect((error, client, done) => {
  if (error) throw error;
  client.query('x', (error, result) => {
    if (error) return done(error);
    done(result);
  //^^^^^^^^^^^^ given
  });
});`,
    },
    {
      name: 'rows',
      code: `
async function f() {
  const client = await pool.connect();
  const { rows } = await client.query('x');
  client.release(rows);
//^^^^^^^^^^^^^^^^^^^^ given
}`,
    },
    {
      name: 'the rows of a result, set later',
      code: `
async function f() {
  const client = await pool.connect();
  let result;
  try {
    result = await client.query('x');
  } finally {
    client.release(result);
  //^^^^^^^^^^^^^^^^^^^^^^ given
  }
}`,
    },
    {
      name: 'options that do not exist',
      code: `
async function f() {
  const client = await pool.connect();
  try { await client.query('x'); } finally { client.release({ keep: false }); }
  //                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ given
}`,
    },
    {
      name: 'the index of an array',
      code: `
async function f() {
  const client = await pool.connect();
  [1].forEach((each, index) => { client.release(index); });
  //                             ^^^^^^^^^^^^^^^^^^^^^ given
}
async function g() {
  const client = await pool.connect();
  return client.query('x').then((result) => client.release(result), (error) => client.release(error));
  //                                        ^^^^^^^^^^^^^^^^^^^^^^ given
}`,
    },
    {
      name: 'a client that only its type tells',
      code: `
export function finish(client: PoolClient) {
  return client.query('COMMIT').then(client.release, client.release);
  //                                 ^^^^^^^^^^^^^^ passed
}`,
    },
  ]);
});

describe('leaves alone', () => {
  checkRule(rule, [
    {
      name: 'errors, true, and what may be either',
      code: `
async function f(broken: boolean, reason: Error | undefined) {
  const client = await pool.connect();
  let failure: Error | undefined;
  try { await client.query('x'); } catch (error) { failure = error as Error; throw error; } finally { client.release(failure); }
}
async function g(reason: Error) {
  const client = await pool.connect();
  client.release(reason);
}
async function h() {
  const client = await pool.connect();
  try { await client.query('x'); client.release(); } catch (error) { client.release(error as Error); throw error; }
}
async function i() {
  const client = await pool.connect();
  try { await client.query('x'); client.release(); } catch { client.release(new Error('gone')); }
}
async function j() {
  const client = await pool.connect();
  let broken = true;
  try { await client.query('x'); broken = false; } finally { client.release(broken); }
}
async function k() {
  const client = await pool.connect();
  client.release(true);
}`,
    },
    {
      name: 'what may say that it closes on purpose, in whatever words',
      code: `
async function f() {
  const client = await pool.connect();
  client.release({ destroy: true } as never);
}
async function g() {
  const client = await pool.connect();
  client.release('connection lost' as never);
}
async function h() {
  const client = await pool.connect();
  client.release({ keep: true } as never);
}
async function i() {
  const client = await pool.connect();
  const reason = 'done';
  client.release(reason as never);
}`,
    },
    {
      name: 'finally, which passes nothing, and catch, which passes an error',
      code: `
async function f() {
  const client = await pool.connect();
  await client.query('x').finally(client.release);
}
async function g() {
  const client = await pool.connect();
  await client.query('x').then(() => client.release(), client.release);
}`,
    },
    {
      name: 'done as the callback of a query, which gets an error or null first',
      code: `
pool.connect((error, client, done) => {
  if (error) throw error;
  client.query('x', done);
});`,
    },
    {
      name: 'a chain whose last handler gives nothing',
      code: `
async function f() {
  const client = await pool.connect();
  await client.query('x').then((result) => { console.log(result.rows); }).then(client.release, client.release);
}`,
    },
    {
      name: 'a chain whose last handler may give nothing',
      code: `
async function f(quiet: boolean) {
  const client = await pool.connect();
  await client.query('x').then((result) => { if (quiet) return; return result; }).then(client.release, client.release);
}
async function g() {
  const client = await pool.connect();
  await work(client).then(client.release, client.release);
}`,
    },
    {
      name: 'a function of its own in place of done',
      code: `
async function f() {
  const client = await pool.connect();
  const done = (result: unknown) => { client.release(); return result; };
  return client.query('x').then(done, done);
}`,
    },
    {
      name: 'the error of a callback, and one that comes with nothing',
      code: `
pool.connect((error, client, done) => {
  if (error) return done(error);
  client.query('x', (error, result) => { done(error); console.log(result); });
});
async function g() {
  const client = await pool.connect();
  let error = null;
  try { await client.query('x'); } catch (caught) { error = caught; } finally { client.release(error); }
}`,
    },
    {
      name: 'locks and other things that are released with a value',
      code: `
async function f(semaphore: { release(permits: object): void }) {
  semaphore.release({ permits: 1 });
}`,
    },
  ]);
});

describe('suggests', () => {
  checkSuggestions(rule, [
    {
      name: 'to call it plainly',
      code: `
async function f() {
  const client = await pool.connect();
  await client.query('x').then(client.release, client.release);
}`,
      outputs: [
        `
async function f() {
  const client = await pool.connect();
  await client.query('x').then(() => client.release(), client.release);
}`,
      ],
    },
    {
      name: 'to drop the argument',
      code: `
async function f() {
  const client = await pool.connect();
  try { await client.query('x'); } finally { client.release({ keep: false }); }
}`,
      outputs: [
        `
async function f() {
  const client = await pool.connect();
  try { await client.query('x'); } finally { client.release(); }
}`,
      ],
    },
  ]);
});
