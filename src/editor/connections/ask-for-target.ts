import { window } from 'vscode';
import { toPlainText } from '../../activity/plain-text.ts';
import { Secret } from '../../database/secret.ts';
import { parseTarget } from '../../database/target.ts';
import type { OpenConnection } from '../activity/live-connection.ts';

/** Asks for a connection string, hidden while it is typed since it holds a password. Undefined when the user gave up. */
export async function askForTarget(): Promise<OpenConnection | undefined> {
  const text = await window.showInputBox({
    title: 'Connect to a PostgreSQL database',
    prompt: "Use a development database. The password is kept in the editor's secret storage.",
    placeHolder: 'postgres://user:password@localhost:5432/database',
    password: true,
    ignoreFocusOut: true,
    validateInput: validateTarget,
  });
  return text === undefined ? undefined : readTarget(text);
}

/** The sentence that says what is wrong with it; it never repeats the text. */
export function validateTarget(typed: string): string | undefined {
  if (typed === '') return undefined;
  const parsed = parseTarget(typed);
  return parsed.kind === 'problem' ? parsed.sentence : undefined;
}

export function readTarget(text: string): OpenConnection | undefined {
  const parsed = text === '' ? undefined : parseTarget(text);
  return parsed?.kind === 'target' ? parsed : undefined;
}

/** What the connection is called in the tree. Undefined when the user gave up. */
export async function askForName(
  suggested: string,
  title = 'Name this connection',
): Promise<string | undefined> {
  const typed = await window.showInputBox({
    title,
    prompt: 'The name in the list of connections.',
    value: suggested,
    ignoreFocusOut: true,
    validateInput: (text) =>
      toPlainText(text).trim() === ''
        ? 'Enter a name.'
        : text.length > 80
          ? 'Use at most 80 characters.'
          : undefined,
  });
  return typed === undefined ? undefined : toPlainText(typed).trim();
}

/** Null for none, when nothing is typed. Undefined when the user gave up. */
export async function askForPassword(
  title: string,
  prompt: string,
): Promise<Secret | null | undefined> {
  const typed = await window.showInputBox({ title, prompt, password: true, ignoreFocusOut: true });
  return typed === undefined ? undefined : typed === '' ? null : new Secret(typed);
}
