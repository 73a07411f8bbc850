/** Letters that may differ between what was typed and what was meant. */
const mostSlips = 2;
/** A part of a name that is shorter says nothing of which one is meant. */
const shortestPart = 4;

/** The name that was probably meant: one that differs by a letter or two, else the shortest that contains what was typed or is contained in it. Null where none is near. */
export function nearestName(typed: string, names: readonly string[]): string | null {
  const ranked = names.flatMap((name) => {
    const rank = rankOf(typed, name);
    return rank === null ? [] : [{ name, rank }];
  });
  return (
    ranked.reduce<(typeof ranked)[number] | null>(
      (best, each) => (best === null || each.rank < best.rank ? each : best),
      null,
    )?.name ?? null
  );
}

/** The smaller, the nearer. */
function rankOf(typed: string, name: string): number | null {
  const apart = Math.abs(typed.length - name.length);
  const slips = apart > mostSlips ? Infinity : countSlips(typed, name);
  if (slips <= mostSlips && slips < typed.length) return slips;
  const isPart =
    Math.min(typed.length, name.length) >= shortestPart &&
    (name.includes(typed) || typed.includes(name));
  return isPart ? mostSlips + apart : null;
}

/** Letters to add, to leave out or to change, by Levenshtein's table, of which one row is kept. */
function countSlips(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1];
    for (let to = 1; to <= other.length; to += 1) {
      const changed = (row[to - 1] ?? 0) + (letter === other[to - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
