// An application that does nothing but ask its pool, for as long as it is told to. Its parent tells the seconds, and hears the count.
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.argv[2], max: 10, application_name: 'bench' });
const callers = 20;

async function findOne() {
  const { rows } = await pool.query('SELECT 1 AS one');
  return rows[0].one;
}

async function call(until) {
  let count = 0;
  for (; performance.now() < until; count++) await findOne();
  return count;
}

process.on('message', async (milliseconds) => {
  const begin = performance.now();
  const before = process.cpuUsage();
  const counts = await Promise.all(
    Array.from({ length: callers }, () => call(begin + milliseconds)),
  );
  const { user, system } = process.cpuUsage(before);
  const queries = counts.reduce((sum, count) => sum + count, 0);
  process.send({
    perSecond: (1000 * queries) / (performance.now() - begin),
    cpuMicroseconds: (user + system) / queries,
  });
});
process.once('disconnect', () => process.exit());
process.send('ready');
