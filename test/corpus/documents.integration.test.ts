import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { withBlock, writtenBlocks, type StoredResults } from './runner/accuracy-docs.ts';
import { labelFiles } from './runner/label-sets.ts';
import { readFixPairs, readSites } from './runner/labels.ts';

const root = join(import.meta.dirname, '../..');
const corpus = (file: string) => join(import.meta.dirname, file);
const read = (file: string) => JSON.parse(readFileSync(corpus(file), 'utf8')) as StoredResults;

describe.each(labelFiles)('%s', (name) => {
  const results = read(`${name}.json`);

  test.each(writtenBlocks.filter(({ labels }) => labels === name))(
    '$file shows the stored figures',
    (block) => {
      const text = readFileSync(join(root, block.file), 'utf8');
      expect(withBlock(text, block, results)).toBe(text);
    },
  );

  test('the stored figures are of all labels, and no file broke a rule', () => {
    expect(results.leftOut).toBe(0);
    expect(results.sites.missing).toBe(0);
    expect(results.pairs?.missing ?? 0).toBe(0);
    expect(results.pairs !== null).toBe(name === 'sites');
    const { parseFailures, crashes } = results.sweep ?? { parseFailures: 0, crashes: 0 };
    expect({ parseFailures, crashes }).toEqual({ parseFailures: 0, crashes: 0 });
  });
});

test('docs/accuracy.md counts the labels right', () => {
  const text = readFileSync(join(root, 'docs/accuracy.md'), 'utf8');
  const { sites } = readSites(corpus('sites.tsv'));
  const wild = readSites(corpus('wild.tsv')).sites.filter(({ isHeadline }) => isHeadline);
  const { sites: transactions } = readSites(corpus('transactions.tsv'));
  const pairs = readFixPairs(corpus('fix_pairs.tsv'));
  const repositories = (own: readonly { readonly repo: string }[]) =>
    new Set(own.map(({ repo }) => repo)).size;
  expect(text).toContain(`${sites.length} places in ${repositories(sites)} public repositories`);
  expect(text).toContain(
    `has ${wild.length} labelled sites in ${repositories(wild)} other repositories`,
  );
  expect(text).toContain(
    `${transactions.length} transactions in ${repositories(transactions)} public repositories`,
  );
  expect(text).toContain(`${pairs.length} bug fixes`);
});
