import type { Terminal } from './cli-io.ts';

export interface Progress {
  step(): void;
  end(): void;
}

const quietMs = 700;
const intervalMs = 100;

/** One line that counts up, for people who wait: only on a terminal, only when the work takes a while, gone at the end. */
export function createProgress(
  verb: string,
  total: number,
  terminal: Terminal,
  now: () => number,
): Progress {
  let done = 0;
  let next = now() + quietMs;
  let isShown = false;
  return {
    step() {
      done += 1;
      if (terminal.isTTY !== true || now() < next) return;
      next = now() + intervalMs;
      isShown = true;
      terminal.write(`\r\u001B[2K${verb} ${done} of ${total} files …`);
    },
    end() {
      if (isShown) terminal.write('\r\u001B[2K');
    },
  };
}
