import pg, { type ClientConfig } from 'pg';
import { readOrdinary } from '../../rules/project/ordinary-file.ts';
import { toDatabaseFailure } from './failure.ts';
import { isPrivateHost } from './private-host.ts';
import { createGate, type Gate } from './protocol/gate.ts';
import type { Secret } from './secret.ts';
import { directAnswerMs, type SessionLimits } from './session-limits.ts';
import { type Startup, toStartupOptions } from './startup.ts';
import type { ConnectionTarget } from './target.ts';
import { createWire } from './wire.ts';

/** What a client logs in with. */
export interface Access {
  readonly target: ConnectionTarget;
  readonly secret: Secret | null;
  readonly limits: SessionLimits;
  readonly startup: Startup;
}

interface GatedClient {
  readonly client: pg.Client;
  readonly gate: Gate;
}

/** A client that is not connected yet, and the gate that holds its server to the protocol. */
export function createClient(access: Access, change: ClientConfig = {}): GatedClient {
  const client = new pg.Client({ ...toConfig(access), ...change });
  return { client, gate: holdToProtocol(client, access) };
}

/** A pool of such clients. */
export function createPool(access: Access, change: pg.PoolConfig): pg.Pool {
  class PooledClient extends pg.Client {
    constructor(config?: ClientConfig) {
      super(config);
      holdToProtocol(this, access);
    }
  }
  return new pg.Pool({ ...toConfig(access), ...change, Client: PooledClient });
}

function holdToProtocol(client: pg.Client, { target, secret, limits }: Access): Gate {
  const { mostAnswerBytes, onBreach } = limits;
  client.connection.on('error', (error: unknown) => {
    const { kind, sentence } = toDatabaseFailure(error, { target, secret, during: 'work' });
    if (kind === 'breach') onBreach?.(sentence);
  });
  // Whoever is in between could ask for the password as well.
  const mayAskInClear = target.tls !== 'off' || isPrivateHost(target.host);
  return createGate(client, { mostAnswerBytes, mayAskInClear });
}

const politeCloseMs = 1_000;

/** Ends politely, and drops the socket where that fails or takes longer than a second. Never rejects. */
export async function endClient(client: pg.Client): Promise<void> {
  const drop = () => void client.connection.stream.destroy();
  const late = setTimeout(drop, politeCloseMs);
  await client.end().catch(drop);
  clearTimeout(late);
}

/**
 * What `pg.Client` takes, with the guards in `options` as far as `startup` has them.
 * Reads the certificate files of the target, and throws an error with a code when one cannot be read.
 */
function toConfig({ target, secret, limits, startup }: Access): ClientConfig {
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
