import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import plugin from '../../rules/index.ts';
import { readResults } from '../bench/results.ts';
import type { DocumentSources } from './documents.ts';
import { readProducts } from './product-table.ts';
import { factsOf } from './rule-facts.ts';

/** All that the documents of a repository are written from. */
export function readSources(root: string): DocumentSources {
  return {
    rules: factsOf(plugin.rules),
    results: readResults(join(root, 'scripts/bench/results.json')),
    lock: readFileSync(join(root, 'package-lock.json'), 'utf8'),
    products: readProducts(root),
    pages: ['README.md', 'rules/README.md', 'monitor/README.md', ...pagesOf(root)],
  };
}

function pagesOf(root: string): readonly string[] {
  return readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => `docs/${path.replaceAll('\\', '/')}`)
    .sort();
}
