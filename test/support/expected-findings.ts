import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { globby } from 'globby';

const marker = /\/\/ expect: (?<rules>[\w-]+(?:, [\w-]+)*)\s*$/u;

/** The findings that `// expect: <rule>` at the end of a line announces, as sorted `file:line poolguard/<rule>`. */
export async function readExpectedFindings(folder: string): Promise<string[]> {
  const files = await globby('**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs,vue,svelte,md}', {
    cwd: folder,
    ignore: ['**/node_modules/**', '**/dist/**'],
  });
  const found = await Promise.all(
    files.map(async (file) => markersIn(file, await readFile(join(folder, file), 'utf8'))),
  );
  return found.flat().sort();
}

function markersIn(file: string, text: string): string[] {
  return text.split('\n').flatMap((line, index) => {
    const rules = marker.exec(line)?.groups?.['rules']?.split(', ') ?? [];
    return rules.map((rule) => `${file}:${index + 1} poolguard/${rule}`);
  });
}
