import type { SessionEffect } from './sql.ts';

/** How an effect is spoken of. */
export interface EffectWords {
  readonly what: string;
  /** Where connections are pooled by the application only. */
  readonly cure: string;
  /** Where a pooler may run each transaction on another connection. */
  readonly pooledCure: string;
}

export const sessionWords: Readonly<Record<SessionEffect, EffectWords>> = {
  set: {
    what: 'a session setting',
    cure: "Use `SET LOCAL` (or `set_config(…, true)`) inside a transaction, `RESET` it before the release, or set it for every connection in the pool's `options`",
    pooledCure: 'Use `SET LOCAL` (or `set_config(…, true)`) inside a transaction',
  },
  listen: {
    what: 'a LISTEN',
    cure: 'Listen on a `new Client()` of its own',
    pooledCure: 'Listen on a `new Client()` with a direct address',
  },
  'advisory-lock': {
    what: 'a session advisory lock',
    cure: 'Use `pg_advisory_xact_lock` inside a transaction, or unlock on the same client before the release',
    pooledCure: 'Use `pg_advisory_xact_lock` inside a transaction',
  },
  'temp-table': {
    what: 'a temporary table',
    cure: 'Create it `ON COMMIT DROP` inside a transaction, or drop it before the release',
    pooledCure: 'Create it `ON COMMIT DROP` inside a transaction',
  },
  prepare: {
    what: 'a prepared statement',
    cure: 'Let the driver prepare it (`{ name, text }`), or `DEALLOCATE` it before the release',
    pooledCure: 'Send the statement with its values and without PREPARE',
  },
  load: {
    what: 'a loaded library',
    cure: 'Put it into `session_preload_libraries`',
    pooledCure: 'Put it into `session_preload_libraries`',
  },
  'cursor-with-hold': {
    what: 'a cursor WITH HOLD',
    cure: 'Close it before the release',
    pooledCure: 'Read it WITHOUT HOLD inside a transaction',
  },
  'named-statement': {
    what: 'a named prepared statement',
    cure: 'Leave out `name`',
    pooledCure: 'Leave out `name`',
  },
};
