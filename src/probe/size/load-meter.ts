import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { performance, type EventLoopUtilization } from 'node:perf_hooks';
import type { SliceLoad } from './slice.ts';

/** Running totals; times are in milliseconds of one core. */
export interface LoadReading {
  readonly atMs: number;
  readonly ownMs: number;
  readonly busyMs: number;
  readonly idleMs: number;
  /** Null when the backends run elsewhere. */
  readonly backendsMs: number | null;
  readonly eventLoop: EventLoopUtilization;
}

export interface LoadMeter {
  /** False when the server's CPU use is out of sight, so that other programs cannot be told from it. */
  readonly seesBackends: boolean;
  read(): LoadReading;
}

/** The kernel counts in ticks of 1/100 s in `/proc/PID/stat` (proc(5); USER_HZ is 100 on every Linux that Node runs on). */
const tickMs = 10;

/** Watches this machine and, on Linux with the server on it, the backends with these process ids. */
export function createLoadMeter(pids: readonly number[], isServerLocal: boolean): LoadMeter {
  const seesBackends = isServerLocal && process.platform === 'linux' && pids.length > 0 && pids.every(isPostgres);
  return {
    seesBackends,
    read: () => {
      const host = readHost();
      const own = process.cpuUsage();
      return {
        atMs: performance.now(),
        ownMs: (own.user + own.system) / 1000,
        ...host,
        backendsMs: seesBackends ? pids.reduce((total, pid) => total + readProcessMs(pid), 0) : null,
        eventLoop: performance.eventLoopUtilization(),
      };
    },
  };
}

/** What happened between two readings of the same meter. */
export function compareReadings(before: LoadReading, after: LoadReading): SliceLoad {
  const wallMs = Math.max(1, after.atMs - before.atMs);
  const ownCores = (after.ownMs - before.ownMs) / wallMs;
  const busyCores = (after.busyMs - before.busyMs) / wallMs;
  const backendCores = after.backendsMs === null || before.backendsMs === null ? null : (after.backendsMs - before.backendsMs) / wallMs;
  return {
    cores: cpus().length,
    eventLoop: performance.eventLoopUtilization(after.eventLoop, before.eventLoop).utilization,
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
