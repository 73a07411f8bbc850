import { lookup } from 'node:dns/promises';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { isLoopback } from '../../database/target.ts';

export interface LocalPort {
  readonly host: string;
  readonly port: number;
}

/** Where a URL points to, if that is a port of this machine; else the sentence that says what is wrong. */
export async function findLocalPort(
  text: string,
): Promise<
  ({ readonly kind: 'port' } & LocalPort) | { readonly kind: 'problem'; readonly sentence: string }
> {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    return {
      kind: 'problem',
      sentence:
        'The URL must start with http:// or https://, for example http://localhost:3000/users.',
    };
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const addresses = isLoopback(host) ? [] : await lookup(host, { all: true }).catch(() => null);
  if (addresses === null)
    return { kind: 'problem', sentence: `The host name cannot be resolved: ${host}.` };
  const own = new Set(
    Object.values(networkInterfaces()).flatMap((each) => each?.map(({ address }) => address) ?? []),
  );
  const foreign = addresses.find(({ address }) => !isLoopback(address) && !own.has(address));
  if (foreign !== undefined)
    return {
      kind: 'problem',
      sentence: `${host} is another machine. A sweep starts the application on this machine, so use a URL such as http://localhost:3000/users.`,
    };
  return {
    kind: 'port',
    host,
    port: url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port),
  };
}

const connectMs = 1000;

/** Whether somebody listens there. */
export function isPortTaken({ host, port }: LocalPort): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, autoSelectFamily: true });
    const answer = (isTaken: boolean) => {
      socket.destroy();
      resolve(isTaken);
    };
    socket.setTimeout(connectMs, () => answer(false));
    socket.once('connect', () => answer(true)).once('error', () => answer(false));
  });
}
