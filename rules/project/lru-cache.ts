// Not by lru-cache, which would add 50 kB to the plugin and lets things go the moment there are too many: here only between two files.

/** Knows how much is kept under which path, and what was used last, so that what is kept stays within bounds. */
export interface LruCache {
  /** What lies at a path weighs so much from here on. */
  put(path: string, weight: number): void;
  /** What lies at a path was used, and is the last to go. */
  touch(path: string): void;
  /** Whether something is to go. */
  isFull(): boolean;
  /** Takes off what was not used for longest until the rest is light enough, and says what that was. */
  trim(): readonly string[];
}

export function createLruCache(maximalWeight: number): LruCache {
  const weights = new Map<string, number>();
  let total = 0;
  const take = (path: string): number => {
    const weight = weights.get(path) ?? 0;
    weights.delete(path);
    total -= weight;
    return weight;
  };
  const put = (path: string, weight: number): void => {
    take(path);
    weights.set(path, weight);
    total += weight;
  };
  return {
    put,
    touch(path) {
      if (weights.has(path)) put(path, take(path));
    },
    isFull: () => total > maximalWeight,
    trim() {
      const taken: string[] = [];
      for (const path of weights.keys()) {
        if (total <= maximalWeight) break;
        take(path);
        taken.push(path);
      }
      return taken;
    },
  };
}
