import type { ClientConfig } from 'pg';
import { readCertificate } from './certificate-file.ts';
import type { Secret } from './secret.ts';
import type { ConnectionTarget } from './target.ts';
import { createWire } from './wire.ts';

export interface SessionLimits {
  /** `application_name`: every connection of Poolguard can be told from the application's. */
  readonly applicationName: string;
  readonly connectTimeoutMs: number;
  readonly statementTimeoutMs: number;
  readonly lockTimeoutMs: number;
  readonly idleInTransactionTimeoutMs: number;
  /** How long to stand in a pooler's line for a backend. */
  readonly backendPatienceMs: number;
  /** 0 for none, which is what a session needs that may have nothing to say for long. PostgreSQL 14 and newer. */
  readonly idleSessionTimeoutMs: number;
  /** Ends the connection in the middle of a longer answer, which would fill the memory of this process. */
  readonly mostAnswerBytes: number;
  /** Whether the session makes load: then the server looks every second whether this side is still there, as far as it can, and behind a pooler the guards travel with each statement (`guarded-query.ts`). */
  readonly isProbe: boolean;
}

/**
 * For whoever looks again and again. A client that gives up leaves its place in PgBouncer's line all the same: it is noticed
 * only when its turn comes, and costs the pool a backend then. So one place is kept, for longer than `query_wait_timeout` is by default.
 */
export const watchersPatienceMs = 130_000;

/** A look at ten thousand sessions whose statements are a kilobyte each has a fifth of it. */
export const mostAnswerBytes = 64_000_000;

const ownApplicationName = 'poolguard';

export const defaultLimits: SessionLimits = {
  applicationName: ownApplicationName,
  connectTimeoutMs: 5_000,
  statementTimeoutMs: 2_000,
  lockTimeoutMs: 500,
  idleInTransactionTimeoutMs: 5_000,
  backendPatienceMs: 5_000,
  idleSessionTimeoutMs: 0,
  mostAnswerBytes,
  isProbe: false,
};

/** How long the client waits for an answer beyond the server's own limit, in milliseconds. */
const graceMs = 3_000;

/** How long a statement may take that first stands in a pooler's line, in milliseconds. */
export function pooledAnswerMs({ backendPatienceMs, statementTimeoutMs }: SessionLimits): number {
  return backendPatienceMs + statementTimeoutMs + graceMs;
}

/**
 * What `pg.Client` takes. Time limits of the server are not in it: a pooler refuses them as startup parameters.
 * Reads the certificate files of the target, and throws an error with a code when one cannot be read.
 */
export function toClientConfig(
  target: ConnectionTarget,
  secret: Secret | null,
  limits: SessionLimits,
): ClientConfig {
  return {
    host: target.host,
    port: target.port,
    user: target.user,
    database: target.database,
    // A function keeps pg from falling back to PGPASSWORD or ~/.pgpass, whose secret may belong to another server.
    password: () => secret?.reveal() ?? '',
    ssl: tlsOptions(target),
    stream: () => createWire(target).socket,
    application_name: limits.applicationName,
    connectionTimeoutMillis: limits.connectTimeoutMs,
    query_timeout: limits.statementTimeoutMs + graceMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  };
}

function tlsOptions({ tls, tlsFiles }: ConnectionTarget): ClientConfig['ssl'] {
  if (tls === 'off') return false;
  const { ca, cert, key } = tlsFiles;
  return {
    rejectUnauthorized: tls === 'verify',
    // `system` is libpq's word for the certificate authorities of this machine.
    ...(ca !== null && ca !== 'system' && { ca: readCertificate(ca) }),
    ...(cert !== null && { cert: readCertificate(cert) }),
    ...(key !== null && { key: readCertificate(key) }),
  };
}
