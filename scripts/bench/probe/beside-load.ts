import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** What other programs do meanwhile. */
export interface Level {
  readonly name: string;
  /** Of all cores, 0 to 1. */
  readonly share: number;
  /** They work for that share of each period, all at once, and then rest. */
  readonly periodMs: number;
}

export const undisturbed: Level = { name: 'nothing else', share: 0, periodMs: 0 };

/** Of all cores, what others use. */
export const shares = [0.3, 0.6, 0.9];

/** A share of each hundredth of a second is a steady load to a slice of 150 ms; of each second, a burst. */
export const levels: readonly Level[] = [
  undisturbed,
  ...shares.flatMap((share) => [
    { name: `${share * 100} % of the cores, steadily`, share, periodMs: 10 },
    { name: `${share * 100} % of the cores, in bursts`, share, periodMs: 1000 },
  ]),
];

const burn = `
const [share, periodMs] = process.argv.slice(1).map(Number);
process.stdin.on('close', () => process.exit()).resume();
const turn = () => {
  while (Date.now() % periodMs < share * periodMs);
  setTimeout(turn, periodMs - (Date.now() % periodMs));
};
turn();`;

/** One process for each core burns that share of it until it is stopped. */
export function startLoad({ share, periodMs }: Level): { stop: () => void } {
  const children =
    share === 0
      ? []
      : Array.from({ length: availableParallelism() }, () =>
          spawn(process.execPath, ['-e', burn, String(share), String(periodMs)], {
            // Ends with its parent, whatever ends that.
            stdio: ['pipe', 'ignore', 'ignore'],
          }),
        );
  return {
    stop: () => {
      for (const child of children) child.kill('SIGKILL');
    },
  };
}
