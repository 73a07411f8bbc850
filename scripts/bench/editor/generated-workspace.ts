import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatePlainFile, generateService, neighbours } from '../generated-service.ts';

/** Files of one folder besides those that they share. */
const perFolder = 97;

/** Writes a workspace of about `count` source files: half of them with checkouts, of 60 to 450 lines, in folders that share a pool each. */
export function writeWorkspace(folder: string, count: number): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'bench', type: 'module', dependencies: { pg: '^8.0.0' } }),
  );
  for (
    let n = 0;
    n < Math.round((count * perFolder) / (perFolder + Object.keys(neighbours).length));
    n++
  ) {
    const part = join(folder, 'src', `part-${Math.floor(n / perFolder)}`);
    if (n % perFolder === 0) writeNeighbours(part);
    const lines = 60 + ((n * 37) % 390);
    writeFileSync(
      join(part, `module-${n}.ts`),
      n % 2 === 0 ? generateService(lines, Math.ceil(lines / 40)) : generatePlainFile(lines),
    );
  }
}

/** What generated files import. */
export function writeNeighbours(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(neighbours)) writeFileSync(join(folder, name), text);
}
