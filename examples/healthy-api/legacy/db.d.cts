import type { Pool } from 'pg';

declare const pool: Pool;
export = pool;
