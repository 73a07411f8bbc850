/** A file with one finding: a client that is never released. */
export const leakingFile = `import pg from 'pg';
const pool = new pg.Pool({ max: 5, connectionTimeoutMillis: 1000 });
pool.on('error', console.error);
export async function load() {
  const client = await pool.connect();
  await client.query('SELECT 1');
}
`;
