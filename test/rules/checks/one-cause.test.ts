import { describe } from 'vitest';
import { checkRule } from '../../support/marked.ts';

const listening = `
async function f(write) {
  const c = await pool.connect();
  c.on('notification', write);
  await c.query('LISTEN jobs');
  c.release();
}`;
const ended = `
async function f() {
  const c = await pool.connect();
  await c.query('x');
  await c.end();
}`;

describe('a pooled client that listens', () => {
  checkRule('no-session-state', [
    {
      name: 'is one finding, whose cure ends the others',
      code: `
async function f(write) {
  const c = await pool.connect();
  c.on('notification', write);
  await c.query('LISTEN jobs');
  //    ^^^^^^^^^^^^^^^^^^^^^^ atRelease
  c.release();
}`,
    },
  ]);
  checkRule('no-unreleased-client', [
    {
      name: 'is a leak of its own where the LISTEN fails',
      code: `
async function f(write) {
  const c = await pool.connect();
  //              ^^^^^^^^^^^^^^ notReleasedOnThrow
  c.on('notification', write);
  await c.query('LISTEN jobs');
  c.release();
}`,
    },
    {
      name: 'is no leak where it is kept for as long as the program runs',
      code: `
async function f(write) {
  const c = await pool.connect();
  c.on('notification', write);
  await c.query('LISTEN jobs');
}`,
    },
    {
      name: 'is one where it is kept, and lost when the LISTEN fails',
      code: `
class Bus {
  async start() {
    try {
      const c = await pool.connect();
      //              ^^^^^^^^^^^^^^ notReleasedOnSomePath
      await c.query('LISTEN jobs');
      this.client = c;
    } catch { this.retry(); }
  }
  retry() { setTimeout(() => this.start(), 1000); }
}`,
    },
  ]);
  checkRule('no-listener-leak', [{ name: 'is no listener beside', code: listening }]);
});

describe('a pooled client that is ended in place of a release', () => {
  checkRule('no-unreleased-client', [
    { name: 'is no leak beside', code: ended },
    {
      name: 'is one where it is released after that',
      code: `
async function f() {
  const c = await pool.connect();
  //              ^^^^^^^^^^^^^^ notReleasedOnThrow
  await c.query('x');
  await c.end();
  c.release();
}`,
    },
  ]);
  checkRule('no-end-pooled-client', [
    {
      name: 'is one finding',
      code: `
async function f() {
  const c = await pool.connect();
  await c.query('x');
  await c.end();
  //    ^^^^^^^ neverReleased
}`,
    },
  ]);
});
