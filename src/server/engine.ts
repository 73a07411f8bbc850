import { createConnection, ProposedFeatures, type Connection } from 'vscode-languageserver/node';
import { createFileCheck, type CheckSettings, type FileCheck } from '../lint/check-file.ts';
import { createCodeReader as createReader, type CodeReader } from '../lint/code-reader.ts';
import { poolguard } from '../lint/analyser.ts';
import { serveLintThread } from '../lint/serve-lint-thread.ts';
import { createNodeHost } from './node-host.ts';
import { startServer } from './server.ts';

// All that runs the rules: a bundle of its own, which the command line loads when a file has to be checked, and the language server as it starts.

export function createCheck(settings: CheckSettings): FileCheck {
  return createFileCheck(poolguard, settings);
}

export function createCodeReader(): CodeReader {
  return createReader(poolguard);
}

export function serveThread(): void {
  serveLintThread(poolguard);
}

/** The language server as the arguments of this process say: with --node-ipc for VS Code, with --stdio for other editors. */
export function serveProcess(): void {
  // An editor that reads no more has gone, even where it left our input open.
  process.stdout.on('error', () => process.exit());
  serve(createConnection(ProposedFeatures.all));
}

/** The language server on standard input and output, whatever the arguments are. */
export function serveStdio(): void {
  serve(createConnection(ProposedFeatures.all, process.stdin, process.stdout));
}

/** With the bundles that lie beside this one. */
function serve(connection: Connection): void {
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
