import type { ExtensionContext } from 'vscode';
import { LanguageClient, TransportKind } from 'vscode-languageclient/node';
import type { CreateLanguageClient } from './language-client.ts';

/** Clients of the server as a process of its own, `dist/server.cjs`. */
export function serverProcess({ asAbsolutePath }: Pick<ExtensionContext, 'asAbsolutePath'>): CreateLanguageClient {
  const run = { module: asAbsolutePath('dist/server.cjs'), transport: TransportKind.ipc };
  return (id, name, options) => new LanguageClient(id, name, { run, debug: { ...run, options: { execArgv: ['--nolazy', '--inspect=0'] } } }, options);
}
