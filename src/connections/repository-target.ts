import { isPrivateHost } from '../database/private-host.ts';
import type { Secret } from '../database/secret.ts';
import { isLoopback, type ConnectionTarget } from '../database/target.ts';
import { findPassword, isUsualSocketFolder, type PgpassLine } from './pgpass.ts';

/** Whether a target that only a repository names is somebody's we do not know: a server beyond this machine and its networks, or a socket that anybody made. */
export function isStrangers({ host }: ConnectionTarget): boolean {
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
