import { createRequire, isBuiltin } from 'node:module';
import { join } from 'node:path';

/** Node's own view of modules; a build for a browser replaces this file. */

/** Whether a specifier names a module of Node.js, such as `fs` or `node:fs`. */
export function isOfNode(specifier: string): boolean {
  return isBuiltin(specifier);
}

/** What is installed for some code. Both throw when there is nothing of that name. */
export interface Installed {
  load(name: string): unknown;
  /** What a package itself sees. */
  of(name: string): Installed;
}

export function installedFor(folder: string): Installed {
  return installedBeside(join(folder, 'noop.js'));
}

function installedBeside(file: string): Installed {
  const require = createRequire(file);
  return {
    load: (name) => require(name) as unknown,
    of: (name) => installedBeside(require.resolve(name)),
  };
}
