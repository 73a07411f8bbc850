import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

export interface EmbeddedServer {
  readonly host: string;
  readonly port: number;
  /** The folder with the server's files; gone after `stop`. */
  readonly directory: string;
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
}

type KeeperOrder =
  | {
      readonly port: number;
      readonly password: string;
      readonly flags: readonly string[];
      readonly programs?: string;
    }
  | 'halt'
  | 'start';
type KeeperMessage =
  | { readonly kind: 'ready'; readonly directory: string }
  | { readonly kind: 'failed'; readonly sentence: string };

/**
 * Starts a throw-away PostgreSQL, 18 unless other programs are named, on a free port, in a folder below the system's temporary one.
 * A keeper process of its own holds it, and stops it when this process ends in whatever way.
 */
export async function startEmbeddedServer({
  maxConnections = 100,
  settings = {},
  programs,
}: EmbeddedServerOptions = {}): Promise<EmbeddedServer> {
  const port = await findFreePort();
  const password = randomBytes(16).toString('hex');
  const keeper = startKeeper();
  const ended = once(keeper, 'exit');
  const ask = async (order: KeeperOrder) => {
    keeper.send(order);
    const answer = await Promise.race([nextMessage(keeper), ended.then(() => null)]);
    if (answer?.kind === 'ready') return answer;
    await ended;
    throw new Error(
      answer?.sentence ?? 'The embedded PostgreSQL did not start: its keeper process ended early.',
    );
  };
  const { directory } = await ask({
    port,
    password,
    flags: serverFlags(maxConnections, settings),
    ...(programs !== undefined && { programs }),
  });
  return {
    host: '127.0.0.1',
    port,
    directory,
    url: (database = 'postgres') => `postgres://postgres:${password}@127.0.0.1:${port}/${database}`,
    halt: async () => void (await ask('halt')),
    startAgain: async () => void (await ask('start')),
    stop: async () => {
      if (keeper.connected) keeper.disconnect();
      await ended;
    },
  };
}

function startKeeper(): ChildProcess {
  // The path holds from scripts/ and from dist/, where `npm start` runs this code bundled.
  const program = fileURLToPath(new URL('../scripts/server-keeper.mjs', import.meta.url));
  // A group of its own, so that Ctrl-C in the terminal leaves it time to clean up.
  return fork(program, { detached: true, stdio: 'ignore', execArgv: [] });
}

async function nextMessage(keeper: ChildProcess): Promise<KeeperMessage> {
  const [message] = (await once(keeper, 'message')) as [KeeperMessage];
  return message;
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
