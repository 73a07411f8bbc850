const pool = require('./db.cjs');

function readInvoice(orderId, callback) {
  pool.connect((connectError, client, done) => {
    if (connectError) {
      callback(connectError);
      return;
    }
    client.query('SELECT id, user_id, total FROM orders WHERE id = $1', [orderId], (queryError, result) => {
      done();
      if (queryError) {
        callback(queryError);
        return;
      }
      const order = result.rows[0];
      callback(null, order && { number: `INV-${order.id}`, total: order.total });
    });
  });
}

module.exports = { readInvoice };
