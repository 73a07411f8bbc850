import { window } from 'vscode';
import { parseTarget } from '../../database/target.ts';
import type { OpenConnection } from '../activity/live-activity.ts';

/** Asks for a connection string, hidden while it is typed since it holds a password. Undefined when the user gave up. */
export async function askForTarget(): Promise<OpenConnection | undefined> {
  const text = await window.showInputBox({
    title: 'Connect to a PostgreSQL database',
    prompt: 'Typed once; the password goes to the secret storage of your editor. Use a development database.',
    placeHolder: 'postgres://user:password@localhost:5432/database',
    password: true,
    ignoreFocusOut: true,
    validateInput: (typed) => {
      if (typed === '') return undefined;
      const parsed = parseTarget(typed);
      return parsed.kind === 'problem' ? parsed.sentence : undefined;
    },
  });
  if (!text) return undefined;
  const parsed = parseTarget(text);
  return parsed.kind === 'target' ? parsed : undefined;
}
