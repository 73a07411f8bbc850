import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { startEmbeddedServer } from '../../../scripts/embedded-server.ts';
import { findChromium } from './chromium.ts';
import { prepareCodeServer, run, type CodeServer } from './code-server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    readonly codeServer: CodeServer;
    /** Executable of the browser. */
    readonly chromium: string;
    /** The packed extension. */
    readonly vsix: string;
    readonly postgresUrl: string;
  }
}

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));

/** Makes all that the tests need, from nothing: VS Code, the packed extension, a browser's path, a PostgreSQL. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const say = (line: string): boolean => process.stdout.write(`${line}\n`);
  project.provide('chromium', findChromium());
  project.provide('codeServer', await prepareCodeServer(say));
  // In a folder that git ignores, so that nothing is left behind however the run ends.
  const vsix = join(root, '.cache', 'poolguard.vsix');
  await mkdir(dirname(vsix), { recursive: true });
  say('The extension is built and packed …');
  await run(process.execPath, ['scripts/build.mjs'], root);
  await run(process.execPath, ['--import', 'tsx', 'scripts/published/main.ts', 'vsix', vsix], root);
  project.provide('vsix', vsix);
  say('PostgreSQL starts …');
  const server = await startEmbeddedServer();
  project.provide('postgresUrl', server.url());
  return () => server.stop();
}
