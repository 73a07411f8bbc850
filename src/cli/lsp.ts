import type { Command } from 'commander';
import type { CliIo } from './cli-io.ts';
import { declare } from './command-list.ts';
import { exitCodes } from './exit-code.ts';

/** Adds `lsp`: the language server on standard input and output. The process ends when the editor closes one of them, and when it is asked to end. */
export function addLspCommand(program: Command, { signal }: Pick<CliIo, 'signal'>): void {
  declare(program, 'lsp')
    .option('--stdio', 'the only transport; many editors pass it')
    .action(async () => {
      // Standard input stays open, so nothing else would end the process.
      signal.addEventListener('abort', () => process.exit(exitCodes.fine), { once: true });
      const { serveStdio } = await import('../server/engine.ts');
      serveStdio();
    });
}
