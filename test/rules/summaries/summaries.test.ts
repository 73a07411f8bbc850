import { describe } from 'vitest';
import { checkRule } from '../../support/marked.ts';

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

/** Two and three helpers that call each other; whoever is asked first, all of them may end without a release. */
const circles = {
  'finish.js': 'export async function finish(client) { client.release(); }',
  'circles.js': `
import { finish } from './finish.js';
export async function left(client, rest) { if (rest.length === 0) { await client.query('SELECT 1'); return; } await right(client, rest.slice(1)); }
export async function right(client, rest) { if (rest.isOver) { await finish(client); return; } await left(client, rest); }
export async function one(client, rest) { if (rest.isOver) { await finish(client); return; } await two(client, rest); }
export async function two(client, rest) { await three(client, rest); }
export async function three(client, rest) { if (rest.isEmpty) { await finish(client); return; } if (rest.isLost) return; await one(client, rest); await log(rest); }
export async function ping(client, rest) { if (rest.isOver) { await finish(client); return; } await pong(client, rest); }
export async function pong(client, rest) { if (rest.isOver) { await finish(client); return; } await ping(client, rest); }
`,
};
const nestedTry = (helper: string): string => `async function ${helper}First(rest) {
  const client = await pool.connect();
  //                   ^^^^^^^^^^^^^^ notReleasedOnSomePath
  await ${helper}(client, rest);
}
`;
const clean = (helper: string): string =>
  `async function ${helper}Clean(rest) { const client = await pool.connect(); try { await ${helper}(client, rest); } catch (error) { client.release(); throw error; } }\n`;

describe('follows helpers that call each other, whichever is asked first', () => {
  const orders = [
    ['left', 'right'],
    ['right', 'left'],
    ['one', 'two', 'three'],
    ['three', 'two', 'one'],
    ['two', 'one', 'three'],
  ];
  checkRule(
    'no-unreleased-client',
    orders.map((order) => ({
      name: order.join(', then '),
      files: circles,
      code: `import { ${order.join(', ')} } from './circles.js';\n${order.map(nestedTry).join('')}`,
    })),
  );
  checkRule(
    'no-unreleased-client',
    [
      ['ping', 'pong'],
      ['pong', 'ping'],
    ].map((order) => ({
      name: `${order.join(', then ')}: released whatever comes`,
      files: circles,
      code: `import { ${order.join(', ')} } from './circles.js';\n${order.map(clean).join('')}`,
    })),
  );
});

/** `step0` calls `step1`, and so on; the last one releases, or not. */
function chain(length: number, end: string): Readonly<Record<string, string>> {
  const steps = Array.from(
    { length },
    (_, index) =>
      `export async function step${index}(client) { ${index === length - 1 ? end : `await step${index + 1}(client);`} }`,
  );
  return { 'chain.js': steps.join('\n') };
}

const startOfChain = `import { step0 } from './chain.js';
async function f() {
  const client = await pool.connect();
`;

describe('follows a long chain of helpers to its end', () => {
  checkRule('no-unreleased-client', [
    {
      name: '60 helpers, and a release',
      files: chain(60, 'client.release();'),
      code: `${startOfChain}  await step0(client);\n}`,
    },
    {
      name: '60 helpers, and none',
      files: chain(60, "await log('end');"),
      code: `${startOfChain}  //                   ^^^^^^^^^^^^^^ neverReleased\n  await step0(client);\n}`,
    },
    {
      name: '2,000 helpers, and a release',
      files: chain(2000, 'client.release();'),
      code: `${startOfChain}  await step0(client);\n}`,
    },
  ]);
});
