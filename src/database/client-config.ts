import type { ClientConfig } from 'pg';
import { readOrdinary } from '../../rules/project/ordinary-file.ts';
import type { Secret } from './secret.ts';
import { directAnswerMs, type SessionLimits } from './session-limits.ts';
import { type Startup, toStartupOptions } from './startup.ts';
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

/** In bytes. The certificate authorities of a whole system have a quarter of it. */
const longestFile = 1024 * 1024;

/**
 * The text of a certificate file. A file of a workspace may have named it, so that it may be a pipe that nobody writes to or a device
 * without an end.
 * @throws An error with a code, Node's or `EFBIG` and `EINVAL` for what is too large or no file.
 */
function readCertificate(path: string): string {
  const read = readOrdinary(path, { longest: longestFile });
  if (read.kind === 'read') return read.bytes.toString('utf8');
  const { code } = read;
  throw Object.assign(new Error(`${code}: it cannot be read, open '${path}'`), { code });
}
