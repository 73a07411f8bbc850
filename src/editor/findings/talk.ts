import type { CancellationToken } from 'vscode';
import type { Question } from '../../server/protocol.ts';
import type { LanguageServer } from './language-server.ts';

/** Asks the language server; undefined while it is not running. */
export async function ask<Asked, Answer>(
  { running }: LanguageServer,
  { method }: Question<Asked, Answer>,
  asked: Asked,
  token?: CancellationToken,
): Promise<Answer | undefined> {
  return running?.sendRequest<Answer>(method, asked, token);
}
