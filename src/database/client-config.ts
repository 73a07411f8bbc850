import type { ClientConfig } from 'pg';
import { readCertificate } from './certificate-file.ts';
import type { Secret } from './secret.ts';
import { directAnswerMs, type SessionLimits } from './session-limits.ts';
import { toStartupOptions, type Startup } from './startup.ts';
import type { ConnectionTarget } from './target.ts';
import { createWire } from './wire.ts';

/**
 * What `pg.Client` takes, with the guards in `options` as far as `startup` has them.
 * Reads the certificate files of the target, and throws an error with a code when one cannot be read.
 */
export function toClientConfig(
  target: ConnectionTarget,
  secret: Secret | null,
  limits: SessionLimits,
  startup: Startup,
): ClientConfig {
  const options = toStartupOptions(startup, limits);
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
    ...(options !== undefined && { options }),
    connectionTimeoutMillis: limits.connectTimeoutMs,
    query_timeout: directAnswerMs(limits),
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
