import type { SessionLimits } from './session-limits.ts';

/** Values by the name of the setting. A list has `, ` between its parts. None comes from a stranger. */
export type Settings = Readonly<Record<string, string>>;

type Limits = Pick<
  SessionLimits,
  | 'runs'
  | 'statementTimeoutMs'
  | 'lockTimeoutMs'
  | 'idleInTransactionTimeoutMs'
  | 'idleSessionTimeoutMs'
>;

/**
 * For the life of a session with a backend of its own. Every supported version knows them, and anybody may set them.
 * They replace what the database's owner, or whoever manages its roles, made the default of every session.
 */
export function sessionSettings(limits: Limits): Settings {
  return {
    default_transaction_read_only: 'on',
    // A serializable deferrable transaction waits for all writers before it reads.
    default_transaction_isolation: 'read committed',
    default_transaction_deferrable: 'off',
    ...settingsOfBoth(limits),
    idle_in_transaction_session_timeout: milliseconds(limits.idleInTransactionTimeoutMs),
    // A network that went silent is noticed within 20 s instead of two hours.
    tcp_keepalives_idle: '5',
    tcp_keepalives_interval: '5',
    tcp_keepalives_count: '3',
    ...settingsByRuns[limits.runs],
  };
}

/** For one transaction, behind a pooler: whatever lasts longer would stay on a backend that the application uses next. */
export function transactionSettings(limits: Omit<Limits, 'runs'>, runs: Limits['runs']): Settings {
  return { transaction_read_only: 'on', ...settingsOfBoth(limits), ...settingsByRuns[runs] };
}

/** Read at the login only. A library that does not exist ends it. */
export const loginSettings: Settings = { local_preload_libraries: '' };

/** Of newer versions, so set where the server knows them: 14, 17, and the last minor versions of all others. */
export function newerSettings({ runs, ...limits }: Limits): Settings {
  return {
    idle_session_timeout: milliseconds(limits.idleSessionTimeoutMs),
    transaction_timeout: milliseconds(
      limits.statementTimeoutMs + limits.idleInTransactionTimeoutMs,
    ),
    ...(runs === 'own' && { restrict_nonsystem_relation_kind: 'view,foreign-table' }),
  };
}

/** The server looks every second whether the client is still there. Some platforms refuse it. */
export const watchClient: Settings = { client_connection_check_interval: '1000' };

/** A session in which one of these did not take is not used. */
export const essentialSettings: readonly string[] = [
  'search_path',
  'default_transaction_read_only',
  'standard_conforming_strings',
];

function settingsOfBoth(limits: Omit<Limits, 'runs'>): Settings {
  return {
    // Of the role that logged in.
    role: 'none',
    // The server reads strings as the check of a statement did.
    standard_conforming_strings: 'on',
    client_min_messages: 'warning',
    statement_timeout: milliseconds(limits.statementTimeoutMs),
    lock_timeout: milliseconds(limits.lockTimeoutMs),
  };
}

/** A workload keeps the application's path, rights and formats, so it does what it does in the application. */
const settingsByRuns: Readonly<Record<SessionLimits['runs'], Settings>> = {
  own: {
    // Unlisted, pg_temp would come first.
    search_path: 'pg_catalog, pg_temp',
    // A policy's code is an error instead of being run.
    row_security: 'off',
    jit: 'off',
    DateStyle: 'ISO',
    IntervalStyle: 'postgres',
    TimeZone: 'UTC',
    bytea_output: 'hex',
    extra_float_digits: '1',
  },
  workload: {},
};

function milliseconds(value: number): string {
  return String(Math.max(0, Math.round(value)));
}
