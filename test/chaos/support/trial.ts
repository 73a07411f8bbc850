import { setTimeout as wait } from 'node:timers/promises';
import { openArena, type Arena } from './arena.ts';
import type { ChaosServer } from './chaos-server.ts';
import { note } from './ledger.ts';
import type { Exit, Running, Subject } from './subject.ts';

/** What a fault has in its hands. */
export interface Scene {
  readonly arena: Arena;
  readonly running: Running;
  readonly random: () => number;
}

/** Something that goes wrong at a moment, and comes right again where it can. */
export interface Fault {
  readonly name: string;
  /** Strikes, holds, and resolves when it is over. */
  readonly strike: (scene: Scene) => Promise<void>;
  /** What the process of the subject is sent: it ends by it, in good time. */
  readonly sent?: NodeJS.Signals;
  /** Whether nobody hears what the subject says any more. */
  readonly mutes?: true;
}

/** After its end, and that of the fault, nothing of a subject may be left after this time, in milliseconds. */
const cleanMs = 5000;
/** What is asked to end has this long, in milliseconds. A probe takes three seconds at most (`run-probe.ts`); the rest is for a machine that is busy. */
const endMs = 15_000;
/** What ends by itself, or comes back by itself, is given this long for it on a machine that is busy, in milliseconds. */
const patienceMs = 90_000;

/** Tries one fault on one subject, notes what came of it, and gives the complaints: none when it survived. */
export async function tryOut(
  fault: Fault,
  subject: Subject,
  server: ChaosServer,
  random: () => number,
): Promise<readonly string[]> {
  await using arena = await openArena(server, subject.way);
  if (subject.lateMs !== undefined)
    arena.relay.inflict({ kind: 'late', delayMs: subject.lateMs, jitterMs: 0, random });
  const running = await subject.start(arena);
  await moment(fault, subject, arena, running, random);
  await fault.strike({ arena, running, random });
  const [exit, late] = await bringToAnEnd(fault, subject, running);
  const [left, tookMs] = await untilClean(arena);
  const complaints = [...late, ...left, ...running.complaints(exit, fault)];
  note({ fault: fault.name, subject: subject.name, complaints, cleanMs: tookMs });
  return complaints;
}

/** Every third time from the very start, when nothing is connected yet; a signal comes when somebody is there to hear it. */
async function moment(
  { sent }: Fault,
  { spanMs }: Subject,
  { relay }: Arena,
  { ended }: Running,
  random: () => number,
): Promise<void> {
  const isEarly = random() < 1 / 3 && sent === undefined;
  if (!isEarly) await Promise.race([pollFor(() => relay.taken > 0, patienceMs), ended]);
  await Promise.race([wait(Math.round(random() * spanMs)), ended]);
}

async function bringToAnEnd(
  { sent, mutes }: Fault,
  { pulse }: Subject,
  running: Running,
): Promise<readonly [Exit, readonly string[]]> {
  const late: string[] = [];
  if (sent === undefined && mutes === undefined && pulse !== undefined) {
    if (!(await beatsAgain(running, pulse)))
      late.push(
        `no sign of life after the fault: ${JSON.stringify((running.stdout() + running.stderr()).slice(-400))}`,
      );
    running.child.kill('SIGINT');
  }
  const limitMs = sent !== undefined || pulse !== undefined ? endMs : patienceMs;
  const exit = await within(running.ended, limitMs);
  if (exit !== null) return [exit, late];
  running.child.kill('SIGKILL');
  return [
    await running.ended,
    [
      ...late,
      `it did not end within ${limitMs / 1000} s: ${JSON.stringify(running.stderr().slice(-400))}`,
    ],
  ];
}

/** Whether it says, from now on, that all is well. */
async function beatsAgain({ stdout, ended }: Running, pulse: RegExp): Promise<boolean> {
  const from = stdout().length;
  const isOver = await within(
    Promise.race([ended, pollFor(() => pulse.test(stdout().slice(from)), patienceMs)]),
    patienceMs,
  );
  return isOver === true;
}

async function pollFor(condition: () => boolean, limitMs: number): Promise<boolean> {
  const end = performance.now() + limitMs;
  while (!condition() && performance.now() < end) await wait(10);
  return condition();
}

/** Null when it took longer. */
async function within<Value>(promise: Promise<Value>, limitMs: number): Promise<Value | null> {
  const timer = new AbortController();
  const late = wait(limitMs, null, { signal: timer.signal }).catch(() => null);
  try {
    return await Promise.race([promise, late]);
  } finally {
    timer.abort();
  }
}

/** What is left after the time that it has, and how long that took in milliseconds. */
async function untilClean(arena: Arena): Promise<readonly [readonly string[], number]> {
  const began = performance.now();
  const look = async () => [
    ...(await arena.sessions()).map((session) => `a session: ${session}`),
    ...arena.processes().map(({ pid, command }) => `a process: ${pid} ${command}`),
  ];
  let left = await look();
  while (left.length > 0 && performance.now() - began < cleanMs) {
    await wait(50);
    left = await look();
  }
  const tookMs = performance.now() - began;
  const files = (await arena.leftFiles()).filter((path) => path !== 'report.json');
  return [[...left, ...files.map((path) => `a file: ${path}`)], tookMs];
}
