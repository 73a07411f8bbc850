/** All that reaches the PostgreSQL driver: a bundle of its own, loaded by the first connection. Always imported with `import()`. */
export { connectSession } from '../database/connect.ts';
export { endSession } from '../database/end-session.ts';
export { measureConnection } from '../database/measure-connection.ts';
export { createPoolerSource } from '../database/pooler-console.ts';
export { createActivitySource } from '../database/read-activity.ts';
