import { askAsOther, exhausted, harm, outcome } from '../harm.ts';

interface Orders {
  ship(id: number): Promise<void>;
  order(userId: number, amount: number): Promise<void>;
  waitForJob(id: number): Promise<void>;
}

const orders =
  'CREATE TABLE orders (id int GENERATED ALWAYS AS IDENTITY, user_id int, amount int, status text)';
const fetches = { example: '❌ Holds a client across `fetch`.' };
const fetchesFirst = { example: '✅ Asks the carrier first, without a client.' };

export const externalAwaitWhileHolding = [
  harm<Orders>({
    rule: 'no-external-await-while-holding',
    name: 'two requests wait for a slow service, and a third gets no client of an idle database',
    tables: orders,
    max: 2,
    play: async ({ example, pool, internet, states }) => {
      const shipping = [1, 2].map((id) => example.ship(id));
      await internet.received(2);
      const third = await outcome(pool.query('SELECT 1'));
      const busy = (await states()).filter((state) => state === 'active');
      internet.answer();
      await Promise.all(shipping);
      return { third, busy };
    },
    wrong: { ...fetches, seen: { third: exhausted, busy: [] } },
    right: { ...fetchesFirst, seen: { third: 'ok', busy: [] } },
  }),
  harm<Orders>({
    rule: 'no-external-await-while-holding',
    name: 'a backend that ends meanwhile takes the process along, in spite of the error handler of the pool',
    tables: orders,
    play: async ({ example, pool, internet, backends, kill }) => {
      await pool.query('SELECT 1');
      const shipping = outcome(example.ship(1));
      await internet.received(1);
      for (const pid of await backends()) await kill(pid);
      internet.answer();
      return { shipping: await shipping };
    },
    wrong: {
      ...fetches,
      seen: undefined,
      code: 1,
      stderr:
        /Unhandled 'error' event.*terminating connection due to administrator command.*Emitted 'error' event on Client instance/su,
    },
    right: {
      ...fetchesFirst,
      seen: { shipping: 'ok' },
      stderr: /^terminating connection due to administrator command\n$/u,
    },
  }),
  harm<Orders>({
    rule: 'no-external-await-while-holding',
    name: 'a transaction stays open for as long as the other service takes',
    tables: orders,
    modules: {
      'node_modules/stripe/package.json': JSON.stringify({ type: 'module', exports: './index.js' }),
      'node_modules/stripe/index.js':
        "export default class Stripe { paymentIntents = { create: () => fetch('https://api.stripe.com/v1/payment_intents') } }",
    },
    play: async ({ example, internet, states }) => {
      const ordering = example.order(1, 100);
      await internet.received(1);
      const meanwhile = await states();
      internet.answer();
      await ordering;
      return { meanwhile };
    },
    wrong: {
      example: '❌ Charges a card inside a transaction.',
      seen: { meanwhile: ['idle in transaction'] },
    },
    right: {
      example: '✅ Saves the order as pending, charges, then marks it as paid.',
      seen: { meanwhile: ['idle'] },
    },
  }),
  harm<Orders>({
    rule: 'no-external-await-while-holding',
    name: 'a job that is waited for takes a client away from everybody else',
    tables: 'CREATE TABLE jobs (id int, done bool); INSERT INTO jobs VALUES (1, false)',
    max: 1,
    play: async ({ example, pool }) => {
      const waiting = example.waitForJob(1);
      const finish = await outcome(pool.query('UPDATE jobs SET done = true'));
      await askAsOther('UPDATE jobs SET done = true');
      await waiting;
      return { finish };
    },
    wrong: { example: '❌ Sleeps between two attempts.', seen: { finish: exhausted } },
    right: { example: '✅ Checks a client out for each attempt only.', seen: { finish: 'ok' } },
  }),
];
