import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { needTool } from '../../../scripts/test-tools/find.mjs';
import { prepareCodeServer, run, type CodeServer } from './code-server.ts';
import { installExtensions } from './extensions.ts';
import { packExtensions } from './pack-extensions.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    readonly codeServer: CodeServer;
    /** Executable of the browser. */
    readonly chromium: string;
    /** The packed extension. */
    readonly vsix: string;
    /** A folder with everything installed that a test may want; each editor has copies of some. */
    readonly extensions: string;
  }
}

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));

/** Makes all that the tests need, from nothing: VS Code, installed extensions, a browser's path. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const say = (line: string): boolean => process.stdout.write(`${line}\n`);
  project.provide('chromium', needTool('chromium'));
  const codeServer = await prepareCodeServer(say);
  project.provide('codeServer', codeServer);
  // In a folder that git ignores, so that nothing is in the way however the run ends.
  await mkdir(join(root, '.cache'), { recursive: true });
  const folder = await mkdtemp(join(root, '.cache', 'e2e-'));
  say('The extension is built, packed and installed …');
  const vsix = join(folder, 'poolguard.vsix');
  await run(process.execPath, ['scripts/build.mjs'], root);
  await run(process.execPath, ['--import', 'tsx', 'scripts/published/main.ts', 'vsix', vsix], root);
  project.provide('vsix', vsix);
  project.provide(
    'extensions',
    await installExtensions(codeServer, folder, [vsix, ...(await packExtensions(folder))]),
  );
  return () => rm(folder, { recursive: true, force: true });
}
