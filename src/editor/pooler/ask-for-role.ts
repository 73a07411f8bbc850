import { window } from 'vscode';
import { Secret } from '../../database/secret.ts';
import { describePlace, type ConnectionTarget } from '../../database/target.ts';
import { plainMessage } from '../connections/plain-labels.ts';

export interface AskedRole {
  /** Empty for the connection's own. */
  readonly user: string;
  readonly password: Secret | null;
}

/** Asks who shall look into the pooler's console. Undefined when the user gave up. */
export async function askForRole(
  target: ConnectionTarget,
  current: string | undefined,
): Promise<AskedRole | undefined> {
  const title = plainMessage(`The pooler's console at ${describePlace(target)}`);
  const own = plainMessage(target.user);
  const user = await window.showInputBox({
    title,
    prompt: `A role in stats_users or admin_users of pgbouncer.ini. Empty for the connection's own, ${own}.`,
    value: current ?? '',
    placeHolder: own,
    ignoreFocusOut: true,
  });
  if (user === undefined) return undefined;
  if (user === '') return { user, password: null };
  const password = await window.showInputBox({
    title,
    prompt: `Password of ${plainMessage(user)}. It goes to the secret storage of your editor, and to this pooler only.`,
    password: true,
    ignoreFocusOut: true,
  });
  return password === undefined
    ? undefined
    : { user, password: password === '' ? null : new Secret(password) };
}
