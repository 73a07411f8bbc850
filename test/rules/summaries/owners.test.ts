import { describe } from 'vitest';
import { checkRule, withHeader } from '../../support/marked.ts';

const rule = 'no-unreleased-client';

const unitOfWork = `
import { Pool, type PoolClient } from 'pg';
const pool = new Pool();
class Unit {
  private client?: PoolClient;
  async begin() { this.client = await pool.connect(); }
  async query(text: string) { return await this.client!.query(text); }
  async commit() { await this.query('COMMIT'); this.client!.release(); }
  async rollback() { await this.query('ROLLBACK'); this.client!.release(); }
}`;

describe('a client that an object keeps in a field and gives back in a method', () => {
  checkRule(
    rule,
    withHeader(unitOfWork, [
      {
        name: 'is lost where its user returns before that',
        code: `
async function move(text: string) {
  const unit = new Unit();
  await unit.begin();
  //    ^^^^^^^^^^^^ notReleasedOnSomePath
  const { rowCount } = await unit.query(text);
  if (rowCount === 0) return null;
  await unit.commit();
}`,
      },
      {
        name: 'is lost where its user fails before that',
        code: `
async function move(text: string) {
  const unit = new Unit();
  await unit.begin();
  //    ^^^^^^^^^^^^ notReleasedOnThrow
  await unit.query(text);
  await unit.commit();
}`,
      },
      {
        name: 'comes back by either of two methods',
        code: `
async function move(text: string) {
  const unit = new Unit();
  await unit.begin();
  try {
    await unit.query(text);
    await unit.commit();
  } catch (error) {
    await unit.rollback();
    throw error;
  }
}`,
      },
      {
        name: 'may be needed for as long as the program runs',
        code: `
export async function start(app: { listen(): void }) {
  const unit = new Unit();
  await unit.begin();
  app.listen();
}
export async function startAndStop() {
  const unit = new Unit();
  await unit.begin();
  process.on('SIGTERM', () => unit.rollback());
}`,
      },
      {
        name: 'is answered for by whoever else has the object',
        code: `
const units = new Set<Unit>();
async function move(text: string) {
  const unit = new Unit();
  units.add(unit);
  await unit.begin();
  if (text === '') return;
  await unit.commit();
}
async function open() {
  const unit = new Unit();
  await unit.begin();
  return unit;
}
class Job {
  private readonly unit = new Unit();
  async run(text: string) { await this.unit.begin(); if (text === '') return; await this.unit.commit(); }
}`,
      },
      {
        name: 'comes back in a helper of the same class',
        code: `
class Work {
  private client!: PoolClient;
  async open() { this.client = await pool.connect(); }
  async end() { await this.client.query('COMMIT'); this.free(); }
  private free() { this.client.release(); }
}
async function move() {
  const work = new Work();
  await work.open();
  await work.end();
}
async function fail() {
  const work = new Work();
  await work.open();
  //    ^^^^^^^^^^^ notReleasedOnSomePath
  if (Math.random() > 0.5) return;
  await work.end();
}`,
      },
      {
        name: 'may be back already where a method releases it on some way only',
        code: `
class Work {
  constructor(private readonly client: PoolClient) {}
  async query(text: string) {
    try { return await this.client.query(text); } catch (error) { this.free(error as Error); throw error; }
  }
  async commit() { try { await this.client.query('COMMIT'); } finally { this.free(); } }
  private free(error?: Error) { this.client.release(error); }
}
async function begin() { return new Work(await pool.connect()); }
async function run() {
  const work = await begin();
  await work.query('SELECT 1');
  await work.commit();
}`,
      },
      {
        name: 'may be back already where the object tells so',
        code: `
class Work {
  private completed = false;
  constructor(private readonly client: PoolClient) {}
  isCompleted() { return this.completed; }
  async commit() { try { await this.client.query('COMMIT'); } finally { this.completed = true; this.client.release(); } }
}
async function begin() { return new Work(await pool.connect()); }
async function run(act: () => Promise<void>) {
  const work = await begin();
  try { await act(); } finally { if (!work.isCompleted()) await work.commit(); }
}`,
      },
      {
        name: 'is lost where its user returns, though its methods note that it is back',
        code: `
class Work {
  private isDone = false;
  constructor(private readonly client: PoolClient) {}
  static async start() { return new Work(await pool.connect()); }
  query(text: string) { return this.client.query(text); }
  async commit() { try { await this.client.query('COMMIT'); } finally { this.end(); } }
  private end() { if (this.isDone) return; this.isDone = true; this.client.release(); }
}
async function run(text: string) {
  const work = await Work.start();
  //                 ^^^^^^^^^^^^ notReleasedOnSomePath
  const { rowCount } = await work.query(text);
  if (rowCount === 0) return null;
  await work.commit();
}`,
      },
      {
        name: 'is lost where one of its methods does nothing without a client',
        code: `
class Work {
  private client: PoolClient | null = null;
  async open() { this.client = await pool.connect(); }
  async stop() { if (!this.client) return; this.client.release(); this.client = null; }
}
async function run(text: string) {
  const work = new Work();
  await work.open();
  //    ^^^^^^^^^^^ notReleasedOnThrow
  if (text === '') throw new Error('empty');
  await work.stop();
}`,
      },
      {
        name: 'comes back once by methods that may be called again',
        code: `
class Work {
  private isDone = false;
  constructor(private readonly client: PoolClient) {}
  async commit() { await this.client.query('COMMIT'); this.end(); }
  async rollback() { if (!this.isDone) await this.client.query('ROLLBACK'); this.end(); }
  private end() { if (this.isDone) return; this.isDone = true; this.client.release(); }
}
async function begin() { return new Work(await pool.connect()); }
async function run(act: () => Promise<void>) {
  const work = await begin();
  try { await act(); await work.commit(); } finally { await work.rollback(); }
}`,
      },
      {
        name: 'may come back when its connection ends',
        code: `
class Work {
  private isDone = false;
  constructor(private readonly client: PoolClient, signal: AbortSignal) {
    signal.addEventListener('abort', () => this.end());
  }
  end() { if (this.isDone) return; this.isDone = true; this.client.release(); }
}
async function begin(signal: AbortSignal) { return new Work(await pool.connect(), signal); }
async function run(signal: AbortSignal, act: () => Promise<void>) {
  const work = await begin(signal);
  await act();
  work.end();
}`,
      },
      {
        name: 'is lost where what a function made of it is dropped',
        code: `
function create(client: PoolClient) {
  return {
    query: (text: string) => client.query(text),
    async commit() { await client.query('COMMIT'); client.release(); },
    rollback: async () => { await client.query('ROLLBACK'); client.release(); },
  };
}
async function open() { const client = await pool.connect(); return create(client); }
async function run(text: string) {
  const work = await open();
  //                 ^^^^^^ notReleasedOnSomePath
  const { rowCount } = await work.query(text);
  if (rowCount === 0) return null;
  await work.commit();
}
async function careful(text: string) {
  const work = await open();
  try { await work.query(text); await work.commit(); } catch (error) { await work.rollback(); throw error; }
}`,
      },
      {
        name: 'is lost with an object that only queries it',
        code: `
class Session {
  constructor(private readonly client: PoolClient) {}
  async run() { await this.client.query('x'); }
}
async function f() {
  const session = new Session(await pool.connect());
  //                                ^^^^^^^^^^^^^^ neverReleased
  await session.run();
}
async function g() {
  const client = await pool.connect();
  //                   ^^^^^^^^^^^^^^ neverReleased
  await new Session(client).run();
}`,
      },
      {
        name: 'is lost where an object is left before the method that gives it back',
        code: `
class Lease {
  constructor(private readonly client: PoolClient) {}
  async run() { await this.client.query('x'); }
  free() { this.client.release(); }
}
async function f(id: number) {
  const lease = new Lease(await pool.connect());
  //                            ^^^^^^^^^^^^^^ notReleasedOnSomePath
  if (id === 0) return;
  lease.free();
}
async function g() {
  const lease = new Lease(await pool.connect());
  try { await lease.run(); } finally { lease.free(); }
}`,
      },
      {
        name: 'stays with an object that somebody else has',
        code: `
class Session {
  constructor(private readonly client: PoolClient) {}
  async run() { await this.client.query('x'); }
}
class Shared { constructor(readonly client: PoolClient) {} }
class Watched {
  constructor(private readonly client: PoolClient, signal: AbortSignal) {
    signal.addEventListener('abort', () => this.client.release());
  }
  async run() { await this.client.query('x'); }
}
const registry = new Set<Session>();
async function open() { return new Session(await pool.connect()); }
async function keep() { const session = new Session(await pool.connect()); registry.add(session); }
async function share() { const shared = new Shared(await pool.connect()); shared.client.release(); }
async function watch(signal: AbortSignal) { await new Watched(await pool.connect(), signal).run(); }`,
      },
      {
        name: 'may come back in what an ancestor does',
        code: `
class Base { client!: PoolClient; async end() { this.client.release(); } }
class Work extends Base {
  async open() { this.client = await pool.connect(); }
  async stop() { this.client.release(); }
}
async function move() {
  const work = new Work();
  await work.open();
  if (Math.random() > 0.5) return;
  await work.stop();
}`,
      },
      {
        name: 'is lost where somebody drops what a function gave',
        code: `
class Lease {
  constructor(readonly client: PoolClient) {}
  close() { this.client.release(); }
}
async function lease() { return new Lease(await pool.connect()); }
async function find() {
  const lent = await lease();
  //                 ^^^^^^^ notReleasedOnThrow
  await lent.client.query('SELECT 1');
  lent.close();
}
async function findAll() {
  const lent = await lease();
  try { await lent.client.query('SELECT 1'); } finally { lent.close(); }
}`,
      },
    ]),
  );
});

