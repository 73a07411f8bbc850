const pool = require('./db.cjs');

function readAudit(userId) {
  return pool.connect().then((client) => // expect: no-unreleased-client
    client
      .query('SELECT action, created_at FROM audit WHERE user_id = $1 ORDER BY id DESC LIMIT 20', [userId])
      .then((result) => {
        client.release();
        return result.rows;
      }),
  );
}

module.exports = { readAudit };
