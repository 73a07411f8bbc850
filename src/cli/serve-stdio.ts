import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import type { Plugin } from '../lint/plugin.ts';
import { createNodeHost } from '../server/node-host.ts';
import { startServer } from '../server/server.ts';

/** The language server on standard input and output, with the bundles that lie beside this one. */
export function serveStdio(plugin: Plugin): void {
  const connection = createConnection(ProposedFeatures.all, process.stdin, process.stdout);
  startServer(
    connection,
    plugin,
    createNodeHost({
      bundles: import.meta.dirname,
      log: (sentence) => {
        connection.console.warn(sentence);
      },
    }),
  );
}
