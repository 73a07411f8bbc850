/** Finds what begins a text among many beginnings. */
export interface PrefixBuckets<Value> {
  add(prefix: string, value: Value): void;
  /** All values whose beginning the text begins with. */
  of(text: string): Iterable<Value>;
}

/** Longer beginnings are told by this many characters; who asks compares the rest. */
const longest = 48;

export function createPrefixBuckets<Value>(): PrefixBuckets<Value> {
  const byLength = new Map<number, Map<string, Value[]>>();
  return {
    add(prefix, value) {
      const key = prefix.slice(0, longest);
      const bucket = byLength.get(key.length) ?? new Map<string, Value[]>();
      byLength.set(key.length, bucket);
      const values = bucket.get(key);
      if (values === undefined) bucket.set(key, [value]);
      else values.push(value);
    },
    *of(text) {
      for (const [length, bucket] of byLength) yield* bucket.get(text.slice(0, length)) ?? [];
    },
  };
}
