import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { findFiles } from '../src/lint/find-files.ts';
import { createLinter } from '../src/lint/linter.ts';
import { poolguard } from '../src/lint/analyser.ts';

const examples = join(import.meta.dirname, '../examples');
const lint = createLinter(poolguard, {});

/** What the `// expect: <rule>, <rule>` comments say, as "file:line rule". */
function expectedIn(path: string, text: string): readonly string[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      (/\/\/ expect: (.+)$/.exec(line)?.[1]?.split(', ') ?? []).map(
        (rule) => `${relative(examples, path)}:${index + 1} poolguard/${rule}`,
      ),
    );
}

async function sourcesOf(name: string): Promise<readonly { path: string; text: string }[]> {
  const { files } = await findFiles([join(examples, name)], examples);
  return files.map((path) => ({ path, text: readFileSync(path, 'utf8') }));
}

function foundIn(sources: Awaited<ReturnType<typeof sourcesOf>>): readonly string[] {
  return sources.flatMap((source) =>
    lint(source).problems.map(
      ({ place, rule }) =>
        `${relative(examples, source.path)}:${place.start.line} ${rule ?? 'not checked'}`,
    ),
  );
}

test('every mistake of leaky-api is found on its line, and nothing else', async () => {
  const sources = await sourcesOf('leaky-api');
  const expected = sources.flatMap(({ path, text }) => expectedIn(path, text));
  expect(expected.length).toBeGreaterThan(14);
  expect([...foundIn(sources)].sort()).toEqual([...expected].sort());
});

test('nothing is found in healthy-api', async () => {
  const sources = await sourcesOf('healthy-api');
  expect(sources.length).toBeGreaterThan(10);
  expect(foundIn(sources)).toEqual([]);
});
