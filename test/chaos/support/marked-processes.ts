import { readdirSync, readFileSync } from 'node:fs';

/** In the environment of everything that a trial starts; what they start in turn inherits it, orphans included. */
export const markName = 'POOLGUARD_CHAOS_TRIAL';

export interface MarkedProcess {
  readonly pid: number;
  /** The program and its arguments, separated by spaces. */
  readonly command: string;
}

/** The processes of one trial that live, those whose parent has gone included. Reads `/proc`, which only Linux has. */
export function markedProcesses(mark: string): readonly MarkedProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => readProc(name, 'environ').split('\0').includes(`${markName}=${mark}`))
    .map((name) => ({
      pid: Number(name),
      command: readProc(name, 'cmdline').replaceAll('\0', ' ').trim(),
    }));
}

/** Everything below a process, the process itself first. */
export function processTree(pid: number): readonly number[] {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
    .map(Number);
  return [pid, ...children.flatMap(processTree)];
}

function parentOf(pid: string): number {
  // The name, in brackets, may hold spaces and brackets of its own.
  return Number(/^.*\) \S+ (\d+)/s.exec(readProc(pid, 'stat'))?.[1] ?? -1);
}

/** Empty for a process that has gone meanwhile, and for one that nobody has asked how it ended. */
function readProc(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return '';
  }
}
