import { describe } from 'vitest';
import { checkRule } from '../support/marked.ts';
import { checkSuggestions } from '../support/suggestions.ts';

const rule = 'no-concurrent-client-query';

/** Clients of a list, by an element that changes with each round. */
const lists: Readonly<Record<string, string>> = {
  'made at once': 'const clients = await Promise.all(sql.map(() => pool.connect()));',
  'made one by one':
    'const clients: PoolClient[] = [];\nfor (const _ of sql) clients.push(await pool.connect());',
  'of names':
    'const a = await pool.connect();\nconst b = await pool.connect();\nconst clients = [a, b];',
  'of connections': 'const clients = sql.map(() => new Client());',
};
const rounds: readonly string[] = [
  'await Promise.all(sql.map((s, i) => clients[i].query(s)));',
  'await Promise.all(sql.map(async (s, i) => { await clients[i]!.query(s); }));',
  'await Promise.all(sql.map((s, i) => clients[i % clients.length].query(s)));',
  'await Promise.all(sql.map((s, i) => { const client = clients[i]; return client.query(s); }));',
  'let next = 0;\n  await Promise.all(sql.map((s) => clients[next++].query(s)));',
  'let next = 0;\n  await Promise.all(sql.map((s) => { next += 1; return clients[next].query(s); }));',
  'let client;\n  await Promise.all(sql.map((s, i) => { client = clients[i]; return client.query(s); }));',
  'const jobs = [];\n  for (let i = 0; i < sql.length; i++) jobs.push(clients[i].query(sql[i]));\n  await Promise.all(jobs);',
  'await Promise.all([clients[0].query(sql[0]), clients[1].query(sql[1])]);',
  'sql.forEach((s, i) => { void clients[i].query(s); });',
];

describe('is silent over different clients', () => {
  checkRule(
    rule,
    Object.entries(lists).flatMap(([name, list]) =>
      rounds.map((round) => ({
        name: `${name}: ${round}`,
        header: "import { Client, Pool, type PoolClient } from 'pg';\nconst pool = new Pool();",
        code: `
export async function f(sql: string[]) {
  ${list}
  ${round}
}
export async function g(sql: string[], clients: PoolClient[]) {
  ${round}
}`,
      })),
    ),
  );
});

describe('reports one client of a list', () => {
  checkRule(rule, [
    {
      name: 'by a constant, or a name that stays',
      code: `
export async function f(sql: string[], clients: PoolClient[], at: number) {
  await Promise.all(sql.map((s) => clients[0].query(s)));
  //    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ together
  await Promise.all(sql.map((s) => clients[at].query(s)));
  //    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ together
}`,
    },
  ]);
});

