import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { ask, startKeeper } from './keeper.ts';

export interface EmbeddedServer {
  readonly host: string;
  readonly port: number;
  /** The folder with the server's files; gone after `stop`. */
  readonly directory: string;
  /** What the server writes to its log, when `keepsLog` asked for it. */
  readonly logPath: string;
  /** The superuser's connection string for one database of this server. */
  url(database?: string): string;
  /** Ends every session and the server; its data stay, for `startAgain` on the same port. */
  halt(): Promise<void>;
  startAgain(): Promise<void>;
  /** Stops the server and removes its folder. Safe to call twice. */
  stop(): Promise<void>;
}

export interface EmbeddedServerOptions {
  /** `max_connections` of the server. */
  readonly maxConnections?: number;
  /** Further `-c name=value` settings. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Folder with `initdb` and `postgres` of another installation than the one that npm brings. */
  readonly programs?: string;
  /** Writes the server's log to `logPath`; else only its last words are kept. */
  readonly keepsLog?: boolean;
  /** Keeps its data in memory, where the system has room for files there. */
  readonly inMemory?: boolean;
}

interface KeeperStart {
  readonly port: number;
  readonly password: string;
  readonly flags: readonly string[];
  readonly programs?: string;
  readonly keepsLog: boolean;
  readonly inMemory: boolean;
}

type KeeperOrder = KeeperStart | 'halt' | 'start';
type KeeperMessage =
  | { readonly kind: 'ready'; readonly directory: string }
  | { readonly kind: 'failed'; readonly reason: string };

/**
 * Starts a throw-away PostgreSQL, 18 unless other programs are named, on a free port, in a folder below the system's temporary one.
 * A keeper process of its own holds it, and stops it when this process ends in whatever way.
 */
export async function startEmbeddedServer({
  maxConnections = 100,
  settings = {},
  programs,
  keepsLog = false,
  inMemory = false,
}: EmbeddedServerOptions = {}): Promise<EmbeddedServer> {
  const port = await findFreePort();
  const password = randomBytes(16).toString('hex');
  // The path holds from scripts/ and from dist/, where `npm start` runs this code bundled.
  const keeper = startKeeper(new URL('../scripts/server-keeper.mjs', import.meta.url));
  const order = async (what: KeeperOrder) => {
    const answer = await ask<KeeperMessage>(keeper, what);
    if (typeof answer === 'object' && answer.kind === 'ready') return answer;
    await keeper.ended;
    throw new Error(
      `The embedded PostgreSQL did not start: ${typeof answer === 'object' ? answer.reason : answer}`,
    );
  };
  const flags = serverFlags(maxConnections, settings);
  const { directory } = await order({
    port,
    password,
    flags,
    keepsLog,
    inMemory,
    ...(programs !== undefined && { programs }),
  });
  return {
    host: '127.0.0.1',
    port,
    directory,
    logPath: join(directory, 'server.log'),
    url: (database = 'postgres') => `postgres://postgres:${password}@127.0.0.1:${port}/${database}`,
    halt: async () => void (await order('halt')),
    startAgain: async () => void (await order('start')),
    stop: () => keeper.stop(),
  };
}

function serverFlags(
  maxConnections: number,
  settings: Readonly<Record<string, string>>,
): readonly string[] {
  return Object.entries({
    max_connections: String(maxConnections),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    // A throw-away server need not survive a power cut, and so starts and writes faster.
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    ...settings,
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** Below the ports that Linux and macOS give to connections (ip(7), `ip_local_port_range`), so that none of these takes it meanwhile. */
const servers = { first: 20_000, last: 32_000 };

/** A TCP port of the loopback interface that was free a moment ago. */
export async function findFreePort(): Promise<number> {
  const port = randomInt(servers.first, servers.last);
  const probe = createServer().listen(port, '127.0.0.1');
  try {
    await once(probe, 'listening');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
      return findFreePort();
    throw error;
  }
  probe.close();
  await once(probe, 'close');
  return port;
}
