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
    {
      name: "'finish' of a response whose request has the client",
      code: left(`
app.use(async (request, response, next) => {
  request.db = await pool.connect();
  response.on('finish', () => request.db.release());
  next();
});
app.get('/users', async (request, response) => response.json((await request.db.query('x')).rows));`),
    },
    {
      name: "'finish' and 'error' of a response, in middleware that is exported",
      files: {
        'users.ts':
          'export const users = async (req, res) => res.json((await req.db.query("x")).rows);',
      },
      code: left(`
export async function withClient(request, response, next) {
  const client = await pool.connect();
  request.db = client;
  const done = () => { client.release(); };
  response.once('finish', done);
  response.once('error', done);
  next();
}`),
    },
    {
      name: "'finish' of a response that has the client itself",
      code: left(`
router.use('/api', async (request, response, next) => {
  response.locals.db = await pool.connect();
  response.once('finish', () => { const { locals } = response; locals.db.release(); });
  next();
});`),
    },
  ]);
});

describe('has the client released on the one event that comes last in every case', () => {
  checkRule(rule, [
    {
      name: "'close' of a response in place of 'finish', which comes before it",
      code: left(`
app.use(async (request, response, next) => {
  request.db = await pool.connect();
  response.on('finish', () => request.db.release());
  next();
});`),
      cures: [
        "Move the release to 'close' of `response` (line 7), which comes last in every case.",
      ],
    },
    {
      name: "'close' of a stream in place of 'end', which a destroyed one does not emit",
      code: left(`
async function f(to, Stream) {
  const c = await pool.connect();
  const stream = c.query(new Stream('SELECT 1'));
  stream.on('end', () => c.release());
  stream.pipe(to);
}`),
      cures: ["Move the release to 'close' of `stream` (line 8), which comes last in every case."],
    },
    {
      name: "'close' of a stream in place of 'error'",
      code: left(`
async function f(to, Stream) {
  const c = await pool.connect();
  const stream = c.query(new Stream('SELECT 1'));
  stream.on('error', (error) => c.release(error));
  stream.pipe(to);
}`),
      cures: ["Move the release to 'close' of `stream` (line 8), which comes last in every case."],
    },
  ]);
});

describe('is silent where listeners hear of every end, or nobody knows', () => {
  checkRule(rule, [
    {
      name: "'close' of a response whose request has the client, or what it tells beside 'finish'",
      code: `
app.use(async (request, response, next) => {
  request.db = await pool.connect();
  response.on('close', () => request.db.release());
  next();
});
app.use(async (request, response, next) => {
  request.client = await pool.connect();
  response.on('finish', () => request.client.release());
  response.on('close', () => { if (!response.writableFinished) request.client.release(); });
  next();
});`,
    },
    {
      name: 'a request whose client others release, in this file or another one',
      files: {
        'failed.ts':
          'export const failed = (error, req, res, next) => { const c = req.other; c.release(true); next(error); };',
      },
      code: `
app.use(async (request, response, next) => {
  request.db = await pool.connect();
  response.on('finish', () => request.db.release());
  next();
});
app.use((error, request, response, next) => { request.db.release(true); next(error); });
app.use(async (request, response, next) => {
  request.other = await pool.connect();
  response.on('finish', () => request.other.release());
  next();
});`,
    },
    {
      name: 'a stream behind another parameter, and a client that is kept in the program',
      code: `
export async function f(job, stream, done) {
  const client = await pool.connect();
  stream.on('finish', () => client.release());
  await client.query('x');
  done();
}
const kept = {};
app.use(async (request, response, next) => {
  kept.db = await pool.connect();
  response.on('finish', () => kept.db.release());
  next();
});`,
    },
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
