import type { ExtensionContext, LogOutputChannel } from 'vscode';
import { workspace } from 'vscode';
import type { LanguageClientOptions, Middleware, ServerOptions } from 'vscode-languageclient/node';
import { LanguageClient, RevealOutputChannelOn, TransportKind } from 'vscode-languageclient/node';
import type { HostFacts } from '../../server/protocol.ts';
import { createRestartPolicy } from './restart-policy.ts';

export const languages = ['javascript', 'javascriptreact', 'typescript', 'typescriptreact'];

/** Where documents may come from; those of `git:` and its kin are old versions of others. */
export function documentSelector(): { readonly language: string; readonly scheme: string }[] {
  const schemes = new Set(['file', 'untitled', ...(workspace.workspaceFolders ?? []).map(({ uri }) => uri.scheme)]);
  return languages.flatMap((language) => [...schemes].map((scheme) => ({ language, scheme })));
}

/** Files whose change on disk can change what is true in an open one. */
const sources = '**/*.{js,jsx,mjs,cjs,ts,tsx,mts,cts,json}';

/** The server as a process of its own, `dist/server.cjs`; it is not started yet. */
export function createLanguageClient(context: ExtensionContext, channel: LogOutputChannel, facts: () => HostFacts, middleware: Middleware): LanguageClient {
  const fileEvents = workspace.createFileSystemWatcher(sources);
  context.subscriptions.push(fileEvents);
  const options: LanguageClientOptions = {
    documentSelector: documentSelector(),
    diagnosticCollectionName: 'poolguard',
    diagnosticPullOptions: { onChange: true, onTabs: true },
    initializationOptions: facts,
    outputChannel: channel,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    errorHandler: createRestartPolicy(channel),
    synchronize: { fileEvents },
    middleware,
  };
  return new LanguageClient('poolguard', 'Poolguard', serverOptions(context), options);
}

function serverOptions(context: ExtensionContext): ServerOptions {
  const module = context.asAbsolutePath('dist/server.cjs');
  const run = { module, transport: TransportKind.ipc };
  return { run, debug: { ...run, options: { execArgv: ['--nolazy', '--inspect=0'] } } };
}
