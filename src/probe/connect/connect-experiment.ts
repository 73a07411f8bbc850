import { describePlace } from '../../database/target.ts';
import { timeConnect } from '../../database/time-connect.ts';
import { runGuarded, type Course } from '../guarded-run.ts';
import { addErrors, countErrors } from '../load/recorder.ts';
import { refuse, type Refusal } from '../refusal.ts';
import type { Access, ConnectRequest } from '../request.ts';
import { applicationName, toResultHead, type Prepared, type Stage } from '../stage.ts';
import type { ConnectPath, ConnectResult } from './connect-result.ts';
import { judgeConnect } from './judge-connect.ts';
import type { Workload } from '../workload/workload.ts';
import {
  dialAtOnce,
  dialInTurn,
  toConnectPath,
  type Dial,
  type Dialled,
  type Lap,
} from './measure-path.ts';

/** What the plan assumes of a connection. */
const assumedMs = 15;

/** The statements of the request are not run. */
const firstQuery: Workload = {
  summary: {
    origin: 'stand-in',
    statements: [{ text: 'SELECT 1', share: 1, parameters: [], meanMs: null }],
    inTransaction: false,
  },
  meanMs: 0,
  next: () => ({ text: 'SELECT 1' }),
  notes: [],
};

type Route = Pick<ConnectPath, 'name' | 'address'> & { readonly dial: Dial };

/** What a new connection costs: one after the other, then several at once; directly and through a pooler by turns. */
export function connectExperiment(stage: Stage<ConnectRequest>): Prepared | Refusal {
  const { request, seen } = stage;
  const at = Math.min(request.concurrent, seen.cap.size);
  const routes = listRoutes(stage);
  const notes =
    at < request.concurrent
      ? [
          `At once: ${at} instead of ${request.concurrent}, since this probe may open ${seen.cap.size} connections (${seen.cap.because}).`,
        ]
      : [];
  const seconds = Math.min(
    request.seconds,
    (routes.length * request.times * 2 * assumedMs) / 1000 + 1,
  );
  return {
    plan: {
      experiment: 'connect',
      statements: ['SELECT 1'],
      sizes: [],
      steps: [
        `Open and close ${request.times} connections to ${routes.map(({ address }) => address).join(' and to ')}${routes.length > 1 ? ', by turns' : ''}, one after the other`,
        `Then as many on each way, ${at} at a time`,
      ],
      connections: at + 1,
      expectedMs: seconds * 1000,
      cap: seen.cap,
      notes: [...seen.notes, ...notes],
    },
    run: () => runGuarded(stage, (course) => measureConnect(stage, course, { routes, at, notes })),
  };
}

function listRoutes({ request, around }: Stage<ConnectRequest>): readonly Route[] {
  const route = (name: Route['name'], { target, secret }: Access): Route => ({
    name,
    address: describePlace(target),
    dial: (signal) =>
      timeConnect(target, secret, {
        applicationName: applicationName(around),
        now: () => around.clock.now(),
        signal,
      }),
  });
  return [
    route('direct', request),
    ...(request.pooler === null ? [] : [route('pooler', request.pooler)]),
  ];
}

interface ConnectPlan {
  readonly routes: readonly Route[];
  readonly at: number;
  readonly notes: readonly string[];
}

async function measureConnect(
  stage: Stage<ConnectRequest>,
  course: Course,
  { routes, at, notes }: ConnectPlan,
): Promise<ConnectResult | Refusal> {
  const { clock } = stage.around;
  const { times, seconds } = stage.request;
  const began = clock.now();
  let done = 0;
  const tell = (doing: string) => () =>
    course.tell((done += 1) / (2 * times * routes.length), doing);
  const lap = (share: number, doing: string): Lap => ({
    clock,
    signal: course.signal,
    untilMs: began + seconds * 1000 * share,
    onDone: tell(doing),
  });
  const sequential = await dialInTurn(
    routes.map(({ dial }) => dial),
    times,
    lap(0.5, 'one connection after the other'),
  );
  const concurrent: Dialled[] = [];
  for (const [index, { dial, name }] of routes.entries()) {
    concurrent.push(
      await dialAtOnce(
        dial,
        { at, times: Math.max(at, times) },
        lap(
          0.5 + (0.5 * (index + 1)) / routes.length,
          `${at} at once, ${name === 'direct' ? 'directly' : 'through the pooler'}`,
        ),
      ),
    );
  }
  const all = [...sequential, ...concurrent];
  if (all.every((each) => each.times.length === 0))
    return refuse(
      course.endedBy ??
        all.find(({ problem }) => problem !== null)?.problem ??
        'No connection could be made.',
    );
  const paths = routes.flatMap((route, index) =>
    toPath(route, sequential[index], concurrent[index], at),
  );
  const short =
    sequential.some((each) => each.times.length + countErrors(each.errors) < times) &&
    course.endedBy === null;
  const shortNote = short
    ? [
        `The time was up, or a way was given up, before all ${times} connections of each way: ${sequential.map((each, index) => `${each.times.length} ${routes[index]?.name ?? ''}`).join(', ')}.`,
      ]
    : [];
  return {
    ...toResultHead(
      { ...stage, workload: firstQuery },
      {
        partial: course.endedBy,
        notes: [...notes, ...shortNote, ...listProblems(routes, sequential)],
        errors: addErrors(all.map(({ errors }) => errors)),
      },
    ),
    experiment: 'connect',
    verdict: judgeConnect(paths),
    paths,
  };
}

function toPath(
  { name, address }: Route,
  sequential: Dialled | undefined,
  concurrent: Dialled | undefined,
  at: number,
): readonly ConnectPath[] {
  return sequential === undefined || concurrent === undefined
    ? []
    : [toConnectPath({ name, address }, sequential, concurrent, at)];
}

function listProblems(routes: readonly Route[], dialled: readonly Dialled[]): readonly string[] {
  return routes.flatMap(({ name }, index) => {
    const problem = dialled[index]?.problem ?? null;
    return problem === null
      ? []
      : [`${name === 'direct' ? 'Directly' : 'Through the pooler'}: ${problem}`];
  });
}
