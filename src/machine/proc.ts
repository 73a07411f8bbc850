import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

// What the kernel tells below /proc (proc(5)): of Linux alone, and of processes that may be gone a moment later.

/** A file; empty when there is none, or not for us. */
export function readProc(path: string): string {
  return orElse('', () => readFileSync(`/proc/${path}`, 'latin1'));
}

/** The names in a folder; none when there is no such folder, or not for us. */
export function listProc(path: string): readonly string[] {
  return orElse([], () => readdirSync(`/proc/${path}`));
}

/** Where a link leads; null when there is none, or not for us. */
export function linkInProc(path: string): string | null {
  return orElse(null, () => readlinkSync(`/proc/${path}`));
}

/** Ids of the processes that there are. */
export function listProcesses(): readonly number[] {
  return listProc('')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/** The kernel counts in ticks of 1/100 s (USER_HZ is 100 on every Linux that Node runs on). */
export const tickMs = 10;

/** A process as the kernel sees it. */
export interface SeenProcess {
  /** The beginning of its program's name, for example "postgres". */
  readonly name: string;
  /** A letter; `Z` and `X` for one that has ended. */
  readonly state: string;
  readonly group: number;
  /** Time on a processor, in milliseconds. */
  readonly ranMs: number;
}

/** Null for one that is not seen. The name, in parentheses, may hold anything; behind it come state, parent, group, … user time is the 12th, system time the 13th. */
export function readProcess(pid: number): SeenProcess | null {
  const text = readProc(`${pid}/stat`);
  const end = text.lastIndexOf(')');
  if (end < 0) return null;
  const fields = text.slice(end + 2).split(' ');
  return {
    name: text.slice(text.indexOf('(') + 1, end),
    state: fields[0] ?? '',
    group: Number(fields[2]),
    ranMs: (Number(fields[11]) + Number(fields[12])) * tickMs,
  };
}

function orElse<Value>(otherwise: Value, read: () => Value): Value {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
