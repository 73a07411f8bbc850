import { availableParallelism } from 'node:os';
import { performance } from 'node:perf_hooks';
import { toDatabaseFailure } from '../../database/failure.ts';
import { openClient, type OpenedClient } from '../../database/open-client.ts';
import { type Course, loadPool, mayGoOn, runGuarded } from '../guarded-run.ts';
import { callersOf, closedLoop } from '../load/closed-loop.ts';
import type { LoadRun } from '../load/drive.ts';
import type { ConnectionSource } from '../load/connection-source.ts';
import { addErrors } from '../load/pool-load.ts';
import { type Refusal, refuse } from '../refusal.ts';
import type { CompareRequest } from '../request.ts';
import { toProbeLimits, toStatementTimeoutMs } from '../safety/probe-limits.ts';
import { type Prepared, type ExperimentContext, toResultHead } from '../experiment-context.ts';
import { capitalise } from '../verdict-words.ts';
import type { CompareResult, CompareRow, Strategy } from './compare-result.ts';
import { judgeCompare } from './judge-compare.ts';
import { openNewConnections, shareOneClient } from './connection-sources.ts';

const shortestCellMs = 500;
/** Opening and closing. */
const switchMs = 300;
/** Callers of a pool wait for its answers, however slow. */
const waitLimitMs = 30_000;

/** One way at one number of callers. */
interface Cell {
  readonly strategy: Strategy;
  readonly callers: number;
  readonly connections: number;
}

interface ComparePlan {
  readonly cells: readonly Cell[];
  readonly cellMs: number;
  readonly poolSize: number;
  readonly notes: readonly string[];
}

/** The same callers by four ways: a new connection for each request, one shared client, a pool, one pipelined client. */
export function compareExperiment(context: ExperimentContext<CompareRequest>): Prepared | Refusal {
  const { request } = context;
  const plan = layOut(context);
  return {
    plan: {
      sizes: [],
      steps: [
        `Let ${[...new Set(plan.cells.map(({ callers }) => callers))].join(', then ')} callers ask by ${new Set(plan.cells.map(({ strategy }) => strategy)).size} ways, for ${(plan.cellMs / 1000).toFixed(1)} s each: ${describeWays(plan.cells)}`,
      ],
      connections: Math.max(...plan.cells.map(({ connections }) => connections)) + 1,
      expectedMs: plan.cells.length * (plan.cellMs + switchMs),
      notes: plan.notes,
    },
    run: () =>
      runGuarded(context, (course) =>
        measureCompare(course, {
          ...plan,
          cells: plan.cells.filter(({ callers }) => request.callers.includes(callers)),
        }),
      ),
  };
}

function layOut({ request, seen, workload }: ExperimentContext<CompareRequest>): ComparePlan {
  const cap = seen.cap.size;
  const poolSize = Math.min(request.poolSize, cap);
  const cores = Math.min(availableParallelism(), poolSize);
  const callers = [...new Set(request.callers)].sort((one, other) => one - other);
  // Statements of several transactions on one connection would run in each other's.
  const isShareable = !workload.summary.inTransaction;
  const ways: readonly Omit<Cell, 'callers'>[] = [
    { strategy: 'new-connection', connections: cap },
    ...(isShareable ? [{ strategy: 'shared-client', connections: 1 } as const] : []),
    ...(cores < poolSize ? [{ strategy: 'pool', connections: cores } as const] : []),
    { strategy: 'pool', connections: poolSize },
    ...(isShareable ? [{ strategy: 'pipelined-client', connections: 1 } as const] : []),
  ];
  const cells = callers.flatMap((count) =>
    ways.map(({ strategy, connections }) => ({
      strategy,
      connections: strategy === 'new-connection' ? Math.min(connections, count) : connections,
      callers: count,
    })),
  );
  const notes = [
    ...(poolSize < request.poolSize
      ? [
          `The pool has ${poolSize} clients instead of ${request.poolSize}, because this probe may open ${cap} connections (${seen.cap.because}).`,
        ]
      : []),
    ...(callers.some((count) => count > cap)
      ? [
          `New connections: at most ${cap} at once. Callers beyond that were queued; without this limit the server would refuse them and others with "too many clients" (53300).`,
        ]
      : []),
    ...(isShareable
      ? [
          'Callers that share a client wait inside the driver, so their wait and their time in the database cannot be separated.',
        ]
      : [
          'One client for all is left out: the statements run in transactions, which cannot share a connection.',
        ]),
  ];
  return {
    cells,
    poolSize,
    notes,
    cellMs: Math.max(shortestCellMs, (request.seconds * 1000) / cells.length - switchMs),
  };
}

