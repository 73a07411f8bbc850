import { describe } from 'vitest';
import { checkRule } from '../../support/marked.ts';

const between = (wait: string, before = '') =>
  `${before}\nexport async function f(events) { const c = await pool.connect(); ${wait}; try { await c.query('x'); } finally { c.release(); } }`;
const leaking = (wait: string, before = '') =>
  `${between(wait, before)}\n//                                                ^^^^^^^^^^^^^^ notReleasedOnThrow`;

describe('a promise that can only fulfil', () => {
  checkRule('no-unreleased-client', [
    { name: 'a timer', code: between('await new Promise((resolve) => setTimeout(resolve, 100))') },
    {
      name: 'a timer that calls',
      code: between('await new Promise<void>((resolve) => { setTimeout(() => resolve(), 100); })'),
    },
    {
      name: 'a function that sleeps',
      code: between(
        'await sleep(100)',
        'const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));',
      ),
    },
    {
      name: 'a function of another file that sleeps',
      code: between('await sleep(100)', "import { sleep } from './sleep.ts';"),
      files: {
        'sleep.ts':
          'export function sleep(ms: number) { return new Promise((r) => setTimeout(r, ms)); }',
      },
    },
    {
      name: 'a variable, with `reject` unused',
      code: between(
        "const closed = new Promise<void>((resolve, reject) => { events.on('close', () => { resolve(); }); }); await closed",
      ),
    },
  ]);
});

describe('a promise that may reject', () => {
  checkRule('no-unreleased-client', [
    {
      name: 'an event that rejects',
      code: leaking(
        "await new Promise((resolve, reject) => { events.on('end', resolve); events.on('error', reject); })",
      ),
    },
    {
      name: 'an exception of its own',
      code: leaking(
        "await new Promise<void>((resolve) => { if (!events) throw new Error('none'); resolve(); })",
      ),
    },
    // Not seen: a promise that becomes another one, which may reject.
    {
      name: 'another promise, which is not seen',
      code: between('await new Promise((resolve) => resolve(events.next()))'),
    },
    {
      name: 'a variable that is set again',
      code: leaking(
        'let p: Promise<unknown> = new Promise((r) => setTimeout(r, 1)); p = events.next(); await p',
      ),
    },
    {
      name: 'a function that does more',
      code: leaking(
        'await sleep(100)',
        'async function sleep(ms: number) { await check(); return new Promise((r) => setTimeout(r, ms)); }',
      ),
    },
  ]);
});
