// Owns one PgBouncer and outlives the process that asked for it: when that process ends, even by SIGKILL,
// the channel closes, and this one stops PgBouncer and removes its folder. Started by pgbouncer.ts, never by hand.
// The settings travel over the channel, since they hold a password.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { findServerUser, findTemporaryFolder } from '../../scripts/server-user.mjs';
import { needTool } from '../../scripts/test-tools/find.mjs';

async function startPgBouncer({ settings, users, program = needTool('pgbouncer') }) {
  // PgBouncer refuses to run as root. It reads its file before it becomes the user.
  const user = await findServerUser();
  const directory = await mkdtemp(join(await findTemporaryFolder(user), 'poolguard-pgbouncer-'));
  const file = join(directory, 'pgbouncer.ini');
  await writeFile(
    file,
    users === undefined ? settings : `${settings}auth_file = ${join(directory, 'users.txt')}\n`,
    { mode: 0o600 },
  );
  // Read by the user that it becomes. The passwords are a test's, and open nothing but this pooler.
  if (users !== undefined) {
    await chmod(directory, 0o711);
    const list = join(directory, 'users.txt');
    await writeFile(
      list,
      Object.entries(users)
        .map(([name, password]) => `"${name}" "${password}"\n`)
        .join(''),
    );
    await chmod(list, 0o644);
  }
  const child = spawn(program, [...(user ? ['--user', user.name] : []), file], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise((resolve) => child.once('close', resolve).once('error', resolve));
  const stop = async () => {
    child.kill();
    await ended;
    await rm(directory, { recursive: true, force: true });
  };
  try {
    await Promise.race([
      isUp(child),
      once(child, 'error').then(([error]) => Promise.reject(error)),
    ]);
  } catch (cause) {
    await stop();
    throw cause;
  }
  return stop;
}

/** It says so on standard error, and goes on to write there. */
async function isUp(child) {
  let lastWords = 'it said nothing.';
  const lines = createInterface({ input: child.stderr });
  for await (const line of lines) {
    if (line.includes('process up')) return void child.stderr.resume();
    lastWords = line;
  }
  throw new Error(lastWords);
}

// Ctrl-C reaches every process of the terminal; the owner decides when PgBouncer ends.
process.on('SIGINT', () => {});
// Nobody reads any more once the owner has ended.
process.stderr.on('error', () => {});

let running;
process.once('message', (wish) => {
  running = startPgBouncer(wish);
  running.then(
    () => process.connected && process.send({ kind: 'ready' }),
    (error) =>
      process.connected &&
      process.send({ kind: 'failed', reason: error.message }, () => process.disconnect()),
  );
});
process.once('disconnect', async () => {
  const stop = await running?.catch(() => undefined);
  await stop?.();
  process.exit(0);
});