describe('reports several queries in flight on one client', () => {
  checkRule(rule, [
    {
      name: 'in Promise.all',
      code: `
export async function f() {
  const client = await pool.connect();
  try {
    const [a, b] = await Promise.all([client.query('a'), client.query('b')]);
    //                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ together
    return [a, b];
  } finally { client.release(); }
}`,
    },
    {
      name: 'in Promise.allSettled, with something else between',
      code: `
export async function f(client: PoolClient) {
  await Promise.allSettled([client.query('a'), notify(), client.query('b').then(({ rows }) => rows)]);
  //    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ settled
}`,
    },
    {
      name: 'for each element of an array',
      code: `
export async function f(ids: number[]) {
  const client = await pool.connect();
  try {
    await Promise.all(ids.map((id) => client.query('x', [id])));
    //    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ together
  } finally { client.release(); }
}`,
    },
    {
      name: 'for each element, with several statements in each',
      code: `
export async function f(ids: number[]) {
  const client = await pool.connect();
  try {
    await Promise.all(ids.map(async (id) => {
    //    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^… rounds
      await client.query('x', [id]);
      await client.query('y', [id]);
    }));
  } finally { client.release(); }
}`,
    },
    {
      name: 'for each element, after a wait that is nobody’s turn, whatever it is called',
      code: `
const turn = (queue: number) => new Promise((lock) => setTimeout(lock, queue));
export async function f(client: PoolClient, ids: number[], limit: number) {
  await Promise.all(ids.map(async (id) => { await turn(limit); await client.query('x', [id]); }));
  //    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ together
}`,
    },
    {
      name: 'for each element, kept in a constant and among others',
      code: `
export async function f(client: PoolClient, ids: number[]) {
  const work = ids.map((id) => client.query('x', [id]));
  await Promise.all([...work, notify()]);
  //    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ together
}`,
    },
    {
      name: 'in helpers that are given the client',
      code: `
async function load(client: PoolClient, id: number) { const { rows } = await client.query('x', [id]); return rows; }
const count = (client: PoolClient) => client.query('y');
export async function f() {
  const client = await pool.connect();
  try {
    return await Promise.all([load(client, 1), count(client)]);
    //           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ together
  } finally { client.release(); }
}`,
    },
    {
      name: 'in a helper of another file, for each element',
      files: {
        'save.ts':
          "import type { PoolClient } from 'pg';\nexport async function save(id: number, client: PoolClient) { await client.query('x', [id]); }",
      },
      code: `
import { save } from './save.ts';
export async function f(ids: number[]) {
  const client = await pool.connect();
  try {
    await Promise.all(ids.map((id) => save(id, client)));
    //    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ together
  } finally { client.release(); }
}`,
    },
    {
      name: 'in forEach, which waits for nothing',
      code: `
export async function f(ids: number[]) {
  const client = await pool.connect();
  try {
    ids.forEach(async (id) => { await client.query('x', [id]); });
  //^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ inEachRound
  } finally { client.release(); }
}`,
    },
    {
      name: 'on a client that a wrapper lends',
      code: `
async function inTransaction<T>(work: (client: PoolClient) => Promise<T>) {
  const client = await pool.connect();
  try { await client.query('BEGIN'); const result = await work(client); await client.query('COMMIT'); return result; } finally { client.release(); }
}
export const f = () => inTransaction((client) => Promise.all([client.query('a'), client.query('b')]));
//                                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ together
`,
    },
    {
      name: 'on a client of its own',
      filename: 'own.ts',
      code: `
import { Client } from 'pg';
const client = new Client();
export async function f() {
  await Promise.all([client.query('a'), client.query('b')]);
  //    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ together
}`,
    },
    {
      name: 'one after the other, awaited later',
      code: `
export async function f() {
  const client = await pool.connect();
  try {
    const a = client.query('a');
    const b = client.query('b');
    //        ^^^^^^^^^^^^^^^^^ overlapping
    return [await a, await b];
  } finally { client.release(); }
}`,
    },
    {
      name: 'behind one that nobody awaits',
      code: `
export async function f() {
  const client = await pool.connect();
  try {
    client.query('BEGIN');
    await client.query('x');
    //    ^^^^^^^^^^^^^^^^^ overlapping
    await client.query('COMMIT');
  } finally { client.release(); }
}`,
    },
    {
      name: 'in the rounds of a loop',
      code: `
export async function f(ids: number[]) {
  const client = await pool.connect();
  try {
    const work: Promise<unknown>[] = [];
    for (const id of ids) work.push(client.query('x', [id]));
    await Promise.all(work);
    //    ^^^^^^^^^^^^^^^^^ together
  } finally { client.release(); }
}`,
    },
    {
      name: 'in the rounds of a loop that keeps the last one',
      code: `
export async function f(ids: number[]) {
  const client = await pool.connect();
  try {
    let last: Promise<unknown> = Promise.resolve();
    for (const id of ids) last = client.query('x', [id]);
    //                           ^^^^^^^^^^^^^^^^^^^^^^^ inNextRound
    await last;
  } finally { client.release(); }
}`,
    },
  ]);
});

