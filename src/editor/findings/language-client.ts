import { workspace, type LogOutputChannel } from 'vscode';
import type { BaseLanguageClient, LanguageClientOptions, Middleware } from 'vscode-languageclient';
import { RevealOutputChannelOn } from 'vscode-languageclient';
import type { HostFacts } from '../../server/protocol.ts';
import { createRestartPolicy } from './restart-policy.ts';

/** The editor's end of the talk with the language server, wherever that one runs. */
export type LanguageClient = BaseLanguageClient;

/** Makes a client whose server is not started yet: a process on the desktop, a web worker in a browser. */
export type CreateLanguageClient = (id: string, name: string, options: LanguageClientOptions) => LanguageClient;

export const languages = ['javascript', 'javascriptreact', 'typescript', 'typescriptreact'];

/** Where documents may come from; those of `git:` and its kin are old versions of others. */
export function documentSelector(): { readonly language: string; readonly scheme: string }[] {
  const schemes = new Set(['file', 'untitled', 'vscode-vfs', ...(workspace.workspaceFolders ?? []).map(({ uri }) => uri.scheme)]);
  return languages.flatMap((language) => [...schemes].map((scheme) => ({ language, scheme })));
}

/** Files whose change on disk can change what is true in an open one. */
const sources = '**/*.{js,jsx,mjs,cjs,ts,tsx,mts,cts,json}';

/** What a client is, whether its server is a process or a worker. */
export function clientOptions(channel: LogOutputChannel, facts: () => HostFacts, middleware: Middleware): LanguageClientOptions {
  return {
    documentSelector: documentSelector(),
    diagnosticCollectionName: 'poolguard',
    diagnosticPullOptions: { onChange: true, onTabs: true },
    initializationOptions: facts,
    outputChannel: channel,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    errorHandler: createRestartPolicy(channel),
    synchronize: { fileEvents: workspace.createFileSystemWatcher(sources) },
    middleware,
  };
}
