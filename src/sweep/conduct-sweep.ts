import { availableParallelism } from 'node:os';
import { shuffle } from 'simple-statistics';
import { refuse, type Refusal } from '../probe/refusal.ts';
import { schemaVersion } from '../probe/result-head.ts';
import { mostUsers, totalSeconds } from '../probe/users/users-at.ts';
import type { Listener } from '../running/listener.ts';
import { findLocalPort, isPortTaken, type LocalPort } from './app/local-port.ts';
import { arrangeByRestart, type Arrangement, shortGraceMs } from './arrange/started-application.ts';
import { arrangeLive } from './arrange/live.ts';
import { describeHeld, listNotes } from './sweep-notes.ts';
import { findUnread, judgeSweep } from './judge-sweep.ts';
import { measureTurn, type Turn } from './measure-turn.ts';
import {
  type SweepEvent,
  type SweepPlan,
  type SweepRequest,
  type SweepEnvironment,
  toPlan,
} from './sweep-request.ts';
import type { SweepResult } from './sweep-result.ts';
import { toRows } from './to-rows.ts';
import { createPoolWatch, type PoolWatch } from './watch/pool-watch.ts';
import { openServerWatch, type ServerWatch } from './watch/server-watch.ts';

/** Runs a sweep from the first sample to the last process gone. Every end is one event; never rejects for the application's reasons. */
export async function conductSweep(
  request: SweepRequest,
  around: SweepEnvironment,
): Promise<SweepEvent> {
  const port = await checkRequest(request, around);
  if (port.kind === 'refused') return endOf(port, around);
  const server = await openServerWatch(request, around);
  if (server.kind === 'refused') return endOf(server, around);
  try {
    const plan = toPlan(request, around.tool.name, server.notes);
    if (request.dryRun) return { kind: 'plan', plan };
    around.emit({ kind: 'plan', plan });
    if (!(await around.confirm(plan))) return { kind: 'cancelled' };
    return await sweepWith({ request, around, server, port, plan });
  } finally {
    await server.close();
  }
}

/** What can be refused before anything is started. */
async function checkRequest(
  { http, readyUrl, stages }: SweepRequest,
  { tool }: SweepEnvironment,
): Promise<({ readonly kind: 'port' } & LocalPort) | Refusal> {
  if (mostUsers(stages) < 1 || totalSeconds(stages) <= 0)
    return refuse(
      'The stages have no users. Use the form 10s:10,20s:30: the length of each stage, and the number of users at its end.',
    );
  const port = await findLocalPort(http.url);
  if (port.kind === 'problem') return refuse(port.sentence);
  const ready = readyUrl === null ? port : await findLocalPort(readyUrl);
  if (ready.kind === 'problem') return refuse(`--ready-url: ${ready.sentence}`);
  const problem = await tool.check();
  if (problem !== null) return refuse(problem);
  if (await isPortTaken(port))
    return refuse(
      `Another program already listens on ${port.host}:${port.port}. The sweep starts the application itself: stop that program, or use another port in --url.`,
    );
  return port;
}

interface Sweeping {
  readonly request: SweepRequest;
  readonly around: SweepEnvironment;
  readonly server: ServerWatch;
  readonly port: LocalPort;
  readonly plan: SweepPlan;
}

/** Longer than a request should take, and short enough to be told while the last answers are waited for. */
const heldMs = '2000';

async function sweepWith(sweeping: Sweeping): Promise<SweepEvent> {
  const { request, around, server, port } = sweeping;
  const pools = createPoolWatch();
  const opened = await around
    .listen({ onReport: pools.onReport, onGone: pools.onGone })
    .catch((error: unknown) =>
      refuse(
        `The monitor's socket could not be opened: ${error instanceof Error ? error.message : 'unknown reason'}`,
      ),
    );
  if ('kind' in opened) return endOf(opened, around);
  await using listener: Listener = opened;
  const start = {
    request,
    around,
    server,
    port,
    variables: {
      ...(around.environment['POOLGUARD_HELD_MS'] === undefined && { POOLGUARD_HELD_MS: heldMs }),
      ...listener.variables(around.environment),
    },
  };
  const arrangement =
    request.variable === null
      ? arrangeLive({ ...start, listener, pools })
      : arrangeByRestart(start, request.variable);
  const startedMs = around.clock.now();
  const course = await runTurns(sweeping, arrangement, { pools, listener }).finally(() =>
    arrangement.end(around.signal.aborted ? shortGraceMs : request.stopTimeoutMs),
  );
  if (around.signal.aborted) return { kind: 'cancelled' };
  if (course.turns.length === 0)
    return { kind: 'failed', sentence: course.trouble ?? 'Nothing was measured.' };
  return {
    kind: 'result',
    result: toResult(sweeping, course, pools, around.clock.now() - startedMs),
  };
}