describe('leaves alone', () => {
  checkRule(rule, [
    {
      name: 'queries of the pool',
      code: `
export async function f(ids: number[]) {
  await Promise.all([pool.query('a'), pool.query('b')]);
  await Promise.all(ids.map((id) => pool.query('x', [id])));
}`,
    },
    {
      name: 'a single query among other work',
      code: `
export async function f() {
  const client = await pool.connect();
  try { return await Promise.all([client.query('a'), pool.query('b'), notify()]); } finally { client.release(); }
}`,
    },
    {
      name: 'queries that are awaited in their turn',
      code: `
export async function f(client: PoolClient, ids: number[]) {
  const [a, b] = [await client.query('a'), await client.query('b')];
  await Promise.all([await client.query('a'), await client.query('b')]);
  for (const id of ids) await client.query('x', [id]);
  await ids.reduce((before, id) => before.then(() => client.query('x', [id])), Promise.resolve(a));
  return b;
}`,
    },
    {
      name: 'a client for each round',
      code: `
export async function f(ids: number[]) {
  await Promise.all(ids.map(async (id) => {
    const client = await pool.connect();
    try { await client.query('x', [id]); } finally { client.release(); }
  }));
}
export async function g(clients: PoolClient[]) {
  await Promise.all(clients.map((client) => client.query('x')));
}`,
    },
    {
      name: 'two clients',
      code: `
export async function f(one: PoolClient, other: PoolClient) {
  await Promise.all([one.query('a'), other.query('b')]);
}`,
    },
    {
      name: 'a pipeline',
      filename: 'pipeline.ts',
      code: `
import { Pool } from 'pg';
const pool = new Pool({ pipeline: true } as object);
export async function f() {
  const client = await pool.connect();
  try { await Promise.all([client.query('a'), client.query('b')]); } finally { client.release(); }
}`,
    },
    {
      name: 'functions that are called later',
      code: `
export async function f(client: PoolClient, ids: number[], limit: (work: () => Promise<unknown>) => Promise<unknown>) {
  await Promise.all(ids.map((id) => limit(() => client.query('x', [id]))));
  const work = ids.map((id) => () => client.query('x', [id]));
  for (const each of work) await each();
}`,
    },
    {
      name: 'rounds that wait for their turn',
      code: `
import { Gate } from 'gates';
const gate = new Gate();
export async function f(client: PoolClient, ids: number[], mutex: { acquire(): Promise<void> }) {
  await Promise.all(ids.map(async (id) => { await mutex.acquire(); await client.query('x', [id]); }));
  await Promise.all(ids.map(async (id) => { await gate.pass(); await client.query('x', [id]); }));
}`,
    },
    {
      name: 'rounds that wait for what another one settles, whatever it is called',
      code: `
const waiting: (() => void)[] = [];
function a() { return new Promise<void>((go) => { waiting.push(go); }); }
let tail = Promise.resolve();
export async function f(client: PoolClient, ids: number[]) {
  await Promise.all(ids.map(async (id) => { await a(); await client.query('x', [id]); }));
  await Promise.all(ids.map(async (id) => { const b = tail; let c = () => {}; tail = new Promise((go) => { c = go; }); await b; await client.query('x', [id]); c(); }));
}`,
    },
    {
      name: 'helpers that may not query, or are not known',
      code: `
async function load(client: PoolClient, id?: number) { if (id === undefined) return []; const { rows } = await client.query('x', [id]); return rows; }
export async function f(client: PoolClient, work: (client: PoolClient) => Promise<void>) {
  await Promise.all([load(client, 1), load(client, 2), work(client), work(client)]);
}`,
    },
    {
      name: 'queries that may not be made',
      code: `
export async function f(client: PoolClient, id: number | undefined) {
  await Promise.all([id ? client.query('a') : null, id && client.query('b')]);
}`,
    },
    {
      name: 'queries with callbacks',
      code: `
export function f(callback: (error: Error) => void) {
  pool.connect((error, client, done) => {
    if (error) return callback(error);
    client.query('BEGIN', (error) => { if (error) { done(); callback(error); } });
    client.query('x', (error) => { done(); callback(error); });
  });
}`,
    },
    {
      name: 'an array of one',
      code: `
export async function f(client: PoolClient) {
  await Promise.all(['x'].map((text) => client.query(text)));
}`,
    },
    {
      name: 'a client of the module that a script uses',
      code: `
const client = await pool.connect();
export async function migrate() { await client.query('x'); }
await migrate();
client.release();`,
    },
    {
      name: 'a ROLLBACK behind a failure, although nobody awaits the BEGIN',
      code: `
export async function f(check: () => void) {
  const client = await pool.connect();
  try {
    try { client.query('BEGIN'); check(); await notify(); await client.query('COMMIT'); } catch (error) { await client.query('ROLLBACK'); throw error; }
  } finally { client.release(); }
}`,
    },
    {
      name: 'a ROLLBACK that nobody awaits',
      code: `
export async function f() {
  const client = await pool.connect();
  try { await client.query('x'); } catch (error) { client.query('ROLLBACK'); throw error; } finally { client.release(); }
}`,
    },
  ]);
});

describe('suggests', () => {
  checkSuggestions(rule, [
    {
      name: 'the same one after the other, for results that are taken apart',
      code: `
export async function f(client: PoolClient) {
  const [a, b] = await Promise.all([
    client.query('a'),
    client.query('b'),
  ]);
  return [a, b];
}`,
      outputs: [
        `
export async function f(client: PoolClient) {
  const [a, b] = [
    await client.query('a'),
    await client.query('b'),
  ];
  return [a, b];
}`,
      ],
    },
    {
      name: 'statements where nobody looks at the results',
      code: `
export async function f(client: PoolClient) {
  await Promise.all([
    client.query('a'),
    client.query('b'),
  ]);
}`,
      outputs: [
        `
export async function f(client: PoolClient) {
  await client.query('a');
  await client.query('b');
}`,
      ],
    },
    {
      name: 'await for the one before',
      code: `
export async function f() {
  const client = await pool.connect();
  try {
    client.query('BEGIN');
    await client.query('COMMIT');
  } finally { client.release(); }
}`,
      outputs: [
        `
export async function f() {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('COMMIT');
  } finally { client.release(); }
}`,
      ],
    },
    {
      name: 'nothing where other work stands between, or comments',
      code: `
export async function f(client: PoolClient) {
  const [a] = await Promise.all([client.query('a'), fetch('b'), client.query('c')]);
  await Promise.all([client.query('a'), /* then */ client.query('b')]);
  return a;
}`,
      outputs: [],
    },
  ]);
});
