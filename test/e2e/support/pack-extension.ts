import { createVSIX } from '@vscode/vsce';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheFolder } from './code-server.ts';

/** Packs a small extension that stands under test/e2e/fixtures/: the path of its VSIX. */
export async function packExtension(name: string): Promise<string> {
  const folder = join(cacheFolder(), 'fixtures');
  await mkdir(folder, { recursive: true });
  const packagePath = join(folder, `${name}.vsix`);
  await createVSIX({
    cwd: join(import.meta.dirname, '../fixtures', name),
    packagePath,
    dependencies: false,
    allowMissingRepository: true,
    skipLicense: true,
  });
  return packagePath;
}
