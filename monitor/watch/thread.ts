import type { AsyncResource } from 'node:async_hooks';
import { threadId } from 'node:worker_threads';
import { socketVariables } from '../options.ts';
import { type Command, protocolVersion, type Report } from '../report.ts';
import type { Measured, Reporter } from '../reporter.ts';
import type { MakeReporters } from '../reporters/create-reporters.ts';
import type { Settings } from '../settings.ts';
import { createSourceFinder, type FindSource } from './source-maps.ts';

/** What the watches of one thread share: where they report, and what happens when the monitor itself fails. */
export interface Thread {
  readonly findSource: FindSource;
  /** Stacks of checkouts that come back by themselves, and of releases. */
  readonly stacks: Allowance;
  readonly mistakes: Allowance;
  nextCheckout(): number;
  readonly tell: (report: Report) => void;
  /** Null while no reporter wants to hear each measurement. */
  readonly measured: ((pool: number, what: Measured, ms: number) => void) | null;
  /** Something changed that should be looked at soon. */
  quicken(): void;
  /** Does work of the monitor that must not be felt by the application; `otherwise` when it fails. */
  guard<T>(work: () => T, otherwise: T): T;
  /** The monitor itself made a mistake: it says so once and watches no longer. */
  fail(error: unknown): void;
  stop(): void;
}

export interface ThreadParts {
  readonly settings: Settings;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly makeReporters: MakeReporters;
  readonly quicken: () => void;
  readonly onCommand: (command: Command) => void;
  readonly onFailure: () => void;
  readonly say: (sentence: string) => void;
}

/** So many stacks a second are kept of what can do without: see `PoolWatch.ask`. */
const stacksPerSecond = 1_000;
/** So many mistakes a second are told: one line makes the same one with each request. */
const mistakesPerSecond = 10;

export function createThread({
  settings,
  environment,
  makeReporters,
  quicken,
  onCommand,
  onFailure,
  say,
}: ThreadParts): Thread {
  let reporters: readonly Reporter[] = [];
  let isBroken = false;
  let checkouts = 0;
  const tell = (report: Report) => {
    for (const reporter of reporters) reporter.tell(report);
  };
  const fail = (error: unknown) => {
    if (isBroken) return;
    isBroken = true;
    onFailure();
    const sentence = `The monitor failed and has stopped; the application is not affected. ${describe(error)}`;
    say(sentence);
    attempt(() => tell({ kind: 'broken', sentence }));
  };
  const guard = <T>(work: () => T, otherwise: T): T => {
    if (isBroken) return otherwise;
    try {
      return work();
    } catch (error) {
      fail(error);
      return otherwise;
    }
  };
  const thread = {
    findSource: createSourceFinder(),
    stacks: createAllowance(stacksPerSecond),
    mistakes: createAllowance(mistakesPerSecond),
    nextCheckout: () => (checkouts += 1),
    tell: (report: Report) => guard(() => tell(report), undefined),
    quicken,
    guard,
    fail,
    stop: () => attempt(() => reporters.forEach((reporter) => reporter.stop())),
  };
  reporters = guard(
    () =>
      makeReporters(settings, (command) => guard(() => onCommand(command), undefined), environment),
    [],
  );
  thread.tell(sayHello(environment));
  const counting = reporters.filter((reporter) => 'measured' in reporter);
  return {
    ...thread,
    measured:
      counting.length === 0
        ? null
        : (pool, what, ms) => counting.forEach((reporter) => reporter.measured?.(pool, what, ms)),
  };
}

function attempt(work: () => void): void {
  try {
    work();
  } catch {
    // It has been said that the monitor failed.
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

/** Lets through so many a second, and says no to what is more. */
interface Allowance {
  take(now: number): boolean;
}

/** `now` is in milliseconds on any clock that does not go back. */
function createAllowance(perSecond: number): Allowance {
  let left = perSecond;
  let filledAt = Number.NEGATIVE_INFINITY;
  return {
    take: (now) => {
      if (left < 1) {
        if (now - filledAt < 1000) return false;
        left = perSecond;
      }
      if (left === perSecond) filledAt = now;
      left -= 1;
      return true;
    },
  };
}

/** Who this thread is. */
function sayHello(environment: Readonly<Record<string, string | undefined>>): Report {
  return {
    kind: 'hello',
    version: protocolVersion,
    token: environment[socketVariables.token] ?? '',
    pid: process.pid,
    parentPid: process.ppid,
    threadId,
    script: process.argv[1] ?? 'node',
    folder: process.cwd(),
    node: process.version,
    startedAt: Math.round(performance.timeOrigin),
  };
}

/** One timer of a thread, which neither keeps it alive nor wakes it while nothing happens. */
export interface Pulse {
  /** Something changed: the next beat comes soon. */
  quicken(): void;
  stop(): void;
}

/** `tick` says in how many milliseconds it wants to be called again; it is called outside of the request on whose way it was asked for. */
export function startPulse(tick: () => number, soonMs: number, outside: AsyncResource): Pulse {
  let timer: NodeJS.Timeout | null = null;
  let isSoon = false;
  const plan = (ms: number) => {
    isSoon = ms <= soonMs;
    timer = outside.runInAsyncScope(() => setTimeout(run, ms)).unref();
  };
  const run = () => {
    timer = null;
    plan(tick());
  };
  plan(soonMs);
  return {
    quicken: () => {
      if (isSoon || timer === null) return;
      clearTimeout(timer);
      plan(soonMs);
    },
    stop: () => {
      if (timer !== null) clearTimeout(timer);
      timer = null;
    },
  };
}
