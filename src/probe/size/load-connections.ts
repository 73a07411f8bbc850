import { connectSessions } from '../../database/connect.ts';
import { cancelOwnStatements } from '../../database/probe-server.ts';
import type { DatabaseSession } from '../../database/session.ts';
import type { SessionLimits } from '../../database/session-limits.ts';
import type { ExperimentContext } from '../experiment-context.ts';
import type { Course } from '../guarded-run.ts';
import { type Refusal, refuse } from '../refusal.ts';
import type { SizeRequest } from '../request.ts';
import { toProbeLimits, toStatementTimeoutMs } from '../safety/probe-limits.ts';
import { createLanes, type Lanes } from './lanes.ts';
import type { GeneratorThreads } from './load-meter.ts';

/** What makes the load: the sessions of a probe, all open from start to end, of this thread or of several. */
export interface LoadConnections {
  readonly kind: 'connections';
  readonly pids: readonly number[];
  readonly lanes: Lanes;
  /** Null for this very thread. */
  readonly threads: GeneratorThreads | null;
  /** The last one; null where it is another thread's. */
  readonly session: DatabaseSession | null;
  /** Ends statements that still run, then closes every session. Never rejects. */
  close(): Promise<void>;
}

/** Of each session. */
export function toLoadLimits({
  environment,
  workload,
  seen,
}: ExperimentContext): Partial<SessionLimits> {
  return toProbeLimits(environment, toStatementTimeoutMs(workload.meanMs, seen.cap.size));
}

/** Opens all sessions in this thread, or none. */
export async function openLoadConnections({
  context,
  signal,
  onLost,
}: Course<SizeRequest>): Promise<LoadConnections | Refusal> {
  const { request, seen, workload, environment, observer, asker, tally } = context;
  const answer = await connectSessions(seen.cap.size, request.target, request.secret, {
    ...toLoadLimits(context),
    startup: observer.startup,
    tally,
    signal,
  });
  if (answer.kind === 'failed') return refuse(answer.failure.sentence);
  const { sessions } = answer;
  for (const session of sessions) session.onLost(({ sentence }) => onLost(sentence));
  const { random, clock } = environment;
  return {
    kind: 'connections',
    pids: sessions.flatMap(({ pid }) => pid ?? []),
    lanes: createLanes({ sessions, workload, random, clock }),
    threads: null,
    session: sessions.at(-1) ?? null,
    close: async () => {
      // Behind a pooler the observer may stand in line behind the very statements that are to end.
      if (sessions.some(({ isPooled }) => isPooled))
        await Promise.all(sessions.map((session) => session.cancel()));
      else await cancelOwnStatements(asker);
      await Promise.all(sessions.map((session) => session.close()));
    },
  };
}
