import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { documents } from './runner/command.ts';
import { withBlock, type StoredResults } from './runner/accuracy-docs.ts';
import { isHeadline, readFixPairs, readSites } from './runner/labels.ts';

const root = join(import.meta.dirname, '../..');
const results = JSON.parse(
  readFileSync(join(import.meta.dirname, 'results.json'), 'utf8'),
) as StoredResults;

test.each(documents)('$file shows the stored figures', ({ file, toBlock }) => {
  const text = readFileSync(join(root, file), 'utf8');
  expect(withBlock(text, toBlock(results))).toBe(text);
});

test('the stored figures are of the whole corpus, and no file broke a rule', () => {
  expect(results.leftOut).toBe(0);
  expect(results.sites.missing).toBe(0);
  expect(results.pairs?.missing).toBe(0);
  const { parseFailures, crashes } = results.sweep ?? { parseFailures: 0, crashes: 0 };
  expect({ parseFailures, crashes }).toEqual({ parseFailures: 0, crashes: 0 });
});

test('docs/accuracy.md counts the labels right', () => {
  const text = readFileSync(join(root, 'docs/accuracy.md'), 'utf8');
  const sites = readSites(join(import.meta.dirname, 'sites.tsv'));
  const wild = readSites(join(import.meta.dirname, 'wild.tsv')).filter(isHeadline);
  const pairs = readFixPairs(join(import.meta.dirname, 'fix_pairs.tsv'));
  expect(text).toContain(
    `${sites.length} places in ${new Set(sites.map(({ repo }) => repo)).size} public repositories`,
  );
  expect(text).toContain(
    `has ${wild.length} labelled sites in ${new Set(wild.map(({ repo }) => repo)).size} other repositories`,
  );
  expect(text).toContain(`${pairs.length} bug fixes`);
});
