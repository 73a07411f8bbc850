import { readdirSync, readFileSync } from 'node:fs';

/** File descriptors that Node.js takes for a thread. */
const ofThread = 4;
/** What else is open at a time: files that are read, modules that are loaded. */
const ofWork = 8;

/**
 * How many threads the limit of open files leaves room for. One that it leaves none for dies at its start, or takes every file that it
 * cannot open for one that is not there. Infinity where the system does not tell.
 */
export function roomForThreads(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'latin1');
    const most = /^Max open files\s+(\d+)/mu.exec(limits)?.[1] ?? Infinity;
    const left = Number(most) - readdirSync('/proc/self/fd').length;
    return Math.max(0, Math.floor((left - ofWork) / ofThread));
  } catch {
    return Infinity;
  }
}
