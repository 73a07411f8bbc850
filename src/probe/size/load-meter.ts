import { cpus } from 'node:os';
import { monitorEventLoopDelay, performance, type EventLoopUtilization } from 'node:perf_hooks';
import { sum } from 'simple-statistics';
import { listProc, readProc, readProcess, tickMs } from '../../machine/proc.ts';
import type { Clock } from '../clock.ts';
import type { SliceLoad } from './slice.ts';

/** Running totals; times are in milliseconds of one core. */
export interface LoadReading {
  readonly atMs: number;
  readonly ownMs: number;
  readonly busyMs: number;
  readonly idleMs: number;
  /** Given to other virtual machines; null where the kernel does not say. */
  readonly stolenMs: number | null;
  /** Null when the backends run elsewhere. */
  readonly backendsMs: number | null;
  /** Spent in the line for a processor; null where the kernel does not say. */
  readonly waitingMs: { readonly backends: number; readonly probe: number } | null;
  /** Of each generator thread. */
  readonly eventLoops: readonly EventLoopUtilization[];
}

export interface LoadMeter {
  /** Counts these processes of the server from now on, those of them that are not counted yet. */
  watch(pids: readonly number[]): void;
  /** False when the server's CPU use is out of sight, so that other programs cannot be told from it. */
  readonly seesBackends: boolean;
  read(): LoadReading;
  /** How late the event loop was since the meter began, as a 99th percentile in milliseconds. */
  lagP99Ms(): number;
  stop(): void;
}

/** The event loops that make the load. */
export interface GeneratorThreads {
  readonly eventLoops: () => readonly EventLoopUtilization[];
  readonly lagP99Ms: () => number;
}

/** The delay is sampled by a timer of this period, which is part of what it measures. */
const lagResolutionMs = 1;

export interface Metered {
  /** Process ids that the server gave the probe's own sessions; of a pooler's backends they are seen as they work. */
  readonly pids: readonly number[];
  /** The process that passes statements on, whose work is the load's as well; null where the server is reached directly. */
  readonly pooler: number | null;
  readonly isServerLocal: boolean;
  readonly threads?: GeneratorThreads | null;
}

/** Watches this machine and, on Linux with the server on it, the processes that work for the probe. */
export function createLoadMeter({
  pids,
  pooler,
  isServerLocal,
  threads = null,
}: Metered): LoadMeter {
  const isHere = isServerLocal && process.platform === 'linux';
  const counted = new Map<number, Used>();
  const watch = (added: readonly number[]) => {
    if (isHere)
      for (const pid of added)
        // Behind a forwarded port process ids of the server mean something else here.
        if (!counted.has(pid) && readProcess(pid)?.name === 'postgres')
          counted.set(pid, readUsed(pid));
  };
  watch(pids);
  const seesAll = pids.length > 0 && pids.every((pid) => counted.has(pid));
  if (pooler !== null && isHere) counted.set(pooler, readUsed(pooler));
  /** A pooler alone may have its server anywhere. */
  const seesBackends = () => (pooler === null ? seesAll : counted.size > 1);
  const lag = monitorEventLoopDelay({ resolution: lagResolutionMs });
  if (threads === null) lag.enable();
  return {
    watch,
    get seesBackends() {
      return seesBackends();
    },
    lagP99Ms: () =>
      Math.max(0, (threads?.lagP99Ms() ?? lag.percentile(99) / 1e6) - lagResolutionMs),
    stop: () => void lag.disable(),
    read: () => {
      const host = readHost();
      const own = process.cpuUsage();
      return {
        atMs: performance.now(),
        ownMs: (own.user + own.system) / 1000,
        ...host,
        ...(seesBackends() ? readCounted(counted, threads === null) : outOfSight),
        eventLoops: threads?.eventLoops() ?? [performance.eventLoopUtilization()],
      };
    },
  };
}

/** What happened between two readings of the same meter. */
export function compareReadings(before: LoadReading, after: LoadReading): SliceLoad {
  const wallMs = Math.max(1, after.atMs - before.atMs);
  /** How much more, for each millisecond; null where one of the readings is. */
  const rate = (first: number | null = null, last: number | null = null) =>
    first === null || last === null ? null : (last - first) / wallMs;
  const ownCores = (after.ownMs - before.ownMs) / wallMs;
  const busyCores = (after.busyMs - before.busyMs) / wallMs;
  const backendCores = rate(before.backendsMs, after.backendsMs);
  const backends = rate(before.waitingMs?.backends, after.waitingMs?.backends);
  const probe = rate(before.waitingMs?.probe, after.waitingMs?.probe);
  return {
    cores: cpus().length,
    eventLoop: Math.max(
      ...after.eventLoops.map(
        (loop, index) =>
          performance.eventLoopUtilization(loop, before.eventLoops[index]).utilization,
      ),
    ),
    threads: after.eventLoops.length,
    ownCores,
    idleCores: Math.max(0, (after.idleMs - before.idleMs) / wallMs),
    foreignCores: backendCores === null ? null : busyCores - ownCores - backendCores,
    backendCores,
    waiting: backends === null || probe === null ? null : { backends, probe },
    stolenCores: rate(before.stolenMs, after.stolenMs),
  };
}

