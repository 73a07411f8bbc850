import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { monitorEventLoopDelay, performance, type EventLoopUtilization } from 'node:perf_hooks';
import type { SliceLoad } from './slice.ts';

/** Running totals; times are in milliseconds of one core. */
export interface LoadReading {
  readonly atMs: number;
  readonly ownMs: number;
  readonly busyMs: number;
  readonly idleMs: number;
  /** Null when the backends run elsewhere. */
  readonly backendsMs: number | null;
  /** Of each generator thread. */
  readonly eventLoops: readonly EventLoopUtilization[];
}

export interface LoadMeter {
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

/** The kernel counts in ticks of 1/100 s in `/proc/PID/stat` (proc(5); USER_HZ is 100 on every Linux that Node runs on). */
const tickMs = 10;

/** The delay is sampled by a timer of this period, which is part of what it measures. */
const lagResolutionMs = 1;

/** Watches this machine and, on Linux with the server on it, the backends with these process ids. */
export function createLoadMeter(
  pids: readonly number[],
  isServerLocal: boolean,
  threads: GeneratorThreads | null = null,
): LoadMeter {
  const seesBackends =
    isServerLocal && process.platform === 'linux' && pids.length > 0 && pids.every(isPostgres);
  const lag = monitorEventLoopDelay({ resolution: lagResolutionMs });
  if (threads === null) lag.enable();
  return {
    seesBackends,
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
        backendsMs: seesBackends
          ? pids.reduce((total, pid) => total + readProcessMs(pid), 0)
          : null,
        eventLoops: threads?.eventLoops() ?? [performance.eventLoopUtilization()],
      };
    },
  };
}

/** What happened between two readings of the same meter. */
export function compareReadings(before: LoadReading, after: LoadReading): SliceLoad {
  const wallMs = Math.max(1, after.atMs - before.atMs);
  const ownCores = (after.ownMs - before.ownMs) / wallMs;
  const busyCores = (after.busyMs - before.busyMs) / wallMs;
  const backendCores =
    after.backendsMs === null || before.backendsMs === null
      ? null
      : (after.backendsMs - before.backendsMs) / wallMs;
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
    foreignCores: backendCores === null ? null : Math.max(0, busyCores - ownCores - backendCores),
  };
}

function readHost(): { busyMs: number; idleMs: number } {
  const totals = { busyMs: 0, idleMs: 0 };
  for (const { times } of cpus()) {
    totals.busyMs += times.user + times.nice + times.sys + times.irq;
    totals.idleMs += times.idle;
  }
  return totals;
}

/** Guards against a server behind a forwarded port, whose process ids mean something else here. */
function isPostgres(pid: number): boolean {
  return /^\d+ \(postgres\)/.test(readProc(pid));
}

/** `utime` and `stime`, fields 14 and 15; the name in field 2 may hold spaces, so count from its closing parenthesis. */
function readProcessMs(pid: number): number {
  const fields = readProc(pid).split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * tickMs;
}

/** Empty when the process is gone. */
function readProc(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return '';
  }
}
