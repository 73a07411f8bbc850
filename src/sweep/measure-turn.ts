import type { PoolSample } from '../probe/load/pool-load.ts';
import type { Clock } from '../probe/clock.ts';
import type { ApplicationSessions } from '../database/read-application-sessions.ts';
import type { Application } from './app/application.ts';
import { describeEnd } from './app/end-words.ts';
import type { MachineUse } from './app/keeper-messages.ts';
import {
  busiestQuarter,
  type HttpLoad,
  type LoadProgress,
  type LoadTool,
} from './load/load-tool.ts';
import type { Listener } from '../running/listener.ts';
import type { SweepRequest } from './sweep-request.ts';
import { tellSeconds } from './tell-seconds.ts';
import type { PoolsSeen, PoolWatch } from './watch/pool-watch.ts';
import type { ServerWatch } from './watch/server-watch.ts';

/** One load on one pool size. */
export interface Turn {
  readonly kind: 'turn';
  readonly max: number;
  readonly load: HttpLoad;
  readonly pools: PoolsSeen;
  readonly samples: readonly PoolSample[];
  readonly sessions: readonly ApplicationSessions[];
  readonly appCores: number | null;
  readonly busiestCores: number | null;
  readonly idleCores: number | null;
}

export type TurnAnswer =
  Turn | { readonly kind: 'problem'; readonly sentence: string } | { readonly kind: 'cancelled' };

export interface TurnParts {
  readonly request: SweepRequest;
  readonly tool: LoadTool;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly application: Application;
  readonly pools: PoolWatch;
  readonly listener: Pick<Listener, 'cut'>;
  readonly server: ServerWatch;
  /** What the machine did; filled while this runs. */
  readonly uses: MachineUse[];
  /** The server's time at the start of the application. */
  readonly since: string | null;
  /** Every second until what warms it up has been answered. */
  readonly onWarmUp: (seconds: number) => void;
  /** `waiting` is null where no monitor reports. */
  readonly onProgress: (progress: LoadProgress, waiting: number | null) => void;
}

/** Before a load is counted: connections, caches and compiled code are those of a service that is at work. */
const warmUp = { seconds: 1, users: 10 };
const sessionsMs = 1000;

/** Loads an application that is ready, and sums up what it and its pools did meanwhile. */
export async function measureTurn(max: number, parts: TurnParts): Promise<TurnAnswer> {
  const { application, signal } = parts;
  const over = new AbortController();
  const lost = new AbortController();
  const died = application.ended.then((end) => {
    lost.abort();
    return {
      kind: 'problem' as const,
      sentence: describeEnd(end, `while it was under load with a pool of ${max}`),
    };
  });
  const measured = await measure(
    max,
    { ...parts, signal: AbortSignal.any([signal, lost.signal]) },
    over.signal,
  );
  over.abort();
  if (signal.aborted) return { kind: 'cancelled' };
  return lost.signal.aborted ? died : measured;
}

async function measure(max: number, parts: TurnParts, over: AbortSignal): Promise<TurnAnswer> {
  const {
    request: { http, thinkMs, stages },
    tool,
    clock,
    signal,
    pools,
    listener,
    uses,
    onProgress,
    onWarmUp,
  } = parts;
  const warm = await tellSeconds(
    tool.run({
      request: http,
      thinkMs,
      stages: [{ seconds: 0, users: warmUp.users }, warmUp],
      signal,
      onProgress: () => undefined,
    }),
    clock,
    onWarmUp,
  );
  if (warm.kind === 'problem') return warm;
  await pools.begin({ listener, clock, signal });
  uses.length = 0;
  const samples: PoolSample[] = [];
  const startedMs = clock.now();
  let answered = 0;
  const hear = (progress: LoadProgress) => {
    const sample = pools.sample(
      clock.now() - startedMs,
      Math.max(0, (progress.requests ?? 0) - answered),
    );
    answered = progress.requests ?? 0;
    samples.push(sample);
    onProgress(progress, pools.hasReported ? sample.waiting : null);
  };
  const ended = new AbortController();
  const sessions = watchSessions(parts, AbortSignal.any([signal, over, ended.signal]));
  const answer = await tool.run({ request: http, thinkMs, stages, signal, onProgress: hear });
  ended.abort();
  if (answer.kind === 'problem') return answer;
  await pools.end({ listener, clock, signal });
  const use = (of: (use: MachineUse) => number | null) =>
    busiestQuarter(uses.flatMap((each) => of(each) ?? []));
  return {
    kind: 'turn',
    max,
    samples,
    load: answer.load,
    pools: pools.seen(),
    sessions: await sessions,
    appCores: use(({ appCores }) => appCores),
    busiestCores: use(({ busiestCores }) => busiestCores),
    idleCores: idleAtHeight(uses),
  };
}

/** What was left over while the machine had most to do. */
function idleAtHeight(uses: readonly MachineUse[]): number | null {
  const height = busiestQuarter(uses.map(({ idleCores }) => -idleCores));
  return height === null ? null : Math.max(0, -height);
}

async function watchSessions(
  { server, since, pools, clock }: TurnParts,
  signal: AbortSignal,
): Promise<readonly ApplicationSessions[]> {
  const seen: ApplicationSessions[] = [];
  if (since === null) return seen;
  // In the middle of each second: at the very beginning nobody is at work yet.
  await clock.wait(sessionsMs / 2, signal);
  while (!signal.aborted) {
    const names = pools.busyPools().flatMap(({ info }) => info.applicationName ?? []);
    const sessions = await server.read(names, since);
    if (sessions !== null) seen.push(sessions);
    await clock.wait(sessionsMs, signal);
  }
  return seen;
}
