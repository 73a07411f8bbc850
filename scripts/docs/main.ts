import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import plugin from '../../rules/index.ts';
import { readResults } from '../bench/results.ts';
import { documentsOf } from './documents.ts';
import { readProducts } from './product-table.ts';
import { factsOf } from './rule-facts.ts';

// `npm run docs` runs this from dist/.
const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Writes the generated parts of the documents; a rule without a page is an error in one sentence. */
for (const { path, fill } of documentsOf(
  factsOf(plugin.rules),
  readResults(join(root, 'scripts/bench/results.json')),
  readFileSync(join(root, 'package-lock.json'), 'utf8'),
  readProducts(root),
)) {
  try {
    const text = readFileSync(join(root, path), 'utf8');
    const filled = fill(text);
    if (filled !== text) {
      writeFileSync(join(root, path), filled);
      console.log(`${path} written.`);
    }
  } catch (failure) {
    console.error(
      failure instanceof Error && 'code' in failure && failure.code === 'ENOENT'
        ? `${path} is missing: write the page first, see CONTRIBUTING.md.`
        : String(failure),
    );
    process.exitCode = 1;
  }
}
