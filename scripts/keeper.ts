import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A process that owns a server, and outlives this one for as long as it takes to clean up. */
export interface Keeper {
  readonly process: ChildProcess;
  /** Fulfils when it has ended, with how it did so: what it wrote is the reason when it broke down itself. */
  readonly ended: Promise<string>;
  /** Closes the channel, whereupon it cleans up and ends. */
  stop(): Promise<void>;
}

export function startKeeper(program: URL): Keeper {
  // A group of its own, so that Ctrl-C in the terminal leaves it time to clean up.
  const keeper = fork(fileURLToPath(program), {
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    execArgv: [],
  });
  const ended = endOf(keeper);
  return {
    process: keeper,
    ended,
    stop: async () => {
      if (keeper.connected) keeper.disconnect();
      await ended;
    },
  };
}

/** Asks a keeper for something: its answer, or how it ended before it gave one. */
export function ask<Answer extends object>(
  { process: keeper, ended }: Keeper,
  order: object | string,
): Promise<Answer | string> {
  const answer = new Promise<Answer>((resolve) =>
    keeper.once('message', (message) => resolve(message as Answer)),
  );
  if (keeper.connected) keeper.send(order);
  return Promise.race([answer, ended]);
}

async function endOf(keeper: ChildProcess): Promise<string> {
  const written: string[] = [];
  keeper.stderr?.on('data', (bytes: Buffer) => written.push(bytes.toString()));
  try {
    // The event `close` would be simpler, and does not come when this side closed the channel.
    const [[code, signal]] = (await Promise.all([
      once(keeper, 'exit'),
      keeper.stderr && once(keeper.stderr, 'close'),
    ])) as [[number | null, string | null], unknown];
    return `its keeper process ended with ${signal ?? `exit code ${String(code)}`} and ${written.length === 0 ? 'wrote nothing.' : `wrote:\n${written.join('').trim()}`}`;
  } catch (error) {
    return `its keeper process could not be started: ${error instanceof Error ? error.message : String(error)}.`;
  }
}
