import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../rules');
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
  (path) => path.endsWith('.ts') && !/(?:^|\/)(?:dist|node_modules)\//u.test(path),
);
/** What each file imports, types included. */
const imports = new Map(
  files.map((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    const named = [...text.matchAll(/\bfrom '(\.[^']*\.ts)'/gu)].map(
      ([, specifier = '']) => specifier,
    );
    return [path, named.map((specifier) => normalize(join(dirname(path), specifier)))] as const;
  }),
);

test('no file of rules/ imports itself, by whatever way', () => {
  expect(files.flatMap((path) => wayBack(path) ?? [])).toEqual([]);
});

test('the graph is that of the files', () => {
  expect(imports.get('index.ts')).toContain('create-rule.ts');
  expect([...imports.values()].flat().filter((path) => !imports.has(path))).toEqual([]);
});

/** `a → b → a`, a shortest one. */
function wayBack(start: string): string | undefined {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  // The list grows while it is read: it is the worklist.
  for (const path of queue)
    for (const next of imports.get(path) ?? []) {
      if (next === start) return [...wayTo(path, cameFrom), start].join(' → ');
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, path);
      queue.push(next);
    }
  return undefined;
}

function wayTo(path: string, cameFrom: ReadonlyMap<string, string>): readonly string[] {
  const before = cameFrom.get(path);
  return before === undefined ? [path] : [...wayTo(before, cameFrom), path];
}
