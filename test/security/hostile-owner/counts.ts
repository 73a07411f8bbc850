import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { Place } from './places.ts';

/** What was done in one place on one version, and what came of it. */
export interface Counted {
  /** Commands, actions and experiments that were run. */
  readonly jobs?: number;
  /** Statements of Poolguard that the server logged. */
  readonly statements?: number;
  /** Calls that traps noted. */
  readonly called?: number;
  /** Ways to write that were tried. */
  readonly ways?: number;
  /** Things that were not as before. */
  readonly left?: number;
}

export interface CountedPlace extends Counted, Place {
  readonly major: number;
}

/** Takes down what the suite did; each test at the end of its work. */
export type Count = (place: Place, counted: Counted) => void;

export const countsFile = 'counts.jsonl';

/** For the table that closes a run. */
export function createCount(major: number): Count {
  return (place, counted) =>
    appendFileSync(
      join(inject('hostileCounts'), countsFile),
      `${JSON.stringify({ major, role: place.role, path: place.path, ...counted } satisfies CountedPlace)}\n`,
    );
}
