/** All that reaches the PostgreSQL driver: a bundle of its own, loaded by the first connection. Always imported with `import()`. */
export { connectSession } from '../database/connect.ts';
export { endThrough } from '../database/end-through.ts';
export { measureConnection } from '../database/measure-connection.ts';
export { createPoolerSource } from '../database/pooler-console.ts';
export { createActivitySource } from '../database/read-activity.ts';
