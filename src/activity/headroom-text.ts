import { toShortText } from './plain-text.ts';
import type { ConnectionLimit, Headroom } from './snapshot.ts';

const partNames: Readonly<Record<keyof Headroom['split'], string>> = {
  active: 'active',
  waiting: 'waiting',
  idle: 'idle',
  idleInTransaction: 'idle in transaction',
  aborted: 'aborted',
  hidden: 'hidden',
  other: 'other',
  own: "Poolguard's own",
};

/** "3 active, 1 waiting, 1 Poolguard's own": the parts that are not empty. */
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
