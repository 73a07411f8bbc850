import type { Fault } from './trial.ts';

function signalled(signal: NodeJS.Signals): Fault {
  return {
    name: signal,
    sent: signal,
    strike: ({ running }) => {
      running.child.kill(signal);
      return Promise.resolve();
    },
  };
}

/** What happens to processes of ours. */
export const processFaults: readonly Fault[] = [
  ...(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'] as const).map(signalled),
  {
    name: 'standard output is closed',
    mutes: true,
    strike: ({ running }) => {
      running.child.stdout?.destroy();
      return Promise.resolve();
    },
  },
  {
    name: 'both outputs are closed',
    mutes: true,
    strike: ({ running }) => {
      running.child.stdout?.destroy();
      running.child.stderr?.destroy();
      return Promise.resolve();
    },
  },
];

/** The processes that a subject has started itself are killed: the probe's measuring process, the keeper of an application. */
export const childFaults: readonly Fault[] = [
  {
    name: 'SIGKILL of a process that it started',
    strike: ({ arena, running, random }) => {
      const children = arena.processes().filter(({ pid }) => pid !== running.child.pid);
      const victim = children[Math.floor(random() * children.length)];
      if (victim !== undefined) process.kill(victim.pid, 'SIGKILL');
      return Promise.resolve();
    },
  },
];
