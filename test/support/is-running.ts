import { readFileSync } from 'node:fs';

/** Whether a process of this id exists; signal 0 only asks. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** The same, but for one that has ended and whose parent has not asked how: in a container nobody may ever do so. */
export function isAtWork(pid: number): boolean {
  if (!isRunning(pid)) return false;
  if (process.platform !== 'linux') return true;
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}
