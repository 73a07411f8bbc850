import { toShortText } from './plain-text.ts';
import type { ConnectionLimitRow } from './server-rows.ts';
import type { ConnectionLimit, Headroom, RoleHeadroom, Session, SessionState } from './snapshot.ts';

/** What a server gives away, and to whom. */
export interface ServerLimits extends Pick<
  Headroom,
  'maxConnections' | 'superuserReserved' | 'reserved'
> {
  readonly limits?: readonly ConnectionLimitRow[];
  readonly isSuperuser?: boolean;
  /** May use `reserved_connections`. */
  readonly usesReserve?: boolean;
}

/** Splits the sessions and subtracts them from what ordinary roles may open. */
export function toHeadroom(
  {
    maxConnections,
    superuserReserved,
    reserved,
    limits = [],
    isSuperuser = false,
    usesReserve = false,
  }: ServerLimits,
  sessions: readonly Session[],
): Headroom {
  const usable = Math.max(0, maxConnections - superuserReserved - reserved);
  const counted = limits
    .map((row) => toLimit(row, sessions))
    .filter(({ isOwn, used }) => isOwn || used > 0);
  const freeOnServer =
    maxConnections -
    sessions.length -
    (isSuperuser ? 0 : superuserReserved + (usesReserve ? 0 : reserved));
  return {
    maxConnections,
    superuserReserved,
    reserved,
    usable,
    used: sessions.length,
    free: Math.max(0, usable - sessions.length),
    split: toSplit(sessions),
    limits: counted,
    forRole: toRoleHeadroom(Math.max(0, freeOnServer), counted, isSuperuser),
  };
}

export function toSplit(sessions: readonly Session[]): Headroom['split'] {
  const split = {
    active: 0,
    waiting: 0,
    idle: 0,
    idleInTransaction: 0,
    aborted: 0,
    hidden: 0,
    other: 0,
    own: 0,
  };
  for (const session of sessions) split[partOf(session)] += 1;
  return split;
}

const parts: Readonly<Record<SessionState, keyof Headroom['split']>> = {
  active: 'active',
  idle: 'idle',
  'idle in transaction': 'idleInTransaction',
  'idle in transaction (aborted)': 'aborted',
  'fastpath function call': 'other',
  disabled: 'other',
  starting: 'other',
  hidden: 'hidden',
};

/** Which part of the headroom's split a session belongs to. */
export function partOf({
  state,
  isWaiting,
  isOwn,
}: Pick<Session, 'state' | 'isWaiting' | 'isOwn'>): keyof Headroom['split'] {
  if (isOwn) return 'own';
  return state === 'active' && isWaiting ? 'waiting' : parts[state];
}

export function isSessionState(state: string): state is SessionState {
  return Object.hasOwn(parts, state);
}

function toLimit(
  { scope, name, limit, isOwn }: ConnectionLimitRow,
  sessions: readonly Session[],
): ConnectionLimit {
  const used = sessions.filter(
    (session) => session[scope === 'role' ? 'user' : 'database'] === name,
  ).length;
  return {
    scope,
    name,
    limit,
    used,
    free: limit === null ? null : Math.max(0, limit - used),
    isOwn,
  };
}

/** What leaves the least room; where several leave the same, the one that a new connection meets first. */
function toRoleHeadroom(
  freeOnServer: number,
  limits: readonly ConnectionLimit[],
  isSuperuser: boolean,
): RoleHeadroom {
  let found: RoleHeadroom = { free: freeOnServer, boundBy: 'server', isSuperuser };
  if (isSuperuser) return found;
  for (const { scope, free, isOwn } of limits)
    if (isOwn && free !== null && free < found.free) found = { ...found, free, boundBy: scope };
  return found;
}

/** What Poolguard's own sessions are called, in lists of states and of pools. */
export const ownName = 'Poolguard’s own';

const partNames: Readonly<Record<keyof Headroom['split'], string>> = {
  active: 'active',
  waiting: 'waiting',
  idle: 'idle',
  idleInTransaction: 'idle in transaction',
  aborted: 'aborted',
  hidden: 'hidden',
  other: 'other',
  own: ownName,
};

/** "3 active, 1 waiting, 1 Poolguard’s own": the parts that are not empty. */
export function describeSplit(split: Headroom['split']): string {
  const names = Object.keys(partNames) as (keyof Headroom['split'])[];
  return names
    .filter((name) => split[name] > 0)
    .map((name) => `${split[name]} ${partNames[name]}`)
    .join(', ');
}

/** Limits that there are, and what the own role could still open; one line each, harmless to terminals. */
export function describeLimits({
  limits,
  forRole: { free, boundBy, isSuperuser },
}: Headroom): readonly string[] {
  const lines = limits.filter(({ limit }) => limit !== null).map(describeLimit);
  if (isSuperuser)
    return [
      ...lines,
      `This role is a superuser: it could open ${free} more, reserves included, and no limit of a role or database binds it.`,
    ];
  const bound = {
    server: "the server's max_connections",
    role: "the role's own limit",
    database: "the database's own limit",
  }[boundBy];
  return [...lines, `This role could open ${free} more; ${bound} binds first.`];
}

function describeLimit({ scope, name, limit, used, free, isOwn }: ConnectionLimit): string {
  return `${isOwn ? `this ${scope},` : scope} ${toShortText(name, 63)}: ${used} of its own limit of ${limit ?? 0} used, ${free ?? 0} free`;
}
