/** Lets through so many a second, and says no to what is more. */
export interface Allowance {
  take(now: number): boolean;
}

/** `now` is in milliseconds on any clock that does not go back. */
export function createAllowance(perSecond: number): Allowance {
  let left = perSecond;
  let filledAt = Number.NEGATIVE_INFINITY;
  return {
    take: (now) => {
      if (left < 1) {
        if (now - filledAt < 1000) return false;
        left = perSecond;
      }
      if (left === perSecond) filledAt = now;
      left -= 1;
      return true;
    },
  };
}
