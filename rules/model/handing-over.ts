/**
 * Methods that keep what they are given, or give it back: of arrays, `Map` and `Set`, and of pools of anything (generic-pool 3.9
 * `release`, `destroy`; mysql2 3 `releaseConnection`).
 */
export const keepingMethods: ReadonlySet<string> = new Set(
  'push unshift set add release destroy releaseConnection'.split(' '),
);

/**
 * Methods by which an object of a package gives back the client that it was made with: a transaction's `commit`, a session's `end`
 * (slonik, `Disposable`).
 */
export const endingMethods: ReadonlySet<string> = new Set(
  'release close end dispose destroy commit rollback abort'.split(' '),
);
