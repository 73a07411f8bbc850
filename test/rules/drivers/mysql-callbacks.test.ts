import { describe } from 'vitest';
import { checkRule, withHeader } from '../../support/marked.ts';

const header =
  "const mysql = require('mysql');\nconst pool = mysql.createPool({ connectionLimit: 10 });";
const filename = 'sample.cjs';

describe('no-unreleased-client', () => {
  checkRule(
    'no-unreleased-client',
    withHeader(header, [
      {
        name: 'never released',
        filename,
        code: `
exports.all = (callback) => {
  pool.getConnection((err, connection) => {
//^…
    if (err) return callback(err);
    connection.query('SELECT * FROM users', callback);
  });
};`.replace('//^…', '//^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^… neverReleased'),
      },
      {
        name: 'not released where the statement fails',
        filename,
        code: `
exports.all = (req, res) => {
  pool.getConnection(function (err, connection) {
//^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^… notReleasedOnSomePath
    if (err) return res.status(500).end();
    connection.query('SELECT * FROM users', function (error, rows) {
      if (error) return res.status(500).end();
      connection.release();
      res.json(rows);
    });
  });
};`,
      },
      {
        name: 'released first thing in the callback of the statement',
        filename,
        code: `
exports.all = (req, res) => {
  pool.getConnection(function (err, connection) {
    if (err) throw err;
    connection.query('SELECT * FROM users', function (error, rows) {
      connection.release();
      if (error) return res.status(500).end();
      res.json(rows);
    });
  });
};`,
      },
      {
        name: 'a transaction, rolled back and released in callbacks',
        filename,
        code: `
exports.move = (from, callback) => {
  pool.getConnection((err, connection) => {
    if (err) return callback(err);
    connection.beginTransaction((err) => {
      if (err) return callback(err);
      connection.query('UPDATE t SET a = 1 WHERE id = ?', [from], (err) => {
        if (err) {
          return connection.rollback(() => {
            connection.release();
            callback(err);
          });
        }
        connection.commit((err) => {
          if (err) {
            return connection.rollback(() => {
              connection.release();
              callback(err);
            });
          }
          connection.release();
          callback(null);
        });
      });
    });
  });
};`,
      },
      {
        name: 'a transaction that is rolled back without a release',
        filename,
        code: `
exports.move = (from, callback) => {
  pool.getConnection((err, connection) => {
//^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^… notReleasedOnSomePath
    if (err) return callback(err);
    connection.beginTransaction(() => {
      connection.query('UPDATE t SET a = 1 WHERE id = ?', [from], (err) => {
        if (err) return connection.rollback(() => callback(err));
        connection.commit((err) => {
          connection.release();
          callback(err);
        });
      });
    });
  });
};`,
      },
      {
        name: 'streamed rows, released by a listener',
        filename,
        code: `
exports.each = (visit) => {
  pool.getConnection((err, connection) => {
    if (err) throw err;
    const query = connection.query('SELECT * FROM users');
    query.on('result', visit).on('end', () => connection.release());
  });
};`,
      },
      {
        name: 'an old way to release',
        filename,
        code: `
exports.all = (callback) => {
  pool.getConnection((err, connection) => {
    if (err) return callback(err);
    connection.query('SELECT 1', (error, rows) => {
      connection.end();
      callback(error, rows);
    });
  });
};`,
      },
      {
        name: 'handed to the callback of the caller',
        filename,
        code: `
exports.getConnection = (callback) => {
  pool.getConnection((err, connection) => {
    if (err) return callback(err);
    callback(null, connection);
  });
};`,
      },
      {
        name: 'that a function passes on to its caller',
        filename,
        code: `
const getConnection = (callback) => pool.getConnection(callback);
exports.all = (res) => {
  getConnection((err, connection) => {
//^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^… notReleasedOnSomePath
    if (err) return res.end();
    connection.query('SELECT 1', (error, rows) => {
      if (error) return res.end();
      connection.release();
      res.json(rows);
    });
  });
};`,
      },
      {
        name: 'in a promise of its own',
        filename,
        code: `
exports.all = () =>
  new Promise((resolve, reject) => {
    pool.getConnection((err, connection) => {
      if (err) return reject(err);
      connection.query('SELECT 1', (error, rows) => {
        connection.release();
        if (error) reject(error);
        else resolve(rows);
      });
    });
  });`,
      },
      {
        name: 'asked of something of which nothing is known',
        filename,
        header: '',
        code: `
module.exports = (db, cluster) => {
  db.getConnection((err, connection) => {
    connection.query('SELECT 1', () => {});
  });
  cluster.getConnection('MASTER', (err, connection) => {
    connection.query('SELECT 1', () => {});
  });
};`,
      },
    ]),
  );
});

describe('mysql2 without promises', () => {
  checkRule(
    'no-unreleased-client',
    withHeader("import mysql, { type Pool } from 'mysql2';\nconst pool = mysql.createPool('');", [
      {
        name: 'the promises of a connection that a callback got',
        code: `
export function all(done: () => void) {
  pool.getConnection(async (err, connection) => {
    if (err) return done();
    const conn = connection.promise();
    try {
      await conn.query('SELECT 1');
    } finally {
      conn.release();
    }
  });
}`,
      },
      {
        name: 'the promises of a typed pool',
        code: `
export async function all(given: Pool) {
  const conn = await given.promise().getConnection();
  //                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ notReleasedOnThrow
  await conn.query('SELECT 1');
  conn.release();
}`,
      },
    ]),
  );
});

describe('no-double-release', () => {
  checkRule(
    'no-double-release',
    withHeader(header, [
      {
        name: 'in the error branch that goes on, and behind it',
        filename,
        code: `
exports.all = (res) => {
  pool.getConnection((err, connection) => {
    if (err) throw err;
    connection.query('SELECT 1', (error, rows) => {
      if (error) {
        connection.release();
        res.end();
      }
      connection.release();
    //^^^^^^^^^^^^^^^^^^^^ releasedAgain
      res.json(rows);
    });
  });
};`,
      },
    ]),
  );
});

describe('no-use-after-release', () => {
  checkRule(
    'no-use-after-release',
    withHeader(header, [
      {
        name: 'a query behind the release; without a callback it gives no promise',
        filename,
        code: `
exports.all = (done) => {
  pool.getConnection((err, connection) => {
    if (err) throw err;
    connection.release();
    connection.query('SELECT 1', done);
  //^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ used
  });
  pool.getConnection((err, connection) => {
    if (err) throw err;
    const query = connection.query('SELECT 1');
    connection.release();
    return query;
  });
};`,
      },
    ]),
  );
});

describe('no-nested-checkout', () => {
  checkRule(
    'no-nested-checkout',
    withHeader(header, [
      {
        name: 'a checkout beside another one',
        filename,
        code: `
pool.getConnection((err, connection) => {});
pool.getConnection((err, connection) => {});`,
      },
      {
        name: 'a query of the pool inside of the callback',
        filename,
        code: `
exports.all = (done) => {
  pool.getConnection((err, connection) => {
    if (err) throw err;
    pool.query('SELECT 1', (error) => {
  //^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^… query
      connection.release();
      done(error);
    });
  });
};`.replace('  //^^^^', '  //^^^^'),
      },
    ]),
  );
});
