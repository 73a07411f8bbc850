import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { documentsOf } from './documents.ts';
import { readSources } from './sources.ts';
import { allTexts } from './texts/all-texts.ts';

// `npm run docs` runs this from dist/.
const root = dirname(dirname(fileURLToPath(import.meta.url)));

if (process.argv.includes('--texts')) printTexts();
else writeDocuments();

/** Prints every text of the product that a person sees, with its place. */
function printTexts(): void {
  for (const { path, line, kind, text } of allTexts(root))
    console.log(`${path}:${line} ${kind}: ${text.replaceAll('\n', String.raw`\n`)}`);
}

/** Writes the generated parts of the documents; a rule without a page is an error in one sentence. */
function writeDocuments(): void {
  for (const { path, fill } of documentsOf(readSources(root))) {
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
}
