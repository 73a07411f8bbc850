import { setMaxListeners } from 'node:events';
import { performance } from 'node:perf_hooks';
import type { Client, Dispatcher } from 'undici';
import { type Clock, systemClock } from '../../probe/clock.ts';
import { mostUsers, totalSeconds, usersAt } from '../../probe/users/users-at.ts';
import {
  busiestQuarter,
  type HttpLoad,
  type HttpRequest,
  type LoadAnswer,
  type LoadOrder,
  type LoadTool,
} from './load-tool.ts';
import { createHttpRecorder, type HttpRecorder } from './http-recorder.ts';

/** How often the number of users is looked at. */
const tickMs = 20;
const tellMs = 500;
/** An application that is silent for longer is given up, as proxies do. */
const longestSilenceMs = 30_000;
/** How long requests that are under way at the end are waited for. */
const lastAnswersMs = 5000;
/** Longer than any pause: who closes an idle connection is the application. */
const idleMs = 600_000;

/** Load by undici: a client, and so a connection, for each user. */
export function createUndiciTool(
  clock: Clock = systemClock,
  silenceMs: number = longestSilenceMs,
): LoadTool {
  return {
    name: 'undici',
    check: () => Promise.resolve(null),
    run: async (order) => {
      if (order.signal.aborted) return problem('The load was cancelled before it started.');
      const clients = await createClients(order, silenceMs);
      const request = toOptions(order.request);
      const ended = new AbortController();
      // Every user who pauses listens to it.
      setMaxListeners(0, ended.signal);
      const refused = new AbortController();
      const recorder = createHttpRecorder();
      const users = clients.map((client) => {
        const send = () => ask(client, request, (reason) => refused.abort(reason));
        const { thinkMs } = order;
        return createHttpUser({ send, recorder, clock, thinkMs, ended: ended.signal });
      });
      const signal = AbortSignal.any([order.signal, refused.signal]);
      const load = await letWork({ users, recorder }, { ...order, signal }, clock);
      ended.abort();
      await Promise.all(clients.map((client) => client.destroy()));
      return refused.signal.aborted
        ? problem(`undici rejected this request: ${String(refused.signal.reason)}.`)
        : { kind: 'load', load };
    },
  };
}

/** As many as there will be users, none of them connected yet. */
async function createClients(
  { request: { url }, stages }: LoadOrder,
  silenceMs: number,
): Promise<readonly Client[]> {
  const { Client: UndiciClient } = await import('./undici.ts');
  return Array.from(
    { length: mostUsers(stages) },
    () =>
      new UndiciClient(new URL(url).origin, {
        connect: { timeout: silenceMs, rejectUnauthorized: false },
        headersTimeout: silenceMs,
        bodyTimeout: silenceMs,
        keepAliveTimeout: idleMs,
      }),
  );
}

/** The causes that undici has codes of its own for. */
const causes: Readonly<Record<string, string>> = {
  UND_ERR_SOCKET: 'closed',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
};
/** What it says of a request that it would never send. */
const refusals = new Set([
  'UND_ERR_INVALID_ARG',
  'UND_ERR_NOT_SUPPORTED',
  'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH',
]);

function toOptions({ url, method, headers, body }: HttpRequest): Dispatcher.DispatchOptions {
  const { pathname, search } = new URL(url);
  return { path: pathname + search, method, headers: Object.entries(headers).flat(), body };
}

/** Gives the status of the whole answer, or the cause why there is none. */
function ask(
  client: Client,
  request: Dispatcher.DispatchOptions,
  onRefused: (reason: string) => void,
): Promise<number | string> {
  return new Promise((resolve) => {
    let status = 0;
    client.dispatch(request, {
      onRequestStart: () => undefined,
      onResponseStart: (_controller, code) => void (status = code),
      onResponseData: () => undefined,
      onResponseEnd: () => resolve(status),
      onResponseError: (_controller, { message, code = 'error' }: NodeJS.ErrnoException) => {
        if (refusals.has(code)) onRefused(message);
        resolve(causes[code] ?? code);
      },
    });
  });
}

