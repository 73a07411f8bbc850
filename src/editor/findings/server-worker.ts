import { Uri, type ExtensionContext } from 'vscode';
import { LanguageClient } from 'vscode-languageclient/browser';
import type { CreateLanguageClient } from './language-client.ts';

/** The worker of a browser, as far as it is used here; the types of Node do not know it. */
declare const Worker: new (address: string) => ConstructorParameters<typeof LanguageClient>[2];

/** Clients of the server as a web worker, `dist/server-web.js`. */
export function serverWorker({
  extensionUri,
}: Pick<ExtensionContext, 'extensionUri'>): CreateLanguageClient {
  return (id, name, options) =>
    new LanguageClient(
      id,
      name,
      new Worker(Uri.joinPath(extensionUri, 'dist/server-web.js').toString(true)),
      options,
    );
}
