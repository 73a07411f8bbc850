import type { SessionEffect, StatementKind } from './sql.ts';

/** How messages name an effect. */
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
    cure: "Use `SET LOCAL` or `set_config(…, true)` in a transaction, `RESET` it before the release, or set it in the pool's `options`",
    pooledCure: 'Use `SET LOCAL` or `set_config(…, true)` in a transaction',
  },
  listen: {
    what: 'LISTEN',
    cure: 'LISTEN on a dedicated `new Client()`',
    pooledCure: 'LISTEN on a `new Client()` that connects to PostgreSQL directly',
  },
  'advisory-lock': {
    what: 'a session advisory lock',
    cure: 'Use `pg_advisory_xact_lock` in a transaction, or unlock on the same client before the release',
    pooledCure: 'Use `pg_advisory_xact_lock` in a transaction',
  },
  'temp-table': {
    what: 'a temporary table',
    cure: 'Create it `ON COMMIT DROP` in a transaction, or drop it before the release',
    pooledCure: 'Create it `ON COMMIT DROP` in a transaction',
  },
  prepare: {
    what: 'a prepared statement',
    cure: 'Let the driver prepare it (`{ name, text }`), or `DEALLOCATE` it before the release',
    pooledCure: 'Send the statement with its values, without PREPARE',
  },
  load: {
    what: 'a loaded library',
    cure: 'Add it to `session_preload_libraries`',
    pooledCure: 'Add it to `session_preload_libraries`',
  },
  'cursor-with-hold': {
    what: 'a cursor WITH HOLD',
    cure: 'Close it before the release',
    pooledCure: 'Read it WITHOUT HOLD in a transaction',
  },
  'named-statement': {
    what: 'a named prepared statement',
    cure: 'Omit `name`',
    pooledCure: 'Omit `name`',
  },
};

/** Session state as the subject of a sentence: "`SET search_path`", "A temporary table". */
export function subjectOf(
  effect: SessionEffect,
  { verb, parameter }: Pick<StatementKind, 'verb' | 'parameter'>,
): string {
  return verb === 'SET' && parameter !== null
    ? `\`SET ${parameter}\``
    : sessionWords[effect].what.replace(/^a(?= )/u, 'A');
}
