import { window } from 'vscode';
import { toConnectionString } from '../../connections/connection-string.ts';
import type { Secret } from '../../database/secret.ts';
import {
  describeTarget,
  withTls,
  type ConnectionTarget,
  type TlsChoice,
} from '../../database/target.ts';
import { askForName, askForPassword, readTarget, validateTarget } from './ask-for-target.ts';
import { plainMessage } from './plain-labels.ts';
import { connectionKey, type SavedConnections } from './saved-connections.ts';
import type { SavedConnection } from './saved-state.ts';

export interface EditedConnection {
  readonly connection: SavedConnection;
  readonly secret: Secret | null;
}

/**
 * Asks for name, address, protection and password, each as it is now. The address is shown, so that its password is not in it;
 * another host, port, database or user asks for the password again. Undefined when the user gave up.
 */
export async function editConnection(
  old: SavedConnection,
  saved: Pick<SavedConnections, 'secretOf'>,
): Promise<EditedConnection | undefined> {
  const title = (step: number): string => `Edit ${plainMessage(old.name)} (${step}/4)`;
  const name = await askForName(old.name, title(1));
  if (name === undefined) return undefined;
  const text = await window.showInputBox({
    title: title(2),
    prompt: 'The address without the password, which is the last step.',
    value: toConnectionString(old.target),
    ignoreFocusOut: true,
    validateInput: validateTarget,
  });
  const typed = text === undefined ? undefined : readTarget(text);
  if (typed === undefined) return undefined;
  const target = await askForTls(title(3), typed.target, old.target);
  if (target === undefined) return undefined;
  const secret = typed.secret ?? (await askForOtherPassword(title(4), target, old.target, saved));
  return secret === undefined ? undefined : { connection: { name, target }, secret };
}

/** The saved one stays when nothing is typed, for the same place only. */
async function askForOtherPassword(
  title: string,
  target: ConnectionTarget,
  old: ConnectionTarget,
  saved: Pick<SavedConnections, 'secretOf'>,
): Promise<Secret | null | undefined> {
  const isSamePlace = connectionKey(target) === connectionKey(old);
  const place = plainMessage(describeTarget(target));
  const typed = await askForPassword(
    title,
    isSamePlace
      ? `Leave empty to keep the password of ${place}.`
      : `The password of ${place}; the one of ${plainMessage(describeTarget(old))} is not sent there. Leave empty if there is none.`,
  );
  return typed === null && isSamePlace ? saved.secretOf(old) : typed;
}

interface TlsItem {
  readonly label: string;
  readonly description: string;
  readonly choice: TlsChoice | 'default';
}

/** The choice in force comes first; that of the connection string counts for more than the one of before. */
async function askForTls(
  title: string,
  typed: ConnectionTarget,
  old: ConnectionTarget,
): Promise<ConnectionTarget | undefined> {
  if (typed.host.startsWith('/')) return typed;
  const { tls, tlsChosenBy } = typed.tlsChosenBy === 'default' ? old : typed;
  const now = tlsChosenBy === 'default' ? 'default' : tls;
  const items: readonly TlsItem[] = [
    {
      label: 'Default for this host',
      description:
        withTls(typed, 'default').tls === 'off'
          ? 'no TLS on this machine'
          : 'TLS, certificate verified',
      choice: 'default',
    },
    {
      label: 'Verify the certificate',
      description: 'TLS, and the certificate must match the server',
      choice: 'verify',
    },
    {
      label: 'Encrypt without verifying the certificate',
      description: 'does not protect against impersonation of the server',
      choice: 'no-verify',
    },
    {
      label: 'Connect without TLS',
      description: 'traffic can be read on the network',
      choice: 'off',
    },
  ];
  const sorted = [
    ...items.filter(({ choice }) => choice === now),
    ...items.filter(({ choice }) => choice !== now),
  ];
  const picked = await window.showQuickPick(sorted, {
    title,
    placeHolder: 'TLS mode',
    ignoreFocusOut: true,
  });
  return picked && withTls(typed, picked.choice);
}
