import { join } from 'node:path';
import type { ExtensionContext } from 'vscode';
import { LanguageClient, TransportKind } from 'vscode-languageclient/node';
import type { CreateLanguageClient } from './language-client.ts';

/** Clients of the server as a process of its own, `dist/server.cjs`. */
export function serverProcess({
  asAbsolutePath,
  globalStorageUri,
}: Pick<ExtensionContext, 'asAbsolutePath' | 'globalStorageUri'>): CreateLanguageClient {
  // From Node 22.1 on the compiled bundle is kept there, which takes a quarter off the next start; older ones do not know the variable.
  const env = { ...process.env, NODE_COMPILE_CACHE: join(globalStorageUri.fsPath, 'compiled') };
  const run = {
    module: asAbsolutePath('dist/server.cjs'),
    transport: TransportKind.ipc,
    options: { env },
  };
  return (id, name, options) =>
    new LanguageClient(
      id,
      name,
      { run, debug: { ...run, options: { env, execArgv: ['--nolazy', '--inspect=0'] } } },
      options,
    );
}
