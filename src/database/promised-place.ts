import { isIP } from 'node:net';
import { isPrivateHost } from './private-host.ts';
import { isLoopback, type ConnectionTarget } from './target.ts';

/**
 * Why a connection must not go on: a name that counts as this machine, or as one of a private network, led to an address that is neither.
 * On the strength of such a name nobody was asked whether the server is meant, and TLS may be off; name servers may answer one thing
 * then and another now. Null where the name led to what it promises, where it promises nothing, and where a certificate vouches for it.
 */
export function whyElsewhere(
  { host, tls }: Pick<ConnectionTarget, 'host' | 'tls'>,
  remoteAddress: string | undefined,
): string | null {
  if (remoteAddress === undefined || tls === 'verify' || isIP(host) !== 0 || !isPrivateHost(host))
    return null;
  // An address of IPv4 in the clothes of IPv6, or with the name of an interface behind it.
  const address = remoteAddress
    .replace(/^::ffff:(?=[\d.]+$)/i, '')
    .split('%', 1)
    .join();
  if (isLoopback(host))
    return isLoopback(address) ? null : `led to ${address}, which is not this machine`;
  return isPrivateHost(address) ? null : `led to ${address}, which is in no private network`;
}
