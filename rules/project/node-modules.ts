import { createRequire, isBuiltin } from 'node:module';
import { join } from 'node:path';

/** Node's own view of modules; a build for a browser replaces this file. */

/** Whether a specifier names a module of Node.js, such as `fs` or `node:fs`. */
export function isOfNode(specifier: string): boolean {
  return isBuiltin(specifier);
}

/** Loads what is installed for the code in a folder. Throws when there is nothing of that name. */
export function createInstalledLoader(folder: string): (name: string) => unknown {
  const require = createRequire(join(folder, 'noop.js'));
  return (name) => require(name) as unknown;
}
