// Not by resolve.exports: it gives what one set of conditions loads, and here the source is looked for behind each of them, also those of a repository's own.

const maximalDepth = 10;

/** The files that a value of package.json names: a path, a list of them, or one for each condition; those meant as source come first. */
export function targetsIn(value: unknown, depth = 0): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || depth > maximalDepth) return [];
  if (Array.isArray(value)) return value.flatMap((each) => targetsIn(each, depth + 1));
  const conditions = Object.entries(value).sort(
    ([a], [b]) => Number(isForSources(b)) - Number(isForSources(a)),
  );
  return conditions.flatMap(([, target]) => targetsIn(target, depth + 1));
}

/** Conditions under which packages offer their sources: `source`, `src`, `@scope/source`, `development`, `bun`. */
function isForSources(condition: string): boolean {
  return /(?:^|[/@_-])(?:source|src|development|bun|ts)$/u.test(condition);
}

/** What `exports` names for a subpath (`.` or `./part`). Fact: Node.js 20, "Packages", subpath exports and patterns. */
export function targetsOfExports(exports: unknown, subpath: string): readonly string[] {
  const isTable =
    typeof exports === 'object' &&
    exports !== null &&
    !Array.isArray(exports) &&
    Object.keys(exports).some((key) => key.startsWith('.'));
  if (!isTable) return subpath === '.' ? targetsIn(exports) : [];
  return targetsOfImports(exports, subpath);
}

/** What a table of subpaths, `exports` or `imports`, names for one of them. */
export function targetsOfImports(table: unknown, subpath: string): readonly string[] {
  if (typeof table !== 'object' || table === null) return [];
  const entries = Object.entries(table);
  const exact = entries.find(([key]) => key === subpath);
  if (exact !== undefined) return targetsIn(exact[1]);
  const fitting = entries.flatMap(([key, value]) => {
    const hole = holeIn(key, subpath);
    return hole === undefined ? [] : [{ key, value: value as unknown, hole }];
  });
  const best = fitting.sort((a, b) => rankOf(b.key) - rankOf(a.key))[0];
  return best === undefined
    ? []
    : targetsIn(best.value).map((target) => target.replaceAll('*', () => best.hole));
}

/** Node.js and TypeScript take a name as a whole before what begins with it, and the longest beginning first. */
export function rankOf(pattern: string): number {
  const star = pattern.indexOf('*');
  return star < 0 ? Number.POSITIVE_INFINITY : star;
}

/** What stands in the place of a pattern's star; undefined when the pattern does not fit or has none. */
export function holeIn(pattern: string, text: string): string | undefined {
  const [before = '', after, ...more] = pattern.split('*');
  if (after === undefined || more.length > 0) return undefined;
  const isFit =
    text.startsWith(before) && text.endsWith(after) && text.length >= before.length + after.length;
  return isFit ? text.slice(before.length, text.length - after.length) : undefined;
}
