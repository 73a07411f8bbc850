import { captureStack } from '../../watch/stack.ts';
import { presentText } from '../address.ts';
import type { OnFound, PoolKind, PoolSource } from '../pool-kind.ts';
import { poolOf } from './follow-sql.ts';
import { SqlPool, type Holder } from './sql-pool.ts';
import { isSql } from './sql-shape.ts';

/** postgres 3. */
export const postgresJsPool: PoolKind<SqlPool, Holder> = {
  library: 'postgres.js',
  findPool: (given) => {
    if (given instanceof SqlPool) return given;
    return isSql(given) ? poolOf(given) : null;
  },
  // It is from the moment when it is found.
  follow: () => undefined,
  isMade: () => true,
  describe: ({ options }) => ({
    applicationName: presentText(options.connection.application_name),
    host: presentText(options.host[0]),
    port: options.port[0] ?? null,
    database: presentText(options.database),
    max: options.max,
    min: 0,
    // Its `connect_timeout` is for the opening of a connection; its queue has none.
    connectionTimeoutMs: null,
    driverVersion: null,
  }),
  counters: (pool) => pool.counters(),
  lent: (pool) => pool.holders,
  session: ({ backend }) => ({ backendPid: backend?.pid ?? null, clientPort: null }),
  end: (pool) => pool.end(),
};

/** Nothing of what `postgres()` makes is an emitter that tells its pool, so that the function itself is stood before. */
export const postgresJsSource: PoolSource = {
  modules: [
    {
      request: /^postgres$/u,
      esModule: 'postgres',
      onLoaded: (exported, onFound) =>
        typeof exported === 'function' ? frontOf(exported, onFound) : exported,
    },
  ],
};

const fronts = new WeakMap<object, object>();

/** Has all that the function has, and gives what it gives. */
function frontOf(postgres: object, onFound: OnFound): object {
  const known = fronts.get(postgres);
  if (known !== undefined) return known;
  const front = new Proxy(postgres as (...args: unknown[]) => unknown, {
    apply: (target, self, args: unknown[]) => {
      const sql: unknown = Reflect.apply(target, self, args);
      if (isSql(sql)) onFound(sql, captureStack());
      return sql;
    },
  });
  fronts.set(postgres, front);
  fronts.set(front, front);
  return front;
}
