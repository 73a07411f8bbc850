import { workspace } from 'vscode';
import type { BaseLanguageClient, LanguageClientOptions } from 'vscode-languageclient';

/** The editor's end of the talk with the language server, wherever that one runs. */
export type LanguageClient = BaseLanguageClient;

/** Makes a client whose server is not started yet: a process on the desktop, a web worker in a browser. */
export type CreateLanguageClient = (
  id: string,
  name: string,
  options: LanguageClientOptions,
) => LanguageClient;

export const languages = ['javascript', 'javascriptreact', 'typescript', 'typescriptreact'];

/** Where documents may come from; those of `git:` and similar ones are old versions of others. */
export function documentSelector(): { readonly language: string; readonly scheme: string }[] {
  const schemes = new Set([
    'file',
    'untitled',
    'vscode-vfs',
    ...(workspace.workspaceFolders ?? []).map(({ uri }) => uri.scheme),
  ]);
  return languages.flatMap((language) => [...schemes].map((scheme) => ({ language, scheme })));
}
