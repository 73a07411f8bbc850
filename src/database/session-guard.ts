import type { ClientBase } from 'pg';
import type { SessionLimits } from './client-config.ts';

/**
 * Whether the client talks to its own backend, or to a pooler that lends it one for each transaction.
 * A pooler hands out process ids of its own as cancel keys, so the two ids differ (PgBouncer client.c, cancel_key).
 */
export async function isPooled(client: ClientBase): Promise<boolean> {
  const pid = backendPid(client);
  // Known without a statement, which would have to wait for a backend where none is free.
  if (pid !== null && (pid <= 0 || pid > highestPid)) return true;
  const { rows } = await client.query<{ pid: number }>('SELECT pg_catalog.pg_backend_pid() AS pid');
  return rows[0]?.pid !== pid;
}

/** Of Linux (PID_MAX_LIMIT, 2^22). A pooler takes its ids at random from 32 bits, so that nearly all are none of a process. */
const highestPid = 4_194_304;

/** From the server's BackendKeyData message; null before it. `processID` is public in pg (lib/client.js), its types lag. */
export function backendPid(client: ClientBase): number | null {
  return 'processID' in client && typeof client.processID === 'number' ? client.processID : null;
}

/** For the life of a session that has a backend of its own. Settings that this server's version lacks are left out. */
export async function guardSession(client: ClientBase, limits: SessionLimits): Promise<void> {
  await setKnown(client, { ...guards(limits), ...(limits.isProbe && probeGuards) });
  // Refused on platforms that cannot do it: a prober that vanished is noticed at the end of its statement there, as before PostgreSQL 14.
  if (limits.isProbe)
    await setKnown(client, { client_connection_check_interval: '1000' }).catch(() => undefined);
}

async function setKnown(
  client: ClientBase,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  await client.query(
    `SELECT pg_catalog.set_config(wanted.key, wanted.value, false)
       FROM pg_catalog.jsonb_each_text($1) AS wanted
       JOIN pg_catalog.pg_settings AS known ON known.name = wanted.key`,
    [JSON.stringify(settings)],
  );
}

/** Strings are read as the statement check reads them, and a network that went silent is noticed within 20 s instead of two hours. */
const probeGuards = {
  standard_conforming_strings: 'on',
  tcp_keepalives_idle: '5',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
} as const;

/** The same for one transaction: behind a pooler, a session-wide setting would stay on a backend that the application uses next. */
export function guardedBegin(limits: SessionLimits): string {
  const { statement_timeout, lock_timeout, idle_in_transaction_session_timeout } = guards(limits);
  return `BEGIN READ ONLY;
    SET LOCAL statement_timeout = ${statement_timeout};
    SET LOCAL lock_timeout = ${lock_timeout};
    SET LOCAL idle_in_transaction_session_timeout = ${idle_in_transaction_session_timeout};
    SET LOCAL standard_conforming_strings = on`;
}

function guards(limits: SessionLimits) {
  return {
    statement_timeout: milliseconds(limits.statementTimeoutMs),
    lock_timeout: milliseconds(limits.lockTimeoutMs),
    idle_in_transaction_session_timeout: milliseconds(limits.idleInTransactionTimeoutMs),
    idle_session_timeout: milliseconds(limits.idleSessionTimeoutMs),
    transaction_timeout: milliseconds(
      limits.statementTimeoutMs + limits.idleInTransactionTimeoutMs,
    ),
    default_transaction_read_only: 'on',
  };
}

function milliseconds(value: number): string {
  return String(Math.max(0, Math.round(value)));
}

/**
 * The same as a startup parameter `options`, for a connection that is to cost no more than one that carries no guards.
 * Only what every supported version knows: an unknown setting would refuse the connection. A pooler refuses the parameter itself.
 */
export function guardingOptions(limits: SessionLimits): string {
  const {
    statement_timeout,
    lock_timeout,
    idle_in_transaction_session_timeout,
    default_transaction_read_only,
  } = guards(limits);
  return Object.entries({
    statement_timeout,
    lock_timeout,
    idle_in_transaction_session_timeout,
    default_transaction_read_only,
    ...(limits.isProbe && probeGuards),
  })
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
}
