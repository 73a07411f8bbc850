import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fillCosts, performancePage } from '../docs/performance-page.ts';
import { printResults, readResults, type Results } from './results.ts';

/** Keeps what was measured beside the parts that were not, and writes the documents that show it. */
export function writeResults(root: string, measured: Results): void {
  const path = join(root, 'scripts/bench/results.json');
  writeFileSync(path, printResults({ ...readResults(path), ...measured }));
  // Read back, so that the documents say what the file says, digit for digit.
  const results = readResults(path);
  writeFileSync(join(root, 'docs/performance.md'), performancePage(results));
  const readme = join(root, 'README.md');
  writeFileSync(readme, fillCosts(readFileSync(readme, 'utf8'), results));
}
