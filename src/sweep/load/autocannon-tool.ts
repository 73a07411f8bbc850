import { performance } from 'node:perf_hooks';
import { systemClock, type Clock } from '../../probe/clock.ts';
import { mostUsers, totalSeconds, usersAt } from '../../probe/users/users-at.ts';
import { busiestQuarter } from '../busiest-quarter.ts';
import { driveClient } from './driven-client.ts';
import { createHttpRecorder, type HttpRecorder } from './http-recorder.ts';
import { createHttpUser, type HttpUser } from './http-user.ts';
import type { HttpRequest, LoadAnswer, LoadOrder, LoadTool } from './load-tool.ts';

/** How often the number of users is looked at. */
const tickMs = 20;
const tellMs = 500;
/** A request that is under way for longer is given up, as browsers and proxies do. */
const timeoutMs = 30_000;
/** How long requests that are under way at the end are waited for. */
const lastAnswersMs = 5000;
/** In seconds: the end of a load is ours to say. */
const longAfter = 2_000_000;

/** Load by autocannon, whose clients are told when to ask: by itself it has neither pauses nor stages. */
export function createAutocannonTool(clock: Clock = systemClock): LoadTool {
  return {
    name: 'autocannon',
    check: () => Promise.resolve(null),
    run: async (order) => {
      if (order.signal.aborted)
        return { kind: 'problem', sentence: 'The load was ended before it began.' };
      const crowd = await gather(order.request, mostUsers(order.stages), order.thinkMs, clock);
      return crowd.kind === 'problem' ? crowd : letWork(crowd, order, clock);
    },
  };
}

interface Crowd {
  readonly kind: 'crowd';
  readonly users: readonly HttpUser[];
  readonly recorder: HttpRecorder;
  /** Closes every connection. */
  readonly stop: () => Promise<void>;
}

/** As many clients as there will be users, none of them connected yet. */
async function gather(
  { url, method, headers, body }: HttpRequest,
  count: number,
  thinkMs: number,
  clock: Clock,
): Promise<Crowd | Extract<LoadAnswer, { kind: 'problem' }>> {
  const { default: autocannon } = await import('autocannon');
  const recorder = createHttpRecorder();
  const users: HttpUser[] = [];
  try {
    const running = autocannon({
      url,
      method: method as 'GET',
      headers: { ...headers },
      ...(body !== null && { body }),
      connections: count,
      duration: longAfter,
      timeout: longAfter,
      ...{ sampleInt: 100 },
      setupClient: (client) => {
        const driven = driveClient(client, {
          onAnswer: (status) => user.onAnswer(status),
          onLost: (code) => user.onLost(code),
        });
        const user = createHttpUser({ client: driven, recorder, clock, thinkMs });
        users.push(user);
      },
    });
    const stop = async () => {
      for (const user of users) user.end();
      await running;
    };
    return { kind: 'crowd', users, recorder, stop };
  } catch (error) {
    return {
      kind: 'problem',
      sentence: `autocannon does not take this request: ${error instanceof Error ? error.message : 'no reason given'}.`,
    };
  }
}

async function letWork(
  { users, recorder, stop }: Crowd,
  { stages, signal, onProgress }: LoadOrder,
  clock: Clock,
): Promise<LoadAnswer> {
  const startedMs = clock.now();
  const durationMs = totalSeconds(stages) * 1000;
  const busy: number[] = [];
  let loop = performance.eventLoopUtilization();
  let toldMs = 0;
  for (let ms = 0; ms < durationMs && !signal.aborted; ms = clock.now() - startedMs) {
    const wanted = usersAt(stages, ms);
    for (const [index, user] of users.entries()) {
      if (index < wanted) user.join();
      else user.leave();
      user.lookForTimeout(timeoutMs);
    }
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
  const seconds = (clock.now() - startedMs) / 1000;
  await stop();
  return { kind: 'load', load: recorder.toLoad(seconds, busiestQuarter(busy)) };
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
