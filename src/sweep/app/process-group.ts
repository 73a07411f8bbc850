import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { listProcesses, readProcess } from '../../machine/proc.ts';

/** A process of the application. */
export interface GroupMember {
  readonly pid: number;
  /** Processor time that it has used, in milliseconds. */
  readonly cpuMs: number;
}

/** The living members of a process group; null where this machine does not tell. */
export async function readGroup(group: number): Promise<readonly GroupMember[] | null> {
  if (process.platform === 'linux')
    return listProcesses().flatMap((pid) => {
      const seen = readProcess(pid);
      const isMember = seen?.group === group && seen.state !== 'Z' && seen.state !== 'X';
      return isMember ? [{ pid, cpuMs: seen.ranMs }] : [];
    });
  return process.platform === 'win32' ? null : await readByPs(group);
}

async function readByPs(group: number): Promise<readonly GroupMember[] | null> {
  const answer = await promisify(execFile)('ps', ['-A', '-o', 'pid=,pgid=,stat=,time=']).catch(
    () => null,
  );
  if (answer === null) return null;
  return answer.stdout.split('\n').flatMap((line) => {
    const [pid, its, state, time] = line.trim().split(/\s+/);
    return pid === undefined ||
      time === undefined ||
      Number(its) !== group ||
      state?.startsWith('Z') === true
      ? []
      : [{ pid: Number(pid), cpuMs: readTime(time) }];
  });
}

/** `[days-]hours:minutes:seconds`, the first two where they are needed. */
function readTime(text: string): number {
  const [clock = '', days = '0'] = text.split('-').reverse();
  return (
    clock.split(':').reduce((seconds, part) => seconds * 60 + Number(part), 0) * 1000 +
    Number(days) * 86_400_000
  );
}

/** Whether anybody of the group is still at work. */
export async function isGroupAlive(group: number): Promise<boolean> {
  if (process.platform === 'win32') return canSignal(group);
  if (!canSignal(-group)) return false;
  // Those who have ended, and whose parent never asked, can still be signalled.
  const members = await readGroup(group);
  return members === null || members.length > 0;
}

function canSignal(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Asks the group to end, or ends it. Windows has no groups: there the tree of processes is ended, in either case at once. */
export function signalGroup(group: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (process.platform === 'win32') {
    spawn('taskkill', ['/pid', String(group), '/T', '/F'], { stdio: 'ignore' }).on(
      'error',
      () => undefined,
    );
    return;
  }
  try {
    process.kill(-group, signal);
  } catch {
    // Nobody is left.
  }
}
