import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { HttpRequest } from '../load/load-tool.ts';

export type OneAnswer =
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'silent'; readonly code: string };

/** One request over a connection of its own. Never rejects. */
export function askOnce(
  { url, method, headers, body }: HttpRequest,
  signal: AbortSignal,
  timeoutMs: number,
): Promise<OneAnswer> {
  const ends = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  return new Promise((resolve) => {
    const send = url.startsWith('https:') ? requestHttps : requestHttp;
    // The address is one of this machine, whose certificates are seldom signed by anybody.
    const asking = send(
      url,
      {
        method,
        headers: { ...headers },
        agent: false,
        signal: ends,
        ...{ rejectUnauthorized: false },
      },
      (response) => {
        response.on('error', () => undefined).resume();
        response.once('close', () => resolve({ kind: 'status', status: response.statusCode ?? 0 }));
      },
    );
    asking.once('error', (error: NodeJS.ErrnoException) =>
      resolve({ kind: 'silent', code: ends.aborted ? 'timeout' : (error.code ?? error.name) }),
    );
    asking.end(body ?? undefined);
  });
}
