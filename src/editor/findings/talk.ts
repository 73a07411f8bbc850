import type { CancellationToken } from 'vscode';
import type { Message, Question } from '../../server/protocol.ts';
import type { LanguageClient } from './language-client.ts';

/** Asks the language server; undefined while it is not running. */
export async function ask<Asked, Answer>(client: LanguageClient, { method }: Question<Asked, Answer>, asked: Asked, token?: CancellationToken): Promise<Answer | undefined> {
  return client.isRunning() ? client.sendRequest<Answer>(method, asked, token) : undefined;
}

/** Tells the language server; one that is not running learns it when it starts. */
export async function tell<Told>(client: LanguageClient, { method }: Message<Told>, told: Told): Promise<void> {
  if (client.isRunning()) await client.sendNotification(method, told);
}
