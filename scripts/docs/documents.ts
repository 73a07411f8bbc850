import type { Results } from '../bench/results.ts';
import type { RuleFacts } from './rule-facts.ts';
import { isPublished } from '../../src/publication.ts';
import { contentsTable } from '../published/artifacts.ts';
import { fillInstallation } from './installation.ts';
import { fillBetween, marksFor } from './marks.ts';
import { versionsRun } from './library-versions.ts';
import { fillManifest } from './manifest.ts';
import { fillCosts, performancePage } from './performance-page.ts';
import { productTables, type Products } from './product-table.ts';
import { pgBouncerTable, poolerTable, trackedSettings } from './pooler-tables.ts';
import { fillRulePage } from './rule-page.ts';
import { oxlintConfiguration, ruleTable } from './rule-table.ts';
import { settingPage } from './setting-tables.ts';

export interface Document {
  /** Relative to the repository. */
  readonly path: string;
  /** The document's text with its generated parts made anew. Throws a sentence when a mark is missing. */
  readonly fill: (text: string) => string;
}

export interface DocumentSources {
  readonly rules: readonly RuleFacts[];
  readonly results: Results;
  /** The text of npm's lock file. */
  readonly lock: string;
  readonly products: Products;
  /** The Markdown pages for users, relative to the repository. */
  readonly pages: readonly string[];
}

/** Every document with generated parts: those with tables and figures, and all pages that may say how Poolguard is installed. */
export function documentsOf(sources: DocumentSources): readonly Document[] {
  const filled = filledDocuments(sources);
  return [
    ...filled.filter(({ path }) => !sources.pages.includes(path)),
    ...sources.pages.map((path) => {
      const fill = filled.find((document) => document.path === path)?.fill;
      return {
        path,
        fill: (text: string) => fillInstallation(path, fill?.(text) ?? text, isPublished),
      };
    }),
  ];
}

function filledDocuments({ rules, results, lock, products }: DocumentSources): readonly Document[] {
  const oxlint = oxlintConfiguration(rules);
  return [
    { path: 'docs/performance.md', fill: () => performancePage(results) },
    {
      path: 'README.md',
      fill: (text) => fillCosts(text, results),
    },
    {
      path: 'docs/rules.md',
      fill: (text) =>
        fillRegions('docs/rules.md', text, {
          rules: ruleTable(rules, ({ id }) => `rules/${id}.md`),
        }),
    },
    {
      path: 'docs/settings.md',
      fill: (text) => fillRegions('docs/settings.md', text, { settings: settingPage() }),
    },
    {
      path: 'docs/poolers.md',
      fill: (text) =>
        fillRegions('docs/poolers.md', text, {
          poolers: poolerTable(),
          'PgBouncer by mode': pgBouncerTable(),
          'tracked settings': trackedSettings(),
        }),
    },
    {
      path: 'docs/drivers.md',
      fill: (text) => fillRegions('docs/drivers.md', text, { versions: versionsRun(lock) }),
    },
    {
      path: 'docs/accuracy.md',
      fill: (text) => fillRegions('docs/accuracy.md', text, { products: productTables(products) }),
    },
    {
      path: 'docs/releasing.md',
      fill: (text) => fillRegions('docs/releasing.md', text, { contents: contentsTable() }),
    },
    { path: 'package.json', fill: (text) => fillManifest(text, rules) },
    {
      path: 'rules/README.md',
      fill: (text) =>
        fillRegions('rules/README.md', text, {
          rules: ruleTable(rules, ({ url }) => url),
          'oxlint configuration': oxlint,
        }),
    },
    ...rules.map((rule) => ({
      path: `docs/rules/${rule.id}.md`,
      fill: (text: string) => fillRulePage(text, rule),
    })),
  ];
}

function fillRegions(
  path: string,
  text: string,
  regions: Readonly<Record<string, string>>,
): string {
  return Object.entries(regions).reduce((filled, [region, content]) => {
    const marks = marksFor(region);
    const next = fillBetween(filled, marks, content);
    if (next === undefined)
      throw new Error(
        `${path} has lost its marks. Write these two lines where the ${region} shall stand: ${marks.start} and ${marks.end}`,
      );
    return next;
  }, text);
}