const leases = `
import { Pool } from 'pg';
const pool = new Pool();
async function lease() {
  const client = await pool.connect();
  return { client, [Symbol.dispose]() { client.release(); } };
}
async function leaseLong() {
  const client = await pool.connect();
  return { client, async [Symbol.asyncDispose]() { client.release(); } };
}`;

const shared = `
import { Pool, type PoolClient } from 'pg';
const pool = new Pool();
export class Unit {
  private client?: PoolClient;
  async begin() { this.client = await pool.connect(); }
  async query(text: string) { return await this.client!.query(text); }
  async end() { this.client!.release(); }
}`;

describe('a client that an object keeps which others have as well', () => {
  checkRule(
    'no-external-await-while-holding',
    withHeader(shared, [
      {
        name: 'is held until the object gives it back, in a field',
        code: `
class Accounts {
  constructor(private readonly unit: Unit) {}
  async move() {
    await this.unit.begin();
    try {
      await fetch('https://example.org');
    //^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ held
    } finally { await this.unit.end(); }
    await fetch('https://example.org');
  }
}`,
      },
      {
        name: 'is held until the object gives it back, in a parameter',
        code: `
export async function move(unit: Unit) {
  await unit.begin();
  try {
    await fetch('https://example.org');
  //^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ held
  } finally { await unit.end(); }
}`,
      },
      {
        name: 'is held until the object itself gives it back',
        code: `
class Work {
  private client?: PoolClient;
  async begin() { this.client = await pool.connect(); }
  async end() { this.client!.release(); }
  async run() {
    await this.begin();
    try {
      await fetch('https://example.org');
    //^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ held
    } finally { await this.end(); }
  }
}`,
      },
      {
        name: 'may be kept for as long as the program runs where it is given back elsewhere',
        code: `
export class Server {
  constructor(private readonly unit: Unit) {}
  async start() {
    await this.unit.begin();
    await fetch('https://example.org');
  }
  async stop() { await this.unit.end(); }
}`,
      },
    ]),
  );
  checkRule(
    'no-nested-checkout',
    withHeader(shared, [
      {
        name: 'is held while another one is taken',
        code: `
class Accounts {
  constructor(private readonly unit: Unit) {}
  async move() {
    await this.unit.begin();
    try {
      await pool.query('x');
    //      ^^^^^^^^^^^^^^^ query
    } finally { await this.unit.end(); }
  }
}`,
      },
    ]),
  );
  checkRule(
    rule,
    withHeader(shared, [
      {
        name: 'is given back by whoever else has the object',
        code: `
class Accounts {
  constructor(private readonly unit: Unit) {}
  async move(id: number) {
    await this.unit.begin();
    if (id === 0) return;
    await this.unit.end();
  }
}`,
      },
    ]),
  );
});

