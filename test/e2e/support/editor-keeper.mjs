// Runs one VS Code server and outlives the test process that asked for it: when the channel closes, even by SIGKILL of the
// tests, the server's whole process group ends (it forks its extension host) and the folder is removed. Started by editor.ts.
import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';

let folder;
let server;
let isEnding = false;

process.on('SIGINT', () => {});
process.once('message', (order) => {
  folder = order.folder;
  server = spawn(order.file, order.args, {
    cwd: folder,
    env: order.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let said = '';
  for (const stream of [server.stdout, server.stderr]) {
    stream.on('data', (chunk) => {
      said = `${said}${chunk}`.slice(-4000);
      if (said.includes('HTTP server listening') && process.connected)
        process.send({ kind: 'ready' });
    });
  }
  server.once(
    'error',
    (error) => process.connected && process.send({ kind: 'failed', sentence: error.message }),
  );
  server.once(
    'exit',
    () => !isEnding && process.connected && process.send({ kind: 'failed', sentence: said }),
  );
});
process.once('disconnect', async () => {
  isEnding = true;
  await endServer();
  if (folder !== undefined)
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  process.exit(0);
});

async function endServer() {
  if (server?.pid === undefined || server.exitCode !== null || server.signalCode !== null) return;
  const gone = new Promise((resolve) => server.once('exit', resolve));
  const giveUp = setTimeout(() => signalGroup('SIGKILL'), 5000);
  signalGroup('SIGTERM');
  await gone;
  clearTimeout(giveUp);
  // What the server left behind in its group.
  signalGroup('SIGKILL');
}

function signalGroup(signal) {
  try {
    process.kill(-server.pid, signal);
  } catch {
    // The group has gone.
  }
}
