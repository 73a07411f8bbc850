import { cpus } from 'node:os';
import { performance } from 'node:perf_hooks';
import type { MachineUse } from './keeper-messages.ts';
import { readGroup, type GroupMember } from './process-group.ts';

interface Reading {
  readonly atMs: number;
  readonly idleMs: number;
  readonly members: readonly GroupMember[] | null;
}

/** Tells at each call what happened since the call before; null at the first. */
export function createUseMeter(group: number): () => Promise<MachineUse | null> {
  let before: Reading | null = null;
  return async () => {
    const now: Reading = {
      atMs: performance.now(),
      idleMs: cpus().reduce((total, { times }) => total + times.idle, 0),
      members: await readGroup(group),
    };
    const use = before === null ? null : compareReadings(before, now);
    before = now;
    return use;
  };
}

function compareReadings(before: Reading, now: Reading): MachineUse {
  const wallMs = Math.max(1, now.atMs - before.atMs);
  const cores =
    now.members?.map(
      ({ pid, cpuMs }) =>
        Math.max(0, cpuMs - (before.members?.find((member) => member.pid === pid)?.cpuMs ?? 0)) /
        wallMs,
    ) ?? null;
  return {
    appCores: cores?.reduce((total, each) => total + each, 0) ?? null,
    busiestCores: cores === null ? null : Math.max(0, ...cores),
    idleCores: Math.max(0, (now.idleMs - before.idleMs) / wallMs),
  };
}
