// Not by picomatch: it makes regular expressions, and one of `*a*a*a…` in a repository's package.json keeps them busy for minutes.

/** Whether items fit a pattern in which some parts stand for any number of items. Takes time in proportion to the product of the lengths, whatever the pattern. */
function fits<Part, Item>(
  pattern: readonly Part[],
  items: readonly Item[],
  isAnyNumber: (part: Part) => boolean,
  fitsOne: (part: Part, item: Item) => boolean,
): boolean {
  let [at, item, lastStar, resumeAt] = [0, 0, -1, 0];
  while (item < items.length) {
    const part = pattern[at];
    if (part !== undefined && isAnyNumber(part)) {
      [lastStar, resumeAt] = [at, item];
      at++;
    } else if (part !== undefined && fitsOne(part, items[item] as Item)) {
      at++;
      item++;
    } else if (lastStar >= 0) {
      resumeAt++;
      [at, item] = [lastStar + 1, resumeAt];
    } else {
      return false;
    }
  }
  return pattern.slice(at).every(isAnyNumber);
}

/** Whether a name fits a pattern with `*` and `?`. */
export function isNameLike(pattern: string, name: string): boolean {
  return fits(
    [...pattern],
    [...name],
    (part) => part === '*',
    (part, letter) => part === '?' || part === letter,
  );
}

/** Whether a path, by its segments, fits a pattern in which `**` stands for any number of them. */
export function isPathLike(pattern: readonly string[], path: readonly string[]): boolean {
  return fits(pattern, path, (part) => part === '**', isNameLike);
}

const maximalAlternatives = 100;

/** `{a,b}/c` is `a/c` and `b/c`. */
export function alternativesOf(glob: string): readonly string[] {
  const done: string[] = [];
  const open = [glob];
  for (
    let next = open.pop();
    next !== undefined && done.length + open.length < maximalAlternatives;
    next = open.pop()
  ) {
    const braces = /\{(?<choices>[^{}]*)\}/u.exec(next);
    if (braces === null) done.push(next);
    else
      for (const choice of (braces.groups?.['choices'] ?? '').split(','))
        open.push(
          next.slice(0, braces.index) + choice + next.slice(braces.index + braces[0].length),
        );
  }
  return done;
}
