import { Secret } from '../database/secret.ts';
import {
  type ConnectionTarget,
  defined,
  targetFromParameters,
  type TargetParameters,
} from '../database/target.ts';

/** What one entry of a file says: a variable, a service, a line. */
export interface NamedTarget {
  /** The variable, service or section. */
  readonly name: string;
  readonly target: ConnectionTarget;
  /** Null when the file names none, or only a stand-in for one. */
  readonly secret: Secret | null;
  /** A pooler listens there, not the server. */
  readonly isPooler?: boolean;
}

/** Null for a password that is none. */
export function toSecret(password: string | undefined): Secret | null {
  return password === undefined || password === '' || isPasswordStandIn(password)
    ? null
    : new Secret(password);
}

/** The target that parameters give when it is whole; nothing is asked of any environment but the user's name. */
export function readTargetOf(
  name: string,
  parameters: TargetParameters,
  osUser?: string,
): readonly NamedTarget[] {
  const { password, ...rest } = defined(parameters);
  const read = targetFromParameters({ ...(osUser !== undefined && { user: osUser }), ...rest });
  return read.kind === 'target' && isWholeTarget(read.target)
    ? [{ name, target: read.target, secret: toSecret(password) }]
    : [];
}

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
function isPasswordStandIn(text: string): boolean {
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
