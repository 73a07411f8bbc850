import type { ConnectionTarget } from '../database/target.ts';

/** What templates write where a password belongs, and references that another program would resolve. */
const passwordStandIns: readonly RegExp[] = [
  /\$[{(]/,
  /^<.*>$/s,
  /^\[.*\]$/s,
  /^\{\{?.*\}\}?$/s,
  /^%.*%$/s,
  /^(?:your|my)[-_ ]?(?:db|database|postgres)?[-_ ]?pass(?:word)?$/i,
  /^[*x]+$/i,
  /^(?:encrypted|vault|op|secret|aws|gcp|azure)[:/]/i,
];

/** Whether a text stands where a password goes, and is none. */
export function isPasswordStandIn(text: string): boolean {
  return text.length > 1_024 || passwordStandIns.some((each) => each.test(text));
}

/** Whether host, database and user are names, and not holes of a template that nobody filled in. */
export function isWholeTarget({ host, database, user }: ConnectionTarget): boolean {
  return (
    isHost(host) &&
    [database, user].every((name) => name.length <= 256 && !/\$[{(\w]|[<>{}\p{Cc}]/u.test(name))
  );
}

function isHost(host: string): boolean {
  if (host.startsWith('/')) return host.length <= 256 && !/[${}<>\p{Cc}]/u.test(host);
  return (
    host.length <= 256 &&
    /^[\p{L}\p{N}._:-]+$/u.test(host) &&
    !/^(?:your[-_]?)?(?:host|hostname)$/i.test(host)
  );
}
