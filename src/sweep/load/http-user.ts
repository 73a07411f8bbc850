import type { Clock } from '../../probe/clock.ts';
import type { DrivenClient } from './driven-client.ts';
import type { HttpRecorder } from './http-recorder.ts';

/** One who asks, waits for the answer, pauses, and asks again, while wanted. */
export interface HttpUser {
  /** Begins or goes on to ask. */
  join(): void;
  /** Asks no more once the answer that is under way has come. */
  leave(): void;
  /** Gives up a request that is under way for longer. */
  lookForTimeout(limitMs: number): void;
  readonly isWaiting: boolean;
  /** For good, at once. */
  end(): void;
  readonly onAnswer: (status: number) => void;
  readonly onLost: (code: string) => void;
}

interface UserParts {
  readonly client: DrivenClient;
  readonly recorder: HttpRecorder;
  readonly clock: Clock;
  readonly thinkMs: number;
}

/** Before a user whose request failed tries again: else an application that is gone would be asked in a tight loop. */
const backOffMs = 100;

export function createHttpUser({ client, recorder, clock, thinkMs }: UserParts): HttpUser {
  let isWanted = false;
  let sentMs: number | null = null;
  let pause: AbortController | undefined;
  const ask = () => {
    pause = undefined;
    if (!isWanted) return;
    sentMs = clock.now();
    client.send();
  };
  const rest = async (ms: number) => {
    const dueMs = clock.now() + ms;
    pause?.abort();
    const own = new AbortController();
    pause = own;
    await clock.wait(ms, own.signal);
    if (own.signal.aborted) return;
    recorder.lagged(Math.max(0, clock.now() - dueMs));
    ask();
  };
  const fail = (cause: string) => {
    if (sentMs === null) return;
    sentMs = null;
    recorder.failed(cause);
    void rest(Math.max(thinkMs, backOffMs));
  };
  return {
    join: () => {
      if (isWanted) return;
      isWanted = true;
      if (sentMs === null && pause === undefined) ask();
    },
    leave: () => {
      isWanted = false;
    },
    lookForTimeout: (limitMs) => {
      if (sentMs === null || clock.now() - sentMs <= limitMs) return;
      client.disconnect();
      fail('timeout');
    },
    get isWaiting() {
      return sentMs !== null;
    },
    end: () => {
      isWanted = false;
      pause?.abort();
      client.end();
    },
    onAnswer: (status) => {
      // An answer that nobody waits for belongs to a request that was given up.
      if (sentMs === null) return;
      recorder.answered(status, clock.now() - sentMs);
      sentMs = null;
      if (thinkMs > 0) void rest(thinkMs);
      else ask();
    },
    onLost: fail,
  };
}