describe('an object that disposes of its client', () => {
  checkRule(
    rule,
    withHeader(leases, [
      {
        name: 'does so where its scope ends',
        code: `
async function find() { using lent = await lease(); return await lent.client.query('SELECT 1'); }
async function findLong() { await using lent = await leaseLong(); return await lent.client.query('SELECT 1'); }
async function findTaken() { await using lent = await leaseLong(); const { client } = lent; await client.query('SELECT 1'); }`,
      },
      {
        name: 'does so where a stack is told of it',
        code: `
async function find() {
  using stack = new DisposableStack();
  const lent = stack.use(await lease());
  await lent.client.query('SELECT 1');
}
async function findLater() {
  using stack = new DisposableStack();
  const lent = await lease();
  stack.use(lent);
  await lent.client.query('SELECT 1');
}`,
      },
      {
        name: 'does so where it is called by hand, and only there',
        code: `
async function find() {
  const lent = await leaseLong();
  try { await lent.client.query('SELECT 1'); } finally { await lent[Symbol.asyncDispose](); }
}
async function lose() {
  const lent = await leaseLong();
  //                 ^^^^^^^^^^^ notReleasedOnThrow
  await lent.client.query('SELECT 1');
  await lent[Symbol.asyncDispose]();
}
async function forget() {
  const lent = await lease();
  //                 ^^^^^^^ neverReleased
  await lent.client.query('SELECT 1');
}`,
      },
    ]),
  );
});

describe('what a method is given that gives the client back', () => {
  checkRule(
    'no-accidental-destroy',
    withHeader(unitOfWork, [
      {
        name: 'is no argument of the release',
        code: `
class Lease {
  constructor(readonly client: PoolClient) {}
  async finish(text: string) { try { await this.client.query(text); } finally { this.client.release(); } }
}
async function lease() { return new Lease(await pool.connect()); }
async function run() { const lent = await lease(); await lent.finish('SELECT 1'); }`,
      },
    ]),
  );
});
