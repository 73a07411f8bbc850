// Owns one throw-away PostgreSQL and outlives the process that asked for it: when that process ends, even by SIGKILL,
// the channel closes, and this one stops the server and removes its folder. Started by embedded-server.ts, never by hand.
// The password travels over the channel, so that it shows in no process list.
import { createWriteStream } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { findNpmPrograms } from './npm-postgres.mjs';
import { placePrograms } from './place-programs.mjs';
import { createPostgres } from './postgres-programs.mjs';
import { findMemoryFolder, findServerUser, findTemporaryFolder } from './server-user.mjs';

async function startServer(order) {
  const user = await findServerUser();
  const directory = await makeDirectory(await findTemporaryFolder(user), user);
  const memory = order.inMemory ? await findMemoryFolder(user) : undefined;
  const dataParent = memory === undefined ? directory : await makeDirectory(memory, user);
  const file = order.keepsLog ? createWriteStream(join(directory, 'server.log')) : undefined;
  let server;
  const stop = async () => {
    await server?.stop();
    file?.destroy();
    for (const folder of new Set([dataParent, directory]))
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const programs = await placePrograms(
      order.programs ?? findNpmPrograms(),
      user,
      join(directory, 'programs'),
    );
    server = createPostgres({
      ...order,
      programs,
      directory,
      data: join(dataParent, 'data'),
      user,
      remember: (text) => file?.write(text),
    });
    await server.initialise();
    await server.start();
  } catch (error) {
    await stop();
    throw error;
  }
  return { directory, stop, halt: () => server.stop(), start: () => server.start() };
}

async function makeDirectory(parent, user) {
  const directory = await mkdtemp(join(parent, 'poolguard-pg-')).catch((cause) => {
    throw new Error(`the temporary folder takes no files: ${cause.message}.`, { cause });
  });
  // The server's user must be able to enter it, whatever the umask is.
  if (user !== undefined) await chmod(directory, 0o755);
  return directory;
}

// Ctrl-C reaches every process of the terminal; the owner decides when the server ends.
process.on('SIGINT', () => {});
// Nobody reads any more once the owner has ended.
process.stderr.on('error', () => {});

let running;
const answer = (work) =>
  work.then(
    ({ directory } = {}) => process.connected && process.send({ kind: 'ready', directory }),
    (error) =>
      process.connected &&
      process.send({ kind: 'failed', reason: error.message }, () => process.disconnect()),
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