/** Long enough for a share of the processors, short enough beside a look at the server. */
const lookMs = 300;

/** What share of this machine's processors others use just now, 0 to 1. */
export async function measureOthers(clock: Clock, signal: AbortSignal): Promise<number> {
  const read = () => ({ ...readHost(), own: process.cpuUsage() });
  const before = read();
  await clock.wait(lookMs, signal);
  const after = read();
  const ownMs = (after.own.user + after.own.system - before.own.user - before.own.system) / 1000;
  const busyMs = after.busyMs - before.busyMs;
  const allMs = busyMs + after.idleMs - before.idleMs;
  return allMs <= 0 ? 0 : Math.min(1, Math.max(0, (busyMs - ownMs) / allMs));
}

/** The fields of the first line of `/proc/stat`, in ticks (proc(5)); Node counts neither soft interrupts nor what was stolen. */
const hostFields =
  /^cpu +(?<user>\d+) (?<nice>\d+) (?<system>\d+) (?<idle>\d+) \d+ (?<irq>\d+) (?<softirq>\d+) (?<steal>\d+)/;

function readHost(): Pick<LoadReading, 'busyMs' | 'idleMs' | 'stolenMs'> {
  const told = hostFields.exec(readProc('stat'))?.groups;
  if (told !== undefined) {
    const ms = (...names: readonly string[]) =>
      sum(names.map((name) => Number(told[name]) * tickMs));
    return {
      busyMs: ms('user', 'nice', 'system', 'irq', 'softirq'),
      idleMs: ms('idle'),
      stolenMs: ms('steal'),
    };
  }
  const times = cpus().map((cpu) => cpu.times);
  return {
    busyMs: sum(times.map(({ user, nice, sys, irq }) => user + nice + sys + irq)),
    idleMs: sum(times.map(({ idle }) => idle)),
    stolenMs: null,
  };
}

const outOfSight = { backendsMs: null, waitingMs: null } as const;

/** Since these processes began. */
interface Used {
  readonly ranMs: number;
  /** Null where the kernel does not say. */
  readonly waitedMs: number | null;
}

/** What the processes have used since they are counted. One thread makes the load, or several do; the helpers of the first keep nobody waiting. */
function readCounted(
  counted: ReadonlyMap<number, Used>,
  isOneThread: boolean,
): Pick<LoadReading, 'backendsMs' | 'waitingMs'> {
  const used = [...counted].map(([pid, before]) => ({ before, now: readUsed(pid, before) }));
  const own = isOneThread ? [process.pid] : listProc('self/task');
  return {
    backendsMs: sum(used.map(({ before, now }) => now.ranMs - before.ranMs)),
    waitingMs:
      readSchedule('self/schedstat') === null
        ? null
        : {
            backends: sum(
              used.map(({ before, now }) => (now.waitedMs ?? 0) - (before.waitedMs ?? 0)),
            ),
            probe: sum(
              own.map((thread) => readSchedule(`self/task/${thread}/schedstat`)?.waitedMs ?? 0),
            ),
          },
  };
}

/** Of a process that is gone, what was last seen. */
function readUsed(pid: number, otherwise: Used = { ranMs: 0, waitedMs: null }): Used {
  const schedule = readSchedule(`${pid}/schedstat`);
  if (schedule !== null) return schedule;
  const seen = readProcess(pid);
  return seen === null ? otherwise : { ranMs: seen.ranMs, waitedMs: null };
}

/** Nanoseconds on a processor and in the line for one; null where the kernel keeps no such count, or the process is gone. */
function readSchedule(path: string): { readonly ranMs: number; readonly waitedMs: number } | null {
  const [, ran, waited] = /^(\d+) (\d+)/.exec(readProc(path)) ?? [];
  return ran === undefined || waited === undefined
    ? null
    : { ranMs: Number(ran) / 1e6, waitedMs: Number(waited) / 1e6 };
}
