import { join } from 'node:path';
import { runNode } from './run-process.ts';

const root = join(import.meta.dirname, '../..');

/** Builds every bundle before the first test, so that no test file builds what another one is running. */
export default async function setup(): Promise<void> {
  // The script before `npm test` has just done so.
  if (process.env['npm_lifecycle_event'] === 'test') return;
  const { code, stderr } = await runNode([join(root, 'scripts/build.mjs')], root);
  if (code !== 0) throw new Error(`The bundles could not be built:\n${stderr}`);
}
