import { toPlainText } from '../activity/plain-text.ts';
import type { ConnectionTarget } from './target.ts';

export function user({ user: name }: ConnectionTarget): string {
  return `user ${quoted(name)}`;
}

export function quoted(name: string): string {
  return `"${toPlainText(name)}"`;
}

const whoChose: Readonly<Record<ConnectionTarget['tlsChosenBy'], string>> = {
  default: 'Poolguard asks for it on every host but this machine',
  'connection string': 'the connection string asks for it',
  user: 'that is what you chose for this connection',
};

export function whoWantsTls({ tlsChosenBy }: ConnectionTarget): string {
  return whoChose[tlsChosenBy];
}

/** Of the first number in a text, which counts bytes. */
export function toMegabytes(message: string): number {
  return Math.round(Number(/\d+/.exec(message)?.[0] ?? 0) / 1e6);
}
