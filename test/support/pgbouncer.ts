import { findFreePort } from '../../scripts/embedded-server.ts';
import { ask, startKeeper } from '../../scripts/keeper.ts';

export interface PgBouncerOptions {
  /** The port to listen on, for one that comes back after a stop; a free one when not said. */
  readonly port?: number;
  /** Further lines of the section `[pgbouncer]`. */
  readonly settings?: Readonly<Record<string, string | number>>;
  /** Passwords by role, when those of this machine are not simply let in. */
  readonly users?: Readonly<Record<string, string>>;
  /** Each of `users` has backends of its own role, instead of those of the one role of the string. */
  readonly keepsRoles?: boolean;
  /** Another one than that of the system or of `npm run test-tools`. */
  readonly program?: string;
}

export interface PgBouncer extends AsyncDisposable {
  /** The given connection string with PgBouncer in the server's place. */
  readonly url: string;
}

type KeeperMessage =
  { readonly kind: 'ready' } | { readonly kind: 'failed'; readonly reason: string };

/** Starts a PgBouncer in transaction mode, on a free port, in front of the server that `url` names. It keeps `poolSize` backends at most. */
export async function startPgBouncer(
  url: string,
  poolSize: number,
  options: PgBouncerOptions = {},
): Promise<PgBouncer> {
  const port = options.port ?? (await findFreePort());
  // The path holds from test/support/ and from dist/, where a benchmark runs this code bundled.
  const keeper = startKeeper(
    new URL(
      isBundled() ? '../test/support/pgbouncer-keeper.mjs' : './pgbouncer-keeper.mjs',
      import.meta.url,
    ),
  );
  const answer = await ask<KeeperMessage>(keeper, {
    settings: settingsFor(new URL(url), port, poolSize, options),
    users: options.users,
    program: options.program,
  });
  if (typeof answer === 'string' || answer.kind !== 'ready') {
    await keeper.ended;
    throw new Error(
      `PgBouncer did not start: ${typeof answer === 'string' ? answer : answer.reason}`,
    );
  }
  const through = new URL(url);
  through.port = String(port);
  return {
    url: through.href,
    [Symbol.asyncDispose]: () => keeper.stop(),
  };
}

/** `auth_type = any` lets everybody of this machine in as the one user of the string, who can do nothing outside of a test's database. */
function settingsFor(
  { hostname, port: serverPort, username, password, pathname }: URL,
  port: number,
  poolSize: number,
  { settings = {}, users, keepsRoles = false }: PgBouncerOptions,
): string {
  return `[databases]
${pathname.slice(1)} = host=${hostname} port=${serverPort}${keepsRoles ? '' : ` user=${username} password=${password}`}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = ${users === undefined ? 'any' : 'scram-sha-256'}
pool_mode = transaction
default_pool_size = ${poolSize}
${Object.entries(settings)
  .map(([name, value]) => `${name} = ${value}\n`)
  .join('')}`;
}

function isBundled(): boolean {
  return !import.meta.url.endsWith('/pgbouncer.ts');
}
