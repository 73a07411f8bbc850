import { shuffle } from 'simple-statistics';
import { type Course, loadPool, mayGoOn, runGuarded } from '../guarded-run.ts';
import { closedLoop } from '../load/closed-loop.ts';
import type { LoadRun } from '../load/drive.ts';
import { addErrors } from '../load/pool-load.ts';
import { type Refusal, refuse } from '../refusal.ts';
import type { UsersRequest } from '../request.ts';
import { type SizesToTry, sizesToTry } from '../preflight/cap.ts';
import { type Prepared, type ExperimentContext, toResultHead } from '../experiment-context.ts';
import { judgeUsers } from './judge-users.ts';
import { mostUsers, totalSeconds, usersAt } from './users-at.ts';
import type { UsersResult, UsersRow } from './users-result.ts';

/** Longer than the queue of any pool that is worth a sample, so that waits are seen and not cut off. */
const waitLimitMs = 30_000;
/** Opening and closing a pool. */
const switchMs = 500;
const longestMinutes = 30;

/** Users who pause between requests, in stages, against one pool size after the other, in random order. */
export function usersExperiment(context: ExperimentContext<UsersRequest>): Prepared | Refusal {
  const { request, seen } = context;
  const asked = sizesToTry(request.sizes, seen);
  if (asked.kind === 'refused') return asked;
  const seconds = totalSeconds(request.stages);
  if (mostUsers(request.stages) < 1 || seconds <= 0)
    return refuse(
      'The stages have no users. Use the form 10s:10,20s:30: the length of each stage, and the number of users at its end.',
    );
  const expectedMs = asked.sizes.length * (seconds * 1000 + switchMs);
  if (expectedMs > longestMinutes * 60_000)
    return refuse(
      `The stages take ${Math.round(seconds)} s for each of ${asked.sizes.length} sizes, more than ${longestMinutes} minutes in all. Shorten them, or name fewer sizes.`,
    );
  return {
    plan: {
      sizes: asked.sizes,
      steps: [
        `Let up to ${mostUsers(request.stages)} users ask a pool of ${asked.sizes.join(', then ')}, in random order, for ${Math.round(seconds)} s each`,
        `Each user pauses for ${request.thinkMs} ms after an answer`,
      ],
      connections: Math.max(...asked.sizes) + 1,
      expectedMs,
      notes: asked.notes,
    },
    run: () => runGuarded(context, (course) => measureUsers(course, asked)),
  };
}

async function measureUsers(
  course: Course<UsersRequest>,
  { sizes, notes }: SizesToTry,
): Promise<UsersResult | Refusal> {
  const { context } = course;
  const runs = new Map<number, LoadRun>();
  const order = shuffle([...sizes], context.environment.random);
  for (const [index, max] of order.entries()) {
    if (!mayGoOn(course)) break;
    const run = await measureSize(course, { max, index, count: order.length });
    if ('kind' in run) break;
    runs.set(max, run);
  }
  const rows = toUsersRows(sizes.flatMap((max) => [{ max, run: runs.get(max) }]));
  if (rows.every(({ load }) => load.requests === 0))
    return refuse(course.endedBy ?? 'No request was answered.');
  const { stages, thinkMs } = context.request;
  const judged = judgeUsers(rows, { users: mostUsers(stages), thinkMs });
  const partial = course.endedBy;
  return {
    ...toResultHead(context, {
      partial,
      notes: [
        ...notes,
        `The sizes ran in this order: ${order.join(', ')}. Each ran once, so differences below a tenth may be chance.`,
      ],
      errors: addErrors(rows.map(({ load }) => load.errors)),
    }),
    experiment: 'users',
    verdict: judged.verdict,
    stages,
    thinkMs,
    rows,
    pick: partial === null ? judged.pick : null,
  };
}

function measureSize(
  course: Course<UsersRequest>,
  { max, index, count }: Readonly<Record<'max' | 'index' | 'count', number>>,
): Promise<LoadRun | Refusal> {
  const { environment, request } = course.context;
  const { stages, thinkMs } = request;
  return loadPool(course, { max, waitLimitMs }, ({ source }) =>
    closedLoop({
      source,
      clock: environment.clock,
      signal: course.signal,
      durationMs: totalSeconds(stages) * 1000,
      callersAt: (ms) => usersAt(stages, ms),
      thinkMs,
      onFraction: (fraction) => course.tell((index + fraction) / count, `a pool of ${max}`),
    }),
  );
}

/** Rows by rising size; those that did not run are left out. */
export function toUsersRows(
  runs: readonly {
    readonly max: number;
    readonly run: Pick<LoadRun, 'load' | 'samples'> | undefined;
  }[],
): readonly UsersRow[] {
  const done = runs.flatMap(({ max, run }) => (run === undefined ? [] : [{ max, ...run }]));
  const first = done[0]?.load.requests ?? 0;
  return done.map(({ max, load, samples }, index) => {
    const before = done[index - 1];
    return {
      max,
      load,
      gain: before === undefined || first === 0 ? null : load.requests / first - 1,
      gainPerConnection:
        before === undefined ? null : (load.requests - before.load.requests) / (max - before.max),
      samples,
    };
  });
}
