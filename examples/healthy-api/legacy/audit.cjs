const pool = require('./db.cjs');

function readAudit(userId) {
  return pool.connect().then((client) =>
    client
      .query('SELECT action, created_at FROM audit WHERE user_id = $1 ORDER BY id DESC LIMIT 20', [userId])
      .then((result) => result.rows)
      .finally(() => client.release()),
  );
}

module.exports = { readAudit };
