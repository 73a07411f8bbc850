import { describe } from 'vitest';
import { checkRule } from '../../support/marked.ts';

const around = (lines: string): string => `
async function all(client, texts) { for (const text of texts) await client.query(text); }
async function rest(client, texts) {
  await client.query(texts[0]);
  texts.shift();
  if (texts.length > 0) await rest(client, texts);
}
async function through(client, texts) { await all(client, texts); }
async function drain(client, texts) { while (texts.length > 0) await client.query(texts.shift()); }
async function second(client, texts) { await client.query(texts[1]); }
async function f(sql, timeout) {
  const c = await pool.connect();
  try {
${lines}
  } finally { c.release(); }
}`;

describe('session state that is sent from a list', () => {
  checkRule('no-session-state', [
    {
      name: 'to which it was added in front',
      code: around(`
    const texts = [sql];
    if (timeout) texts.unshift('SET statement_timeout = 1000');
    for (const text of texts) await c.query(text);
    //                              ^^^^^^^^^^^^^ atRelease`),
    },
    {
      name: 'by a helper that goes through it',
      code: around(`
    await all(c, ['SET statement_timeout = 1000', sql]);
    //    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ atRelease`),
    },
    {
      name: 'by a helper of a helper, from a list under a name',
      code: around(`
    const texts = ['SET statement_timeout = 1000'];
    texts.push(sql);
    await through(c, texts);
    //    ^^^^^^^^^^^^^^^^^ atRelease`),
    },
    {
      name: 'by a helper that takes one after the other away, and calls itself',
      code: around(`
    await rest(c, [sql, 'SET statement_timeout = 1000']);
    //    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ atRelease`),
    },
    {
      name: 'by a helper that empties it',
      code: around(`
    await drain(c, [sql, 'SET statement_timeout = 1000']);
    //    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ atRelease`),
    },
    {
      name: 'by a helper that sends this one alone',
      code: around(`
    await second(c, [sql, 'SET statement_timeout = 1000']);
    //    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ atRelease`),
    },
    {
      name: 'but not by one that sends another one',
      code: around("    await second(c, ['SET statement_timeout = 1000', sql]);"),
    },
    {
      name: 'but not where the list takes it back at its end',
      code: around(
        "    await all(c, ['SET statement_timeout = 1000', sql, 'RESET statement_timeout']);",
      ),
    },
    {
      name: 'but not for the transaction alone, nor from a list that is not known',
      code: around(`
    await all(c, ['BEGIN', 'SET LOCAL statement_timeout = 1000', sql, 'COMMIT']);
    await all(c, sql.split(';'));
    await all(c, timeout);`),
    },
  ]);
});
