import { describe } from 'vitest';
import { checkRule, leaking } from '../support/marked.ts';

const rule = 'no-unreleased-client';
const thrown = (code: string): string => leaking('notReleasedOnThrow', code);
const listen = `
async function listen() {
  const c = await pool.connect();
  await c.query('LISTEN jobs');
  c.on('notification', () => {});
}`;
const bus = `
class Bus {
  private c?: PoolClient;
  async start() {
    const c = await pool.connect();
    await c.query('LISTEN jobs');
    this.c = c;
  }
  async stop() { this.c?.release(true); }
}
const bus = new Bus();`;

describe('reports a client that is lost before it listens, where the program goes on', () => {
  checkRule(rule, [
    {
      name: 'the error is logged',
      code: thrown(`${listen}\nlisten().catch((error) => console.error(error));`),
    },
    { name: 'a logger gets it', code: thrown(`${listen}\nlisten().then(ready, console.error);`) },
    {
      name: 'the caller tries again',
      code: thrown(`${listen}
async function run() { for (;;) try { return await listen(); } catch { await later(); } }
void run();`),
    },
    {
      name: 'it tries again itself',
      code: leaking(
        'notReleasedOnSomePath',
        `
async function listen() {
  try {
    const c = await pool.connect();
    await c.query('LISTEN jobs');
  } catch { setTimeout(listen, 1000); }
}
void listen();`,
      ),
    },
    {
      name: 'a method that a request calls',
      code: thrown(`${bus}
app.post('/start', async (request, response) => {
  try { await bus.start(); response.json({}); } catch { response.sendStatus(500); }
});`),
    },
    {
      name: 'each round takes a client and tries the lock',
      code: leaking(
        'acquiredAgain',
        `
for (;;) {
  const c = await pool.connect();
  const { rows } = await c.query('SELECT pg_try_advisory_lock(1) AS ok');
  if (rows[0].ok) break;
}`,
      ),
    },
    {
      name: 'each call keeps a client with its lock',
      code: leaking(
        'neverReleased',
        `
export async function f() {
  const c = await pool.connect();
  await c.query('SELECT pg_advisory_lock(1)');
}`,
      ),
    },
    {
      name: 'nothing is kept on purpose at the top level',
      code: leaking('neverReleased', "const c = await pool.connect();\nawait c.query('SELECT 1');"),
    },
  ]);
});

describe('is silent where the client is kept on purpose, and a failure ends the program', () => {
  checkRule(rule, [
    {
      name: "a method, where another object's method of that name may fail",
      code: `${bus}
server.start().catch(console.error);
await bus.start();`,
    },
    { name: 'at the top level', code: `${listen}\nawait listen();` },
    {
      name: 'by a handler',
      code: `${listen}
async function main() { await listen(); }
main().catch((error) => { console.error(error); process.exit(1); });`,
    },
    {
      name: 'by a handler with a name, and one that catches',
      code: `${listen}
function fail(error) { console.error(error); process.exit(1); }
async function main() { try { await listen(); } catch (error) { fail(error); } }
main().catch(fail);`,
    },
    { name: 'since nobody handles it', code: `${listen}\nvoid listen();` },
    { name: 'or nobody knows who calls', code: `${listen}\nexport { listen };` },
    { name: 'for an object that is started once', code: `${bus}\nawait bus.start();` },
    {
      name: 'with a lock, for as long as the program runs',
      code: `
async function main() {
  const c = await pool.connect();
  const { rows } = await c.query('SELECT pg_try_advisory_lock(1) AS ok');
  if (!rows[0].ok) process.exit(0);
  app.listen(3000);
}
main().catch((error) => { console.error(error); process.exit(1); });`,
    },
    {
      name: 'with a lock, at the top level',
      code: "const c = await pool.connect();\nawait c.query('SELECT pg_advisory_lock(1)');\napp.listen(3000);",
    },
  ]);
});