interface Crowd {
  readonly users: readonly HttpUser[];
  readonly recorder: HttpRecorder;
}

async function letWork(
  { users, recorder }: Crowd,
  { stages, signal, onProgress }: LoadOrder,
  clock: Clock,
): Promise<HttpLoad> {
  const startedMs = clock.now();
  const durationMs = totalSeconds(stages) * 1000;
  const busy: number[] = [];
  let loop = performance.eventLoopUtilization();
  let toldMs = 0;
  for (let ms = 0; ms < durationMs && !signal.aborted; ms = clock.now() - startedMs) {
    const wanted = usersAt(stages, ms);
    for (const [index, user] of users.entries())
      if (index < wanted) user.join();
      else user.leave();
    if (ms - toldMs >= tellMs) {
      toldMs = ms;
      const now = performance.eventLoopUtilization();
      busy.push(performance.eventLoopUtilization(now, loop).utilization);
      loop = now;
      onProgress({
        fraction: Math.min(1, ms / durationMs),
        users: wanted,
        requests: recorder.requests,
      });
    }
    await clock.wait(Math.min(tickMs, Math.max(1, durationMs - ms)), signal);
  }
  for (const user of users) user.leave();
  await awaitLastAnswers(users, clock, signal);
  for (const { isWaiting } of users)
    if (isWaiting && !signal.aborted) recorder.failed('unanswered');
  return recorder.toLoad((clock.now() - startedMs) / 1000, busiestQuarter(busy));
}

async function awaitLastAnswers(
  users: readonly HttpUser[],
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const untilMs = clock.now() + lastAnswersMs;
  while (!signal.aborted && clock.now() < untilMs && users.some(({ isWaiting }) => isWaiting))
    await clock.wait(tickMs, signal);
}

function problem(sentence: string): LoadAnswer {
  return { kind: 'problem', sentence };
}

/** One who asks, waits for the answer, pauses, and asks again, while wanted. */
export interface HttpUser {
  /** Begins or goes on to ask. */
  join(): void;
  /** Asks no more once the answer that is under way has come. */
  leave(): void;
  readonly isWaiting: boolean;
}

interface UserParts {
  /** Sends the request and gives the status of its answer, once the whole of it is there, or the cause why there is none. */
  readonly send: () => Promise<number | string>;
  readonly recorder: HttpRecorder;
  readonly clock: Clock;
  readonly thinkMs: number;
  /** Ends pauses, and nothing is noted down any more. */
  readonly ended: AbortSignal;
}

/** Before a user whose request failed tries again: else an application that is gone would be asked in a tight loop. */
const backOffMs = 100;

export function createHttpUser({ send, recorder, clock, thinkMs, ended }: UserParts): HttpUser {
  let isWanted = false;
  let isAtWork = false;
  let isWaiting = false;
  /** Gives how long to pause. */
  const ask = async (): Promise<number> => {
    const sentMs = clock.now();
    isWaiting = true;
    const answer = await send();
    isWaiting = false;
    if (typeof answer === 'number') {
      recorder.answered(answer, clock.now() - sentMs);
      return thinkMs;
    }
    if (!ended.aborted) recorder.failed(answer);
    return Math.max(thinkMs, backOffMs);
  };
  const rest = async (ms: number): Promise<void> => {
    const dueMs = clock.now() + ms;
    await clock.wait(ms, ended);
    if (!ended.aborted) recorder.lagged(Math.max(0, clock.now() - dueMs));
  };
  const work = async (): Promise<void> => {
    isAtWork = true;
    while (isWanted && !ended.aborted) {
      const ms = await ask();
      if (ms > 0) await rest(ms);
    }
    isAtWork = false;
  };
  return {
    join: () => {
      isWanted = true;
      if (!isAtWork) void work();
    },
    leave: () => {
      isWanted = false;
    },
    get isWaiting() {
      return isWaiting;
    },
  };
}