interface Course {
  readonly turns: readonly Turn[];
  /** The sizes in the order in which they ran. */
  readonly order: readonly number[];
  /** What ended it early; null when it ran to its end. */
  readonly trouble: string | null;
  readonly notes: readonly string[];
}

async function runTurns(
  { request, around, server }: Sweeping,
  arrangement: Arrangement,
  { pools, listener }: { readonly pools: PoolWatch; readonly listener: Listener },
): Promise<Course> {
  const { passes, sizes } = request;
  const order = Array.from({ length: passes }, () => shuffle([...sizes], around.random)).flat();
  const turns: Turn[] = [];
  const notes = new Set<string>();
  for (const [index, max] of order.entries()) {
    const words = `max ${max}${passes === 1 ? '' : `, pass ${Math.floor(index / sizes.length) + 1} of ${passes}`}`;
    const tell = (
      fraction: number,
      doing: string,
      load: Extract<SweepEvent, { kind: 'progress' }>['load'] = null,
    ) =>
      around.emit({
        kind: 'progress',
        fraction: (index + fraction) / order.length,
        doing: `${words}: ${doing}`,
        load,
      });
    const arranged = await arrangement.arrange(max, (doing) => tell(0, doing));
    const answer =
      arranged.kind !== 'arranged'
        ? arranged
        : await measureTurn(max, {
            request,
            server,
            pools,
            listener,
            ...arranged,
            tool: around.tool,
            clock: around.clock,
            signal: around.signal,
            onWarmUp: (seconds) => tell(0, `warming up (${seconds} s)`),
            onProgress: ({ fraction, users, requests }, waiting) =>
              tell(fraction, 'under load', { users, requests, waiting }),
          });
    if (answer.kind !== 'turn')
      return {
        turns,
        order,
        trouble: answer.kind === 'problem' ? answer.sentence : null,
        notes: [...notes],
      };
    const breach = server.breach();
    // Whatever was seen by then came from a server that lies.
    if (breach !== null) return { turns: [], order: [], trouble: breach, notes: [] };
    turns.push(answer);
    // The rest would only repeat that the variable is not read.
    if (findUnread(toRows(turns)) !== null) break;
    if (index < order.length - 1 && request.variable !== null)
      note(notes, await arrangement.end(request.stopTimeoutMs));
  }
  note(notes, await arrangement.end(request.stopTimeoutMs));
  return { turns, order: order.slice(0, turns.length), trouble: null, notes: [...notes] };
}

function note(notes: Set<string>, sentence: string | null): void {
  if (sentence !== null) notes.add(sentence);
}

function toResult(
  { request, around, server }: Sweeping,
  { turns, order, trouble, notes }: Course,
  pools: PoolWatch,
  elapsedMs: number,
): SweepResult {
  const { command, variable, http, stages, thinkMs, passes } = request;
  const rows = toRows(turns);
  const held = findHeld(turns, request.folder);
  const { verdict, pick } = judgeSweep(rows, {
    users: mostUsers(stages),
    thinkMs,
    cores: availableParallelism(),
    variable,
    held,
  });
  return {
    schemaVersion,
    experiment: 'sweep',
    startedAt: around.startedAt,
    elapsedMs: Math.round(elapsedMs),
    machine: {
      cores: availableParallelism(),
      platform: `${process.platform} ${process.arch}`,
      node: process.version,
    },
    application: { command, variable, url: http.url, method: http.method },
    load: { tool: around.tool.name, stages, thinkMs, passes },
    rows,
    verdict,
    pick: trouble === null ? pick : null,
    limits: server.limits?.limits ?? [],
    partial: trouble,
    notes: [
      ...notes,
      ...listNotes(rows, {
        order,
        broken: pools.broken,
        pick,
        limits: server.limits?.limits ?? [],
        cores: availableParallelism(),
        tool: around.tool.name,
      }),
      ...server.notes,
    ],
  };
}

/** Of the turn in which most clients were out, the larger pool first. */
function findHeld(turns: readonly Turn[], folder: string): string | null {
  const [worst] = turns
    .flatMap(({ pools }) => pools.held ?? [])
    .sort((one, other) => other.count - one.count || other.max - one.max);
  return worst === undefined ? null : describeHeld(worst, folder);
}

/** After a cancel nothing is refused any more: what went wrong went wrong because of it. */
function endOf({ sentence }: Refusal, { signal }: SweepEnvironment): SweepEvent {
  return signal.aborted ? { kind: 'cancelled' } : { kind: 'failed', sentence };
}
