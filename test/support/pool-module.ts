interface PoolModule {
  readonly max?: number | undefined;
  readonly connectionTimeoutMillis?: number;
  readonly isCommonJs?: boolean;
}

/** The `pool.js` that stands beside each example of a rule's page. */
export function poolModule({
  max = 10,
  connectionTimeoutMillis = 5_000,
  isCommonJs = false,
}: PoolModule = {}): string {
  const [take, give] = isCommonJs
    ? ["const { Pool } = require('pg');", 'module.exports = { pool };']
    : ["import { Pool } from 'pg';", 'export { pool };'];
  return `${take}

const pool = new Pool({ max: ${max}, connectionTimeoutMillis: ${connectionTimeoutMillis} });
pool.on('error', (error) => console.error(error.message));

${give}
`;
}
