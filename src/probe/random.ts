/** Gives numbers from 0 up to, not including, 1. */
export type RandomSource = () => number;

/** A repeatable source: mulberry32 over a 32-bit seed. Good enough to shuffle and to resample, not for secrets. */
export function createRandom(seed: number): RandomSource {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
