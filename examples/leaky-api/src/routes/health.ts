import { Router } from 'express';
import type { Pool } from 'pg';
import legacyPool from '../../legacy/db.cjs';
import { pool } from '../db.ts';

export const health = Router();

health.get('/', (_request, response) => {
  response.json({ pool: countsOf(pool), legacyPool: countsOf(legacyPool) });
});

health.get('/ready', async (_request, response) => {
  const client = await pool.connect(); // expect: no-unreleased-client
  await client.query('SELECT 1');
  response.json({ ready: true });
});

function countsOf({ totalCount, idleCount, waitingCount }: Pool) {
  return { totalCount, idleCount, waitingCount };
}
