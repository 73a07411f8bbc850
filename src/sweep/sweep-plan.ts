import { mostUsers, totalSeconds } from '../probe/users/users-at.ts';
import type { SweepPlan, SweepRequest } from './sweep-request.ts';

/** Starting, warming up and stopping an application takes no less. */
const aroundTurnMs = 2000;

/** What a sweep is about to do. Headers and body stay out of it: they may hold secrets. */
export function toPlan(
  { command, variable, sizes, http: { url, method }, stages, thinkMs, passes }: SweepRequest,
  tool: string,
  notes: readonly string[],
): SweepPlan {
  const seconds = totalSeconds(stages);
  const change =
    variable === null
      ? 'Start the application once, and let its monitor change max of the pool'
      : `Start the application with ${variable}=${sizes.join(', then ')}`;
  return {
    experiment: 'sweep',
    command,
    variable,
    sizes,
    url,
    method,
    steps: [
      `${change}${sizes.length > 1 ? ', in random order' : ''}${passes === 1 ? '' : `, ${passes === 2 ? 'twice' : `${passes} times`}`}`,
      `Let up to ${mostUsers(stages)} users ask by ${tool} for ${Math.round(seconds)} s each time, pausing for ${thinkMs} ms after an answer`,
      'Stop the application with all processes that it started',
    ],
    expectedMs: sizes.length * passes * (seconds * 1000 + aroundTurnMs),
    notes,
  };
}
