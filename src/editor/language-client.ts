import type { ExtensionContext } from 'vscode';
import { Disposable, window, workspace } from 'vscode';
import type { LanguageClientOptions, ServerOptions } from 'vscode-languageclient/node';
import { LanguageClient, RevealOutputChannelOn, TransportKind } from 'vscode-languageclient/node';
import { createStepAside } from './step-aside.ts';

const languages = ['javascript', 'javascriptreact', 'typescript', 'typescriptreact'];

/** Files whose change on disk can change what is true in an open one. */
const sources = '**/*.{js,jsx,mjs,cjs,ts,tsx,mts,cts,json}';

/**
 * Runs `dist/server.cjs` in a process of its own and shows what it finds.
 * A server that dies is started again, up to five times in three minutes (the client's own policy, told in the output channel).
 * @returns what stops the server and removes its diagnostics
 */
export async function startLanguageClient(context: ExtensionContext): Promise<Disposable> {
  const channel = window.createOutputChannel('Poolguard', { log: true });
  const watcher = workspace.createFileSystemWatcher(sources);
  const stepAside = createStepAside();
  const options = { ...clientOptions(channel, watcher), middleware: { provideDiagnostics: stepAside.provideDiagnostics } };
  const client = new LanguageClient('poolguard', 'Poolguard', serverOptions(context), options);
  try {
    await client.start();
  } catch (failure) {
    channel.error(failure instanceof Error ? failure : String(failure));
    void window.showErrorMessage('Poolguard could not start its language server, so files are not checked. The Poolguard output channel says why.');
  }
  return Disposable.from(stepAside.watch(client), { dispose: () => void client.dispose() }, watcher, channel);
}

function serverOptions(context: ExtensionContext): ServerOptions {
  const module = context.asAbsolutePath('dist/server.cjs');
  const run = { module, transport: TransportKind.ipc };
  return { run, debug: { ...run, options: { execArgv: ['--nolazy', '--inspect=0'] } } };
}

function clientOptions(outputChannel: NonNullable<LanguageClientOptions['outputChannel']>, fileEvents: NonNullable<NonNullable<LanguageClientOptions['synchronize']>['fileEvents']>): LanguageClientOptions {
  const schemes = ['file', 'untitled'];
  return {
    documentSelector: languages.flatMap((language) => schemes.map((scheme) => ({ language, scheme }))),
    diagnosticCollectionName: 'poolguard',
    diagnosticPullOptions: { onChange: true, onTabs: true },
    outputChannel,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    connectionOptions: { maxRestartCount: 5 },
    synchronize: { fileEvents },
  };
}
