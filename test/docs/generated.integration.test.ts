import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import plugin from '../../rules/index.ts';
import { documentsOf } from '../../scripts/docs/documents.ts';
import { factsOf } from '../../scripts/docs/rule-facts.ts';
import { readSources } from '../../scripts/docs/sources.ts';

const root = join(import.meta.dirname, '../..');
const rules = factsOf(plugin.rules);
const ids = Object.keys(plugin.rules);

function namesIn(folder: string, pattern: RegExp): readonly string[] {
  return readdirSync(join(root, folder))
    .flatMap((file) => pattern.exec(file)?.groups?.['id'] ?? [])
    .sort();
}

const documents = documentsOf(readSources(root));

test.each(documents)('$path says what the rules and the stored figures say', ({ path, fill }) => {
  const text = readFileSync(join(root, path), 'utf8');
  expect(text, `${path} is out of date: run \`npm run docs\`.`).toBe(fill(text));
});

describe('each rule has', () => {
  test.each([
    ['one file', 'rules', /^(?<id>(?:no|require|prefer)-[\w-]+)\.ts$/u],
    ['one test file', 'test/rules', /^(?<id>(?:no|require|prefer)-[\w-]+)\.test\.ts$/u],
    ['one page', 'docs/rules', /^(?<id>[\w-]+)\.md$/u],
  ])('%s, named after it', (_what, folder, pattern) => {
    expect(namesIn(folder, pattern)).toEqual(ids.toSorted());
  });

  test.each(['docs/rules.md', 'rules/README.md'])('one row in %s', (path) => {
    const rows = [
      ...readFileSync(join(root, path), 'utf8').matchAll(
        /^\| \[(?<id>[\w-]+)\]\(.*\/\k<id>\.md\) \|/gmu,
      ),
    ].map((match) => match.groups?.['id'] ?? '');
    expect(rows.toSorted()).toEqual(ids.toSorted());
  });
});

describe.each(rules)('$id', ({ description, options, severities, url, id }) => {
  test('says in one short sentence what it reports', () => {
    expect(description).toMatch(/^[A-Z`].*[^.]\.$/u);
    expect(description.length).toBeLessThanOrEqual(140);
  });

  test('is part of `strict`, and links to its own page', () => {
    expect(severities.strict).not.toBe('off');
    expect(url.endsWith(`/docs/rules/${id}.md`)).toBe(true);
  });

  test('describes each option, and has a default for it', () => {
    for (const option of options) {
      expect(option.description, option.name).toMatch(/\w.*\.$/u);
      expect(option.default, option.name).toBeDefined();
    }
  });
});
