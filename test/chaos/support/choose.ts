import { createRandom, type RandomSource } from '../../../src/probe/random.ts';
import type { Subject } from './subject.ts';
import type { Fault } from './trial.ts';

/** Moments and amounts follow from it. */
export const seed = Number(process.env['POOLGUARD_CHAOS_SEED'] ?? 4);
/** How often every fault meets every subject; 0 for a selection that takes a minute or two. */
export const rounds = Number(process.env['POOLGUARD_CHAOS_ROUNDS'] ?? 0);

interface Combination {
  readonly name: string;
  readonly fault: Fault;
  readonly subject: Subject;
  readonly random: RandomSource;
}

/**
 * Every fault crossed with every subject, so many times; without rounds, `few` subjects of each fault, another part of them for each, so
 * that every fault and every subject has its turns.
 */
export function cross(
  faults: readonly Fault[],
  subjects: readonly Subject[],
  few: number,
): readonly Combination[] {
  return faults.flatMap((fault, at) => {
    const chosen =
      rounds > 0
        ? Array.from({ length: rounds }, () => subjects).flat()
        : Array.from(
            { length: Math.min(few, subjects.length) },
            (_, index) => subjects[(at * few + index) % subjects.length],
          ).filter((subject) => subject !== undefined);
    return chosen.map((subject, index) => ({
      name: `${fault.name} × ${subject.name}${rounds > 1 ? ` (round ${Math.floor(index / subjects.length) + 1})` : ''}`,
      fault,
      subject,
      random: createRandom(
        hash(`${seed} ${fault.name} ${subject.name} ${Math.floor(index / subjects.length)}`),
      ),
    }));
  });
}

/** FNV-1a, so that a combination keeps its moments when rows are added. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const byte of Buffer.from(text)) value = Math.imul(value ^ byte, 0x01000193);
  return value >>> 0;
}
