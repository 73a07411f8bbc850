import { InvalidArgumentError } from 'commander';
import type { UserStage } from '../../../probe/experiment.ts';

/** For an option that takes whole numbers between commas. */
export function readCounts(least: number, most: number): (text: string) => readonly number[] {
  return (text) => text.split(',').map((part) => readOne(part.trim(), least, most));
}

function readOne(part: string, least: number, most: number): number {
  if (part === '')
    throw new InvalidArgumentError(
      `It must be whole numbers from ${least} to ${most} with commas between them, such as 5,10,20: one is missing.`,
    );
  const value = Number(part);
  if (!/^\d{1,9}$/.test(part) || value < least || value > most)
    throw new InvalidArgumentError(
      `It must be whole numbers from ${least} to ${most} with commas between them, and "${part}" is none.`,
    );
  return value;
}

const millisecondsByUnit: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 };

/** For stages such as `10s:10,20s:30`: so long, and the number of users at the end. */
export function readStages(text: string): readonly UserStage[] {
  return text.split(',').map((part) => {
    const [, length, unit = '', users] =
      /^\s*(\d+(?:\.\d+)?)(ms|s|m):(\d{1,5})\s*$/.exec(part) ?? [];
    const factor = millisecondsByUnit[unit];
    if (length === undefined || users === undefined || factor === undefined)
      throw new InvalidArgumentError(
        'Stages are written like 10s:10,20s:30,10s:0, each with its length (ms, s, m) and the number of users at its end.',
      );
    return { seconds: (Number(length) * factor) / 1000, users: Number(users) };
  });
}

/** For an option that takes a number above 0, which may have a fraction. */
export function readPositive(most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+(?:\.\d+)?$/.test(text) || value <= 0 || value > most)
      throw new InvalidArgumentError(`It must be a number above 0, at most ${most}.`);
    return value;
  };
}
