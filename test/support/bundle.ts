import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '../..');

export interface Bundle extends AsyncDisposable {
  readonly file: string;
}

/** Bundles a TypeScript entry point (relative to the repository) into a folder from which node_modules is found. */
export async function bundleEntry(entry: string): Promise<Bundle> {
  await mkdir(join(root, '.cache'), { recursive: true });
  const folder = await mkdtemp(join(root, '.cache', 'bundle-'));
  const file = join(folder, 'entry.mjs');
  await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    packages: 'external',
    logLevel: 'warning',
  });
  return { file, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}
