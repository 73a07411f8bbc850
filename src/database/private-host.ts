import { BlockList, isIP } from 'node:net';
import { type ConnectionTarget, isLoopback } from './target.ts';

/** Names that no public name server answers for (RFC 6761, 6762, 8375, 9476), and what Docker calls the machine it runs on. */
const privateNames = /(?:^|\.)(?:local|localhost|internal|lan|home\.arpa|test|localdomain)\.?$/i;

/**
 * Whether a host is this machine or one of a private network: loopback, RFC 1918, link-local, unique local and shared
 * addresses, names without a dot, and names under `.local`, `.internal` and similar ones.
 */
export function isPrivateHost(host: string): boolean {
  if (isLoopback(host)) return true;
  const family = isIP(host);
  if (family === 0) return !host.includes('.') || privateNames.test(host);
  return privateAddresses().check(host, family === 4 ? 'ipv4' : 'ipv6');
}

function privateAddresses(): BlockList {
  const list = new BlockList();
  for (const [net, prefix] of [
    ['10.0.0.0', 8],
    ['172.16.0.0', 12],
    ['192.168.0.0', 16],
    ['169.254.0.0', 16],
    ['100.64.0.0', 10],
  ] as const)
    list.addSubnet(net, prefix, 'ipv4');
  for (const [net, prefix] of [
    ['fc00::', 7],
    ['fe80::', 10],
  ] as const)
    list.addSubnet(net, prefix, 'ipv6');
  return list;
}

/**
 * Why a connection must not go on: a name that counts as this machine, or as one of a private network, resolves to an address that is neither.
 * On the strength of such a name nobody was asked whether the server is meant, and TLS may be off; name servers may answer one thing
 * then and another now. Null where the name resolves to what it promises, where it promises nothing, and where a certificate vouches for it.
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
    return isLoopback(address) ? null : `resolves to ${address}, which is not this machine`;
  return isPrivateHost(address)
    ? null
    : `resolves to ${address}, which is not in a private network`;
}
