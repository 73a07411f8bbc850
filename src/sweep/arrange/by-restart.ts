import type { Application } from '../app/application.ts';
import type { Arrangement } from './arrangement.ts';
import { describeForce, startReady, type StartParts } from './started-application.ts';

/** Starts the application anew for each size, which it reads from a variable. */
export function arrangeByRestart(parts: StartParts, variable: string): Arrangement {
  let running: Application | null = null;
  const end = async (graceMs: number) => {
    const ending = running;
    running = null;
    return ending === null ? null : describeForce((await ending.stop(graceMs)).wasKilled, graceMs);
  };
  return {
    end,
    arrange: async (max, doing) => {
      await end(parts.request.stopTimeoutMs);
      doing(`starting with ${variable}=${max}`);
      const answer = await startReady(parts, { [variable]: String(max) }, doing);
      if (answer.kind === 'arranged') running = answer.application;
      return answer;
    },
  };
}
