import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { createFileCheck, type CheckSettings, type FileCheck } from '../lint/check-file.ts';
import { createCodeReader as createReader, type CodeReader } from '../lint/code-reader.ts';
import { poolguard } from '../lint/poolguard.ts';
import { serveLintThread } from '../lint/serve-lint-thread.ts';
import { createNodeHost } from '../server/node-host.ts';
import { startServer } from '../server/server.ts';

// All that runs the rules: a bundle of its own, which is loaded when a file has to be checked.

export function createCheck(settings: CheckSettings): FileCheck {
  return createFileCheck(poolguard, settings);
}

export function createCodeReader(cwd: string): CodeReader {
  return createReader(poolguard, cwd);
}

export function serveThread(): void {
  serveLintThread(poolguard);
}

/** The language server on standard input and output, with the bundles that lie beside this one. */
export function serveStdio(): void {
  const connection = createConnection(ProposedFeatures.all, process.stdin, process.stdout);
  startServer(
    connection,
    poolguard,
    createNodeHost({
      bundles: import.meta.dirname,
      log: (sentence) => {
        connection.console.warn(sentence);
      },
    }),
  );
}
