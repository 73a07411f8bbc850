/** Gives equal lists the same number: parts are compared by identity, so a structure is recognised by the numbers of its parts. */
export type Interner = (parts: readonly unknown[]) => number;

export function createInterner(): Interner {
  const root: Branch = { number: undefined, next: new Map() };
  let count = 0;
  return (parts) => {
    let branch = root;
    for (const part of parts) {
      const next: Branch = branch.next.get(part) ?? { number: undefined, next: new Map() };
      branch.next.set(part, next);
      branch = next;
    }
    branch.number ??= count++;
    return branch.number;
  };
}

interface Branch {
  number: number | undefined;
  readonly next: Map<unknown, Branch>;
}
