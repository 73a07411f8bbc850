import { isPrivateHost } from '../database/private-host.ts';
import type { Secret } from '../database/secret.ts';
import { type ConnectionTarget, isLoopback } from '../database/target.ts';
import type { NamedTarget } from './named-target.ts';
import { findPassword, isUsualSocketFolder, type PgpassLine } from './pgpass.ts';

/** Where a connection was found. */
export interface ConnectionSource {
  /** As people call it: `apps/api/.env`, `~/.pgpass`. */
  readonly file: string;
  readonly name: string;
  /** The workspace folder; null for what belongs to the user and not to a repository. */
  readonly folder: string | null;
}

/** A connection to offer. Nobody has opened it. */
export interface FoundConnection {
  readonly target: ConnectionTarget;
  readonly secret: Secret | null;
  readonly isPooler: boolean;
  /** One at least. */
  readonly sources: readonly ConnectionSource[];
}

export function toFound(
  { target, secret, isPooler = false, name }: NamedTarget,
  place: Omit<ConnectionSource, 'name'>,
): FoundConnection {
  return { target, secret, isPooler, sources: [{ ...place, name }] };
}

/**
 * One offer for each host, port, database, user, TLS choice with its files, and password; its sources in the order in which they were found.
 * An entry without a password joins the first one that has one.
 */
export function mergeFound(found: readonly FoundConnection[]): readonly FoundConnection[] {
  const byPlace = new Map<string, FoundConnection[]>();
  for (const each of found) {
    const { host, port, database, user, tls, tlsFiles } = each.target;
    // Who brings an authority of its own is not the same as who is vouched for by others.
    const place = JSON.stringify([host, port, database, user, tls, tlsFiles]);
    byPlace.set(place, [...(byPlace.get(place) ?? []), each]);
  }
  return [...byPlace.values()].flatMap(mergeSamePlace);
}

function mergeSamePlace(found: readonly FoundConnection[]): readonly FoundConnection[] {
  const passwords = new Set(
    found.flatMap(({ secret }) => (secret === null ? [] : [secret.reveal()])),
  );
  const [first] = passwords;
  const groups = new Map<string | undefined, FoundConnection[]>();
  for (const each of found) {
    const password = each.secret?.reveal() ?? first;
    groups.set(password, [...(groups.get(password) ?? []), each]);
  }
  return [...groups.values()].flatMap(joinAll);
}

function joinAll(same: readonly FoundConnection[]): readonly FoundConnection[] {
  const [model] = same;
  if (model === undefined) return [];
  const secret = same.find((each) => each.secret !== null)?.secret ?? null;
  return [
    {
      target: model.target,
      secret,
      isPooler: same.some(({ isPooler }) => isPooler),
      sources: same.flatMap(({ sources }) => sources),
    },
  ];
}

/** Whether only files of the workspace name it, which anybody may have written. */
export function isOfWorkspaceOnly({ sources }: FoundConnection): boolean {
  return sources.every(({ folder }) => folder !== null);
}

/** Whether the user says first that the server is meant. */
export function mustBeMeant(found: FoundConnection): boolean {
  return isOfWorkspaceOnly(found) && isStrangers(found.target);
}

/** Whether a target that only a repository names is somebody's we do not know: a server beyond this machine and its networks, or a socket that anybody made. */
function isStrangers({ host }: ConnectionTarget): boolean {
  return host.startsWith('/') ? !isUsualSocketFolder(host) : !isPrivateHost(host);
}

/**
 * The password of the user's file for a target that only a repository names: no line for every host, this machine excepted, and none at
 * all where the repository took away what proves who answers.
 */
export function findPasswordForRepository(
  lines: readonly PgpassLine[],
  target: ConnectionTarget,
): Secret | null {
  if (!isProven(target)) return null;
  return findPassword(lines, target, {
    namedHostsOnly: isStrangers(target) || !isLoopback(target.host),
  });
}

function isProven({ host, tls, tlsFiles }: ConnectionTarget): boolean {
  return (
    isPrivateHost(host) || (tls === 'verify' && (tlsFiles.ca === null || tlsFiles.ca === 'system'))
  );
}
