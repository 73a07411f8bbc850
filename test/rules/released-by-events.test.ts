import { describe } from 'vitest';
import { checkRule, leaking } from '../support/marked.ts';

const rule = 'no-unreleased-client';
const left = (code: string): string => leaking('releasedByEvent', code);

describe('reports a client that is left to listeners which do not hear of every end', () => {
  checkRule(rule, [
    {
      name: "'finish' of a response without 'close'",
      code: left(`
async function f(req, res) {
  const c = await pool.connect();
  res.on('finish', () => c.release());
  const { rows } = await c.query('x');
  res.json(rows);
}`),
    },
    {
      name: "'error' of a stream without 'end'",
      code: left(`
async function f(to, copyTo) {
  const c = await pool.connect();
  const stream = c.query(copyTo('COPY t TO STDOUT'));
  stream.once('error', () => { c.release(); });
  stream.pipe(to);
}`),
    },
    {
      name: "'end' of a stream without 'error', with done",
      code: `
function f(Stream) {
  pool.connect((error, c, done) => {
//^… releasedByEvent
    if (error) throw error;
    const stream = c.query(new Stream('SELECT 1'));
    stream.on('end', done);
    stream.pipe(process.stdout);
  });
}`,
    },
    {
      name: 'a named listener behind a pipe into the response',
      code: left(`
async function f(req, res, Stream) {
  const c = await pool.connect();
  const finish = () => { c.release(); };
  res.writeHead(200);
  c.query(new Stream('SELECT 1')).pipe(res).on('finish', finish).on('error', finish);
}`),
    },
    {
      name: "'end' and 'data' of a stream that is not kept",
      code: left(`
async function f(Stream, write) {
  const c = await pool.connect();
  c.query(new Stream('SELECT 1')).on('data', (row) => write(row)).on('end', () => c.release());
}`),
    },
  ]);
});

describe('is silent where listeners hear of every end, or nobody knows', () => {
  checkRule(rule, [
    {
      name: "'close' of a response",
      code: `
async function f(req, res) {
  const c = await pool.connect();
  res.on('finish', () => log()).on('close', () => c.release());
  const { rows } = await c.query('x');
  res.json(rows);
}`,
    },
    {
      name: "'end' and 'error' of a stream, and 'finish' and 'error'",
      code: `
async function f(Stream) {
  const c = await pool.connect();
  const stream = c.query(new Stream('SELECT 1'));
  stream.on('end', () => c.release()).on('error', (error) => c.release(error));
}
async function g(from, copyFrom) {
  const c = await pool.connect();
  const stream = c.query(copyFrom('COPY t FROM STDIN'));
  stream.on('error', () => c.release());
  stream.on('finish', () => c.release());
  from.pipe(stream);
}`,
    },
    {
      name: 'another emitter that hears of it',
      code: `
async function f(req, res, Stream) {
  const c = await pool.connect();
  const stream = c.query(new Stream('SELECT 1'));
  stream.on('end', () => c.release());
  res.on('close', () => c.release());
  res.setHeader('content-type', 'text/csv');
  stream.pipe(res);
}`,
    },
    {
      name: 'an emitter of the program, and one that nobody knows',
      code: `
async function f(jobs) {
  const c = await pool.connect();
  jobs.on('finish', () => c.release());
}`,
    },
    {
      name: 'a pipeline that calls back',
      code: `
async function f(res, Stream, pipeline) {
  const c = await pool.connect();
  const stream = c.query(new Stream('SELECT 1'));
  stream.on('error', () => c.release());
  pipeline(stream, res, () => c.release());
}`,
    },
  ]);
});
