import type { Clock } from '../../probe/clock.ts';
import type { HttpRecorder } from './http-recorder.ts';

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
