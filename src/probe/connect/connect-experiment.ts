import { nothingSql } from '../../database/sql/server.sql.ts';
import type { Startup } from '../../database/startup.ts';
import { describePlace } from '../../database/target.ts';
import { timeConnect } from '../../database/time-connect.ts';
import { type Course, runGuarded } from '../guarded-run.ts';
import { addErrors, countErrors } from '../load/pool-load.ts';
import { commonLimits } from '../probe-environment.ts';
import { type Refusal, refuse } from '../refusal.ts';
import type { Access, ConnectRequest } from '../request.ts';
import { type Prepared, type ExperimentContext, toResultHead } from '../experiment-context.ts';
import type { Workload } from '../workload/workload.ts';
import type { ConnectPath, ConnectResult } from './connect-result.ts';
import { judgeConnect } from './judge-connect.ts';
import {
  type Dial,
  dialAtOnce,
  dialInTurn,
  type DialledWay,
  type Lap,
  toConnectPath,
} from './measure-path.ts';

/** What the plan assumes of a connection. */
const assumedMs = 15;

/** The statements of the request are not run. */
const firstQuery: Workload = {
  summary: {
    origin: 'stand-in',
    statements: [{ text: nothingSql, share: 1, parameters: [], meanMs: null }],
    inTransaction: false,
  },
  calls: [],
  meanMs: 0,
  next: () => ({ text: nothingSql }),
  notes: [],
};

type Route = Pick<ConnectPath, 'name' | 'address'> & { readonly dial: Dial };

/** What a new connection costs: one after the other, then several at once; directly and through a pooler by turns. */
export function connectExperiment(context: ExperimentContext<ConnectRequest>): Prepared | Refusal {
  const { request, seen } = context;
  const at = Math.min(request.concurrent, seen.cap.size);
  const routes = listRoutes(context);
  const notes =
    at < request.concurrent
      ? [
          `At once: ${at} instead of ${request.concurrent}, because this probe may open ${seen.cap.size} connections (${seen.cap.because}).`,
        ]
      : [];
  const seconds = Math.min(
    request.seconds,
    (routes.length * request.times * 2 * assumedMs) / 1000 + 1,
  );
  return {
    plan: {
      sizes: [],
      steps: [
        `Open and close ${request.times} connections to ${routes.map(({ address }) => address).join(' and to ')}${routes.length > 1 ? ', by turns' : ''}, one after the other`,
        `Then as many on each way, ${at} at a time`,
      ],
      connections: at + 1,
      expectedMs: seconds * 1000,
      notes,
    },
    workload: firstQuery,
    run: () => runGuarded(context, (course) => measureConnect(course, { routes, at, notes })),
  };
}

function listRoutes({
  request,
  observer,
  environment,
}: ExperimentContext<ConnectRequest>): readonly Route[] {
  const route = (name: Route['name'], { target, secret }: Access, startup?: Startup): Route => ({
    name,
    address: describePlace(target),
    dial: createDial({ target, secret }, environment, startup),
  });
  return [
    route('direct', request, observer.startup),
    ...(request.pooler === null ? [] : [route('pooler', request.pooler)]),
  ];
}

/** Each connection begins as the last one did. */
function createDial(
  { target, secret }: Access,
  environment: ExperimentContext['environment'],
  first: Startup | undefined,
): Dial {
  let startup = first;
  return async (signal) => {
    const timed = await timeConnect(target, secret, {
      ...commonLimits(environment),
      now: () => environment.clock.now(),
      signal,
      ...(startup !== undefined && { startup }),
    });
    if (timed.kind === 'timed') startup = timed.startup;
    return timed;
  };
}

interface ConnectPlan {
  readonly routes: readonly Route[];
  readonly at: number;
  readonly notes: readonly string[];
}

async function measureConnect(
  course: Course<ConnectRequest>,
  { routes, at, notes }: ConnectPlan,
): Promise<ConnectResult | Refusal> {
  const { context } = course;
  const { times } = context.request;
  const lap = createLaps(course, routes.length);
  const ways: DialledWay[] = [];
  for (const [index, way] of (
    await dialInTurn(routes, times, lap(0.5, 'one connection after the other'))
  ).entries()) {
    const share = 0.5 + (0.5 * (index + 1)) / routes.length;
    const how = way.name === 'direct' ? 'directly' : 'through the pooler';
    const load = { at, times: Math.max(at, times) };
    const concurrent = await dialAtOnce(way.dial, load, lap(share, `${at} at once, ${how}`));
    ways.push({ ...way, concurrent });
  }
  const all = [
    ...ways.map(({ sequential }) => sequential),
    ...ways.map(({ concurrent }) => concurrent),
  ];
  if (all.every((each) => each.times.length === 0))
    return refuse(
      course.endedBy ??
        all.find(({ problem }) => problem !== null)?.problem ??
        'No connection could be made.',
    );
  const paths = ways.map((way) => toConnectPath(way, at));
  const short = course.endedBy === null ? describeShort(ways, times) : [];
  return {
    ...toResultHead(
      { ...context, workload: firstQuery },
      {
        partial: course.endedBy,
        notes: [...notes, ...short, ...ways.flatMap(describeProblem)],
        errors: addErrors(all.map(({ errors }) => errors)),
      },
    ),
    experiment: 'connect',
    verdict: judgeConnect(paths),
    paths,
  };
}

/** A lap ends at its share of the time, and tells of each connection. */
function createLaps(
  course: Course<ConnectRequest>,
  ways: number,
): (share: number, doing: string) => Lap {
  const { clock } = course.context.environment;
  const { times, seconds } = course.context.request;
  const began = clock.now();
  let done = 0;
  const tell = (doing: string) => () => course.tell((done += 1) / (2 * times * ways), doing);
  return (share, doing) => ({
    clock,
    signal: course.signal,
    untilMs: began + seconds * 1000 * share,
    onDone: tell(doing),
  });
}

/** Says that not all connections were made, where that is so. */
function describeShort(ways: readonly DialledWay[], times: number): readonly string[] {
  if (ways.every(({ sequential: each }) => each.times.length + countErrors(each.errors) >= times))
    return [];
  return [
    `The time was up, or a way was given up, before all ${times} connections of each way: ${ways.map(({ sequential, name }) => `${sequential.times.length} ${name}`).join(', ')}.`,
  ];
}

function describeProblem({ name, sequential: { problem } }: DialledWay): readonly string[] {
  return problem === null
    ? []
    : [`${name === 'direct' ? 'Directly' : 'Through the pooler'}: ${problem}`];
}
