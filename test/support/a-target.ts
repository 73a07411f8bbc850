import type { ConnectionTarget } from '../../src/database/target.ts';

/** A development database of a small shop; nothing listens there. */
export const aTarget: ConnectionTarget = {
  host: 'localhost',
  port: 5432,
  database: 'shop',
  user: 'app',
  tls: 'off',
  tlsChosenBy: 'default',
  tlsFiles: { ca: null, cert: null, key: null },
};
