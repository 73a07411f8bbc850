/** Steps that matching may still take; shared by patterns that are asked together. Beyond them nothing matches. */
export interface Work {
  left: number;
  /** Another path is asked for. */
  grant(): void;
}

/** Far more than what people write takes: together a fraction of a second, and one of a millisecond for each path. */
const [stepsForAll, stepsForPath] = [2_000_000, 20_000];

export function createWork(): Work {
  return {
    left: stepsForAll,
    grant() {
      this.left = Math.min(Math.max(this.left, 0) + stepsForPath, stepsForAll);
    },
  };
}
