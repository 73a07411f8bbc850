import type { Command } from 'commander';
import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import type { Plugin } from '../lint/plugin.ts';
import { createNodeHost } from '../server/node-host.ts';
import { startServer } from '../server/server.ts';

/** Adds `lsp`: the language server on standard input and output. The process ends when the editor closes them. */
export function addLspCommand(program: Command, plugin: Plugin): void {
  program
    .command('lsp')
    .description('run the language server on standard input and output, for editors other than VS Code')
    .option('--stdio', 'the only transport; many editors pass it')
    .action(() => {
      const connection = createConnection(ProposedFeatures.all, process.stdin, process.stdout);
      startServer(connection, plugin, createNodeHost({ bundles: import.meta.dirname, log: (sentence) => { connection.console.warn(sentence); } }));
    });
}
