import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Clock } from '../../probe/clock.ts';
import { firstBadStatus } from '../load/http-recorder.ts';
import type { HttpRequest } from '../load/load-tool.ts';
import { tellSeconds } from '../tell-seconds.ts';
import type { Application } from './application.ts';
import { describeEnd } from './end-words.ts';

export interface ReadyOptions {
  readonly application: Pick<Application, 'ended'>;
  readonly request: HttpRequest;
  /** Asked with GET until it answers; null asks for the request itself. */
  readonly readyUrl: string | null;
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Every second, with the whole seconds that have passed. */
  readonly onWait: (seconds: number) => void;
}

export type Readiness =
  | { readonly kind: 'ready' }
  | { readonly kind: 'cancelled' }
  | {
      readonly kind: 'problem';
      readonly sentence: string;
      /** It tells what the application printed. */ readonly hasLines?: true;
    };

const pauseMs = 100;
const answerMs = 5000;
/** An application that answers with 5xx for so long will not get better. */
const patienceMs = 5000;
const firstError = 500;

/** Waits until the application answers, and sees that it answers the request itself correctly. */
export async function awaitReady(options: ReadyOptions): Promise<Readiness> {
  const { request, readyUrl, application, signal } = options;
  const over = new AbortController();
  const ended = application.ended.then((end): Readiness => ({
    kind: 'problem',
    sentence: signal.aborted ? '' : describeEnd(end, 'before it answered'),
    hasLines: true,
  }));
  const ready = tellSeconds(
    poll(
      options,
      readyUrl === null
        ? request
        : { url: readyUrl, method: 'GET', headers: request.headers, body: null },
      AbortSignal.any([signal, over.signal]),
    ),
    options.clock,
    options.onWait,
  );
  const first = await Promise.race([ready, ended]);
  over.abort();
  if (signal.aborted) return { kind: 'cancelled' };
  if (first.kind !== 'ready') return first;
  return readyUrl === null ? first : judgeAnswer(await askOnce(request, signal, answerMs), request);
}

async function poll(
  { clock, timeoutMs }: ReadyOptions,
  request: HttpRequest,
  signal: AbortSignal,
): Promise<Readiness> {
  const startedMs = clock.now();
  let failingSinceMs: number | null = null;
  let last: OneAnswer = { kind: 'silent', code: 'none' };
  while (clock.now() - startedMs < timeoutMs) {
    last = await askOnce(request, signal, answerMs);
    if (signal.aborted) return { kind: 'cancelled' };
    if (last.kind === 'status' && last.status < firstError) return judgeAnswer(last, request);
    failingSinceMs = last.kind === 'silent' ? null : (failingSinceMs ?? clock.now());
    if (failingSinceMs !== null && clock.now() - failingSinceMs >= patienceMs) break;
    await clock.wait(pauseMs, signal);
  }
  if (last.kind === 'status') return judgeAnswer(last, request);
  return {
    kind: 'problem',
    sentence: `The application did not respond to ${request.url} within ${Math.round(timeoutMs / 100) / 10} s (${last.code}). Check the port, allow more time with --ready-timeout, or set another URL with --ready-url.`,
  };
}

function judgeAnswer(answer: OneAnswer, request: HttpRequest): Readiness {
  if (answer.kind === 'status' && answer.status < firstBadStatus) return { kind: 'ready' };
  if (answer.kind === 'status')
    return { kind: 'problem', sentence: describeStatus(request, answer.status) };
  return {
    kind: 'problem',
    sentence: `The application is ready, but does not respond to ${request.method} ${request.url} (${answer.code}).`,
  };
}

function describeStatus({ method, url }: HttpRequest, status: number): string {
  const advice =
    status >= firstError
      ? 'Fix that first; the application has the environment of this terminal, without what --database-from names.'
      : 'A sweep needs a request with a 2xx or 3xx response: see --method, --header and --body.';
  return `The application responds to ${method} ${url} with ${status}, so there is nothing to measure. ${advice}`;
}

type OneAnswer =
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
