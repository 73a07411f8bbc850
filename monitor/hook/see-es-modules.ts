import { existsSync } from 'node:fs';
import Module from 'node:module';
import { dirname, join, resolve } from 'node:path';

type Show = (name: string, exported: unknown) => unknown;

const showKey = 'poolguard-monitor.show';

/**
 * Shows the default export of packages that are ES modules. Nothing of such a module can be replaced from outside, so that a loader hook
 * puts a module in front of it that has all it exports. Hooks run in a thread of their own: it is started only where a package is installed.
 */
export function seeEsModules(names: readonly string[], show: Show): void {
  const installed = names.filter(isInstalled);
  if (installed.length === 0 || typeof Module.register !== 'function') return;
  Object.defineProperty(globalThis, Symbol.for(showKey), { value: show });
  try {
    Module.register(`data:text/javascript,${encodeURIComponent(hooksFor(installed))}`);
  } catch {
    // A Node that does not allow it, for example by its permissions: what is required is still seen.
  }
}

/** Above the script or the folder in which it was started, as Node would look for it. */
function isInstalled(name: string): boolean {
  return [process.argv[1] ?? '', process.cwd()].some((from) =>
    foldersAbove(resolve(from)).some((folder) => existsSync(join(folder, 'node_modules', name))),
  );
}

function foldersAbove(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersAbove(above)];
}

/** The text of the hooks, which know nothing but the names. The same twice, in a worker thread, does no harm: the first one answers. */
function hooksFor(names: readonly string[]): string {
  return `
    const names = new Set(${JSON.stringify(names)});
    const fronts = new Map();
    const mark = '?poolguard-monitor';
    export async function resolve(specifier, context, next) {
      const found = await next(specifier, context);
      if (names.has(specifier) && found.format === 'module' && !found.url.includes('?')) fronts.set(found.url, specifier);
      return found;
    }
    export async function load(url, context, next) {
      const name = fronts.get(url);
      if (name === undefined) return next(url, context);
      const behind = JSON.stringify(url + mark);
      const source = \`export * from \${behind}; import original from \${behind};
        const show = globalThis[Symbol.for('${showKey}')];
        export default typeof show === 'function' ? show(\${JSON.stringify(name)}, original) : original;\`;
      return { format: 'module', source, shortCircuit: true };
    }`;
}
