// The language server as a process: started with --node-ipc by VS Code, with --stdio by other editors. It is its own thread that lints, too.
import { isMainThread } from 'node:worker_threads';
import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { poolguard } from '../lint/poolguard.ts';
import { serveLintThread } from '../lint/serve-lint-thread.ts';
import { createNodeHost } from './node-host.ts';
import { startServer } from './server.ts';

if (isMainThread) serve();
else serveLintThread(poolguard);

function serve(): void {
  // An editor that reads no more has gone, even where it left our input open.
  process.stdout.on('error', () => process.exit());
  const connection = createConnection(ProposedFeatures.all);
  startServer(
    connection,
    poolguard,
    createNodeHost({
      bundles: __dirname,
      log: (sentence) => {
        connection.console.warn(sentence);
      },
    }),
  );
}
