import { join } from 'node:path';
import { readTable } from '../../test/corpus/runner/table.ts';
import { markdownTable } from './markdown-table.ts';

/** What somebody who read the code says of a report: debatable is what breaks the rule and does no damage there. */
export const verdicts = ['right', 'debatable', 'false'] as const;

type Verdict = (typeof verdicts)[number];

interface Report {
  readonly repo: string;
  readonly rule: string;
  readonly verdict: string;
}

/** A product at the commit that was linted: its source files, and those of them that name a transaction, a pool or a client. */
interface Product {
  readonly repo: string;
  readonly commit: string;
  readonly libraries: string;
  readonly files: number;
  readonly linted: number;
}

export interface Products {
  readonly products: readonly Product[];
  readonly reports: readonly Report[];
}

/** The two tables in `test/corpus/`: which products were linted, and each report with its verdict. */
export function readProducts(root: string): Products {
  const rowsOf = (file: string) => readTable(join(root, 'test/corpus', file)).rows;
  return {
    products: rowsOf('product-repositories.tsv').map((cell) => ({
      repo: cell('repo'),
      commit: cell('commit'),
      libraries: cell('libraries'),
      files: Number(cell('files')),
      linted: Number(cell('linted')),
    })),
    reports: rowsOf('products.tsv').map((cell) => ({
      repo: cell('repo'),
      rule: cell('rule'),
      verdict: cell('verdict'),
    })),
  };
}

/** The figures of docs/accuracy.md about products: by rule, then by repository. */
export function productTables({ products, reports }: Products): string {
  const rules = [...new Set(reports.map(({ rule }) => rule))].sort();
  return [
    headOf({ products, reports }),
    markdownTable(
      ['rule', 'reports', ...verdicts],
      rules.map((rule) => [rule, ...countsOf(reports.filter((each) => each.rule === rule))]),
    ),
    markdownTable(
      ['repository', 'libraries', 'files', 'linted', 'reports', ...verdicts],
      products.map(({ repo, commit, libraries, files, linted }) => [
        `[${repo}](https://github.com/${repo}/tree/${commit})`,
        libraries,
        grouped(files),
        grouped(linted),
        ...countsOf(reports.filter((each) => each.repo === repo)),
      ]),
    ),
  ].join('\n\n');
}

function headOf({ products, reports }: Products): string {
  const sum = (key: 'files' | 'linted') =>
    grouped(products.reduce((all, each) => all + each[key], 0));
  const counted = verdicts.map((verdict) => `${countOf(reports, verdict)} ${verdict}`).join(', ');
  return `${products.length} repositories, ${sum('files')} source files, ${sum('linted')} of them linted, ${reports.length} reports: ${counted}.`;
}

function countsOf(reports: readonly Report[]): readonly string[] {
  return [reports.length, ...verdicts.map((verdict) => countOf(reports, verdict))].map(String);
}

function countOf(reports: readonly Report[], verdict: Verdict): number {
  return reports.filter((each) => each.verdict === verdict).length;
}

function grouped(value: number): string {
  return value.toLocaleString('en-US');
}
