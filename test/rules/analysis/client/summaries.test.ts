import { describe } from 'vitest';
import { checkRule } from '../../../support/marked.ts';

const files = {
  'settle.js': `
export async function settle({ client, done }) { if (done) client.release(); }
export async function settleIn(client, { done = false } = {}) { if (done) client.release(); }
export async function mark(client, done) { client.done = done; await release(client); }
async function release(client) { if (client.done) client.release(); }
`,
};
const imports = "import { mark, settle, settleIn } from './settle.js';\n";

/** Two functions that call the same helper, one so that it releases and one so that it does not. */
function twoCallers(call: (isDone: boolean) => string): readonly [string, string] {
  return [
    `async function ends() { const client = await pool.connect(); ${call(true)} }`,
    `async function keeps() {
  const client = await pool.connect();
  //                   ^^^^^^^^^^^^^^ neverReleased
  ${call(false)}
}`,
  ];
}

const calls = {
  'the properties of an object': (isDone: boolean) => `await settle({ client, done: ${isDone} });`,
  'the properties of a second object': (isDone: boolean) =>
    `await settleIn(client, { done: ${isDone} });`,
  'what it notes on the client': (isDone: boolean) => `await mark(client, ${isDone});`,
};

describe('tells calls of a helper apart by what they give it, whichever comes first', () => {
  checkRule(
    'no-unreleased-client',
    Object.entries(calls).flatMap(([name, call]) => [
      { name, files, code: imports + twoCallers(call).join('\n') },
      {
        name: `${name}, the other way round`,
        files,
        code: imports + twoCallers(call).toReversed().join('\n'),
      },
    ]),
  );
});
