import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { defaultCache } from '../../test/corpus/runner/command.ts';
import { runLedger } from './ledger-command.ts';
import { serveReader, startReader } from './reader-thread.ts';

if (isMainThread) await runCommand();
else serveReader();

async function runCommand(): Promise<void> {
  const stopper = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => stopper.abort());
  const bundle = new URL(import.meta.url);
  const cache = defaultCache(process.env);
  process.exitCode = await runLedger(process.argv.slice(2), {
    root: process.cwd(),
    // npm runs scripts in the root of the package, and says where the user was.
    cwd: process.env['INIT_CWD'] ?? process.cwd(),
    cache,
    stdout: process.stdout,
    stderr: process.stderr,
    code: createHash('sha256').update(readFileSync(bundle)).digest('hex'),
    startReader: () => startReader(bundle, join(cache, 'checkouts')),
    signal: stopper.signal,
  });
}
