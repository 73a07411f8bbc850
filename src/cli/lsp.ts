import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import type { Plugin } from '../lint/plugin.ts';
import { createNodeHost } from '../server/node-host.ts';
import { startServer } from '../server/server.ts';

/** It lies beside this program's own bundle. */
const serverBundle = fileURLToPath(new URL('server.cjs', import.meta.url));

/** Adds `lsp`: the language server on standard input and output. The process ends when the editor closes them. */
export function addLspCommand(program: Command, plugin: Plugin): void {
  program
    .command('lsp')
    .description('run the language server on standard input and output, for editors other than VS Code')
    .option('--stdio', 'the only transport; many editors pass it')
    .action(() => {
      startServer(createConnection(ProposedFeatures.all, process.stdin, process.stdout), plugin, createNodeHost(serverBundle));
    });
}
