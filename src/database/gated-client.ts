import pg, { type ClientConfig } from 'pg';
import { toClientConfig } from './client-config.ts';
import { toDatabaseFailure } from './failure.ts';
import { isPrivateHost } from './private-host.ts';
import { createGate, type Gate } from './protocol/gate.ts';
import type { Secret } from './secret.ts';
import type { SessionLimits } from './session-limits.ts';
import type { Startup } from './startup.ts';
import type { ConnectionTarget } from './target.ts';

interface Access {
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

function toConfig({ target, secret, limits, startup }: Access): ClientConfig {
  return toClientConfig(target, secret, limits, startup);
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
