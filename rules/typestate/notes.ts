import type { Fact } from './facts.ts';

/**
 * Notes on sites of statements. `open`: made in the transaction that is open, so that a rollback takes it back. `unlocked`: a
 * lock whose unlock has been sent. `locked`: a lock whose unlock has failed. `rolling`: this statement rolls an open transaction back.
 */
export type Note = 'open' | 'unlocked' | 'locked' | 'rolling';

/** A note as a fact holds it. */
export function note(kind: Note, site: number): string {
  return `${kind} ${site}`;
}

/** The sites of locks that are still taken because the unlock failed. */
export function stillLocked({ notes }: Fact): readonly number[] {
  return notes.flatMap((each) =>
    each.startsWith('locked ') ? [Number(each.slice('locked '.length))] : [],
  );
}
