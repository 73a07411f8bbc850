import { describe } from 'vitest';
import { checkRule, leaking } from '../../support/marked.ts';

describe('follows callbacks', () => {
  checkRule('no-unreleased-client', [
    {
      name: 'inner error',
      code: leaking(
        'notReleasedOnSomePath',
        "function f(cb) { pool.connect((err, client, done) => { if (err) return cb(err); client.query('x', (err, r) => { if (err) return cb(err); done(); cb(null, r); }); }); }",
      ),
    },
    {
      name: 'third level',
      code: leaking(
        'notReleasedOnSomePath',
        "function f(cb) { pool.connect((err, client, done) => { if (err) return cb(err); client.query('BEGIN', (err) => { if (err) { done(err); return cb(err); } client.query('x', (err, r) => { if (err) { done(err); return cb(err); } client.query('COMMIT', (err) => { if (err) return cb(err); done(); cb(null, r); }); }); }); }); }",
      ),
    },
    {
      name: 'third level ok',
      code: "function f(cb) { pool.connect((err, client, done) => { if (err) return cb(err); client.query('BEGIN', (err) => { if (err) { done(err); return cb(err); } client.query('x', (err, r) => { if (err) { done(err); return cb(err); } client.query('COMMIT', (err) => { done(); if (err) return cb(err); cb(null, r); }); }); }); }); }",
    },
    {
      name: 'rollback helper',
      code: "function f(cb) { function rollback(client, done) { client.query('ROLLBACK', (err) => done(err)); } pool.connect((err, client, done) => { if (err) return cb(err); client.query('BEGIN', (err) => { if (err) return rollback(client, done); client.query('COMMIT', done); }); }); }",
    },
    {
      name: 'done as callback',
      code: "function f(cb) { pool.connect((err, client, done) => { if (err) return cb(err); client.query('x', done); }); }",
    },
    {
      name: 'holder only on success',
      code: leaking(
        'notReleasedOnSomePath',
        "function f(cb) { pool.connect(function (err, connection, done) { if (err) return cb(err); connection.autorelease = done; connection.query('BEGIN', function (err) { if (err) return cb(err); const tx = new Transaction(connection); tx.id = 1; cb(null, tx); }); }); }",
      ),
    },
    {
      name: 'holder on both',
      code: "function f(cb) { pool.connect(function (err, connection, done) { if (err) return cb(err); connection.autorelease = done; connection.query('BEGIN', function (err) { if (err) { connection.autorelease(); return cb(err); } cb(null, new Transaction(connection)); }); }); }",
    },
    {
      name: 'holder handed on',
      code: 'function f(cb) { pool.connect(function (err, connection, done) { if (err) return cb(err); connection.autorelease = done; cb(null, connection); }); }',
    },
    {
      name: 'named callback',
      code: "function f(cb) { pool.connect((err, client, done) => { if (err) return cb(err); function finish(err, r) { done(); cb(err, r); } client.query('x', finish); }); }",
    },
    {
      name: 'named callback leaks',
      code: leaking(
        'notReleasedOnSomePath',
        "function f(cb) { pool.connect((err, client, done) => { if (err) return cb(err); function finish(err, r) { if (err) return cb(err); done(); cb(null, r); } client.query('x', finish); }); }",
      ),
    },
    {
      name: 'connect by name',
      code: leaking(
        'notReleasedOnSomePath',
        "function f(cb) { pool.connect(onConnect); function onConnect(err, client, done) { if (err) return cb(err); client.query('x', (err, r) => { if (err) return cb(err); done(); cb(null, r); }); } }",
      ),
    },
    {
      name: 'connect by name ok',
      code: "function f(cb) { pool.connect(onConnect); function onConnect(err, client, done) { if (err) return cb(err); client.query('x', (err, r) => { done(); if (err) return cb(err); cb(null, r); }); } }",
    },
    {
      name: 'stream end',
      code: "function f(res) { pool.connect((err, client, done) => { if (err) throw err; const stream = client.query(new QueryStream('x')); stream.on('end', done); stream.on('error', done); stream.pipe(res); }); }",
    },
    {
      name: 'finish handler',
      code: leaking(
        'releasedByEvent',
        "function f(req, res, next) { pool.connect((err, client, done) => { if (err) return next(err); req.db = client; res.on('finish', () => done()); next(); }); }",
      ),
    },
    {
      name: 'close handler',
      code: "function f(req, res, next) { pool.connect((err, client, done) => { if (err) return next(err); req.db = client; res.on('close', () => done()); next(); }); }",
    },
    {
      name: 'cursor close',
      code: "async function f() { const client = await pool.connect(); const cursor = client.query(new Cursor('x')); cursor.read(100, (err, rows) => { cursor.close(() => client.release()); }); }",
    },
    {
      name: 'query end and error',
      code: "function f() { pool.connect((err, client, done) => { if (err) return; const q = client.query('x'); q.on('row', use); q.on('end', () => { done(); }); q.on('error', () => { done(); }); }); }",
    },
    {
      name: 'err branch calls done',
      code: "function f(cb) { pool.connect((err, client, done) => { if (err) { done(); return cb(err); } client.query('x', (e, r) => { done(e); cb(e, r); }); }); }",
    },
    {
      name: 'done(err) ternary',
      code: "function f(cb) { pool.connect((err, client, release) => { if (err) { cb(err); } else { client.query('x', (e, r) => { release(); e ? cb(e) : cb(null, r); }); } }); }",
    },
    {
      name: 'async helper',
      code: 'function f(cb) { pool.connect((err, client, done) => { if (err) return cb(err); run(client, (e, r) => { done(); cb(e, r); }); }); }',
    },
    {
      name: 'else-less',
      code: leaking(
        'notReleasedOnSomePath',
        "function f(res) { pool.connect((err, client, done) => { if (err) { res.status(500).end(); return; } client.query('x', (err, r) => { if (err) { res.status(500).end(); } else { done(); res.json(r.rows); } }); }); }",
      ),
    },
    {
      name: 'else both',
      code: "function f(res) { pool.connect((err, client, done) => { if (err) { res.status(500).end(); return; } client.query('x', (err, r) => { if (err) { done(); res.status(500).end(); } else { done(); res.json(r.rows); } }); }); }",
    },
  ]);
});
