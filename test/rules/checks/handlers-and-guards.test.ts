import { describe } from 'vitest';
import { checkRule } from '../../support/marked.ts';

describe('knows what a handler of a failed query does', () => {
  checkRule('no-unreleased-client', [
    {
      name: 'one that only writes it down',
      code: `
const report = (error: Error) => { console.error('failed', error.message); };
async function f() {
  const c = await pool.connect();
  try { await c.query('SELECT 1'); } finally { await c.query('RESET ALL').catch(console.error); c.release(); }
}
async function g(logger) {
  const c = await pool.connect();
  try { await c.query('SELECT 1'); } finally { await c.query('RESET ALL').catch(logger.warn); c.release(); }
}
async function h() {
  const c = await pool.connect();
  try { await c.query('SELECT 1'); } finally { await c.query('RESET ALL').then(undefined, report); c.release(); }
}`,
    },
    {
      name: 'one that waits, and one that nothing is known of',
      code: `
async function report(error: Error) { await metrics.send(error); }
async function f() {
  const c = await pool.connect();
//                ^^^^^^^^^^^^^^ notReleasedOnThrow
  try { await c.query('SELECT 1'); } finally { await c.query('RESET ALL').catch(report); c.release(); }
}
async function g() {
  const c = await pool.connect();
//                ^^^^^^^^^^^^^^ notReleasedOnThrow
  try { await c.query('SELECT 1'); } finally { await c.query('RESET ALL').catch(metrics.failed); c.release(); }
}`,
    },
    {
      name: 'one that calls itself',
      code: `
function again() { return other.query('SELECT 1').catch(again); }
async function f() {
  const c = await pool.connect();
  try { await c.query('SELECT 1').catch(again); } finally { c.release(); }
}`,
    },
    {
      name: 'guards that hold of every client',
      code: `
async function f() {
  const c = await pool.connect();
  try { await c.query('SELECT 1'); } finally { if (c.release instanceof Function) c.release(); }
}
async function g() {
  const c = await pool.connect();
  try { await c.query('SELECT 1'); } finally { if (Object.hasOwn(c, 'release')) c.release(); }
}
async function h() {
  const c = await pool.connect();
//                ^^^^^^^^^^^^^^ notReleasedOnSomePath
  try { await c.query('SELECT 1'); } finally { if (Object.hasOwn(c, 'broken')) c.release(); }
}`,
    },
  ]);
});