function describeWays(cells: readonly Cell[]): string {
  const words: Readonly<Record<Strategy, (connections: number) => string>> = {
    'new-connection': () => 'a new connection for each request',
    'shared-client': () => 'one client for all',
    pool: (connections) => `a pool of ${connections}`,
    'pipelined-client': () => 'one pipelined client',
  };
  return [...new Set(cells.map(({ strategy, connections }) => words[strategy](connections)))].join(
    ', ',
  );
}

async function measureCompare(
  course: Course<CompareRequest>,
  { cells, cellMs, poolSize, notes }: ComparePlan,
): Promise<CompareResult | Refusal> {
  const { context } = course;
  const rows: CompareRow[] = [];
  const problems: string[] = [];
  for (const [index, cell] of cells.entries()) {
    if (!mayGoOn(course)) break;
    const before = performance.eventLoopUtilization();
    const onFraction = (fraction: number) =>
      course.tell(
        (index + fraction) / cells.length,
        `${describeWays([cell])}, ${cell.callers} callers`,
      );
    const run = await runCell(course, cell, (source) =>
      closedLoop({
        source,
        clock: context.environment.clock,
        signal: course.signal,
        durationMs: cellMs,
        callersAt: callersOf(cell.callers),
        thinkMs: 0,
        onFraction,
      }),
    );
    if ('kind' in run) {
      problems.push(run.sentence);
      continue;
    }
    const eventLoop = performance.eventLoopUtilization(before).utilization;
    if (!course.signal.aborted) rows.push({ ...cell, load: run.load, eventLoop });
    if (run.trouble !== null)
      problems.push(
        `${describeWays([cell])}, ${cell.callers} callers, ended early: ${run.trouble}`,
      );
  }
  if (rows.every(({ load }) => load.requests === 0))
    return refuse(course.endedBy ?? problems[0] ?? 'No request was answered.');
  return {
    ...toResultHead(context, {
      partial: course.endedBy,
      notes: [...notes, ...problems.map(capitalise)],
      errors: addErrors(rows.map(({ load }) => load.errors)),
    }),
    experiment: 'compare',
    verdict: judgeCompare(rows),
    poolSize,
    rows,
  };
}

/** Failures of one way end that way, not the comparison. */
async function runCell(
  course: Course<CompareRequest>,
  { strategy, connections }: Cell,
  drive: (source: ConnectionSource) => Promise<LoadRun>,
): Promise<LoadRun | Refusal> {
  if (strategy === 'pool')
    return loadPool(course, { max: connections, waitLimitMs }, ({ source }) => drive(source));
  const { context } = course;
  const { request, workload, environment } = context;
  const send = async ({ undoing }: OpenedClient) =>
    void (await undoing.run(workload.next(environment.random)));
  if (strategy === 'new-connection') {
    const source = openNewConnections(
      () => open(context, { pipeline: false, isBrief: true }),
      send,
      connections,
    );
    return drive(source).finally(() => source.close());
  }
  try {
    const opened = await open(context, {
      pipeline: strategy === 'pipelined-client',
      isBrief: false,
    });
    return await drive(shareOneClient(opened, send)).finally(() =>
      course.signal.aborted ? opened.drop() : opened.close(),
    );
  } catch (error) {
    const { target, secret } = request;
    return refuse(toDatabaseFailure(error, { target, secret, during: 'connect' }).sentence);
  }
}

function open(
  { request, environment, workload, observer, tally }: ExperimentContext<CompareRequest>,
  { pipeline, isBrief }: { readonly pipeline: boolean; readonly isBrief: boolean },
): Promise<OpenedClient> {
  const timeoutMs = toStatementTimeoutMs(workload.meanMs, request.poolSize);
  return openClient(request.target, request.secret, {
    ...toProbeLimits(environment, timeoutMs),
    tally,
    pipeline,
    isBrief,
    startup: observer.startup,
    isPooled: observer.isPooled,
    patienceMs: timeoutMs + Math.max(...request.callers) * Math.max(10, 2 * workload.meanMs),
  });
}
