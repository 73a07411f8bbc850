import { describe } from 'vitest';
import { checkRule } from '../../support/marked.ts';

describe('knows what waits for the body of a request', () => {
  checkRule('no-external-await-while-holding', [
    {
      name: 'part by part',
      code: `
import http, { createServer } from 'node:http';
async function f(request: http.IncomingMessage) {
  const c = await pool.connect();
  try { for await (const part of request) await c.query('INSERT INTO t VALUES ($1)', [part]); } finally { c.release(); }
//                               ^^^^^^^ held
}
createServer(async (request, response) => {
  const c = await pool.connect();
  try { let body = ''; for await (const part of request) body += part; await c.query('x', [body]); } finally { c.release(); }
//                                              ^^^^^^^ held
});
async function body(request: http.IncomingMessage) { let all = ''; for await (const part of request) all += part; return all; }
async function g(request: http.IncomingMessage) {
  const c = await pool.connect();
  try { await c.query('x', [await body(request)]); } finally { c.release(); }
//                          ^^^^^^^^^^^^^^^^^^^ held
}`,
    },
    {
      name: 'whole, by what reads streams or in a context',
      code: `
import { text } from 'node:stream/consumers';
import type { Request as Req } from 'express';
import type { IncomingMessage } from 'node:http';
import { Hono, type Context } from 'hono';
const app = new Hono();
async function f(request: IncomingMessage) {
  const c = await pool.connect();
  try { await c.query('x', [await text(request)]); } finally { c.release(); }
//                          ^^^^^^^^^^^^^^^^^^^ held
}
app.post('/', async (context) => {
  const c = await pool.connect();
  try { await c.query('x', [await context.req.json()]); } finally { c.release(); }
//                          ^^^^^^^^^^^^^^^^^^^^^^^^ held
});
async function g(context: Context) {
  const c = await pool.connect();
  try { await c.query('x', [await context.req.text()]); } finally { c.release(); }
//                          ^^^^^^^^^^^^^^^^^^^^^^^^ held
}`,
    },
    {
      name: 'and what does not',
      code: `
import { text } from 'node:stream/consumers';
import { Router } from 'somewhere';
const app = Router();
async function f(stream: NodeJS.ReadableStream, rows: AsyncIterable<string>) {
  const c = await pool.connect();
  try { await c.query('x', [await text(stream)]); for await (const row of rows) await c.query('x', [row]); } finally { c.release(); }
}
app.post('/', async (context) => {
  const c = await pool.connect();
  try { await c.query('x', [await context.req.json()]); } finally { c.release(); }
});
async function g(request: Request) {
  const c = await pool.connect();
  try { void request.json().then(console.log); await c.query('x'); } finally { c.release(); }
}`,
    },
    {
      name: 'nothing beside a leak',
      code: `
async function f() {
  const c = await pool.connect();
  await c.query('x');
  await fetch('http://localhost/');
}
async function g() {
  const c = await pool.connect();
  await c.query('x');
  await fetch('http://localhost/');
//^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ held
  c.release();
}`,
    },
  ]);
});
