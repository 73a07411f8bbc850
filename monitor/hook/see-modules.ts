import { existsSync } from 'node:fs';
import Module from 'node:module';
import { dirname, join, resolve } from 'node:path';
import type { ModuleSource, OnFound } from '../pools/pool-kind.ts';

type Load = (this: unknown, request: unknown, ...rest: unknown[]) => unknown;

const hookedKey = Symbol.for('poolguard-monitor.modules');

interface Loader {
  _load?: Load;
  [hookedKey]?: boolean;
}

/** Shows what modules export to the rows that know them, before whoever asked for it has it: `require`, and `import` of either kind. */
export function seeModules(rows: readonly ModuleSource[], onFound: OnFound): void {
  const loader = Module as unknown as Loader;
  const { _load } = loader;
  if (typeof _load !== 'function' || loader[hookedKey] === true) return;
  Object.defineProperty(loader, hookedKey, { value: true });
  loader._load = function (request, ...rest) {
    const exported = _load.call(this, request, ...rest);
    const row =
      typeof request === 'string' ? rows.find((each) => each.request.test(request)) : undefined;
    return row === undefined ? exported : show(row, exported, onFound);
  };
  seeEsModules(
    rows.flatMap(({ esModule = [] }) => esModule),
    (name, exported) => {
      const row = rows.find(({ esModule }) => esModule === name);
      return row === undefined ? exported : show(row, exported, onFound);
    },
  );
}

function show(row: ModuleSource, exported: unknown, onFound: OnFound): unknown {
  try {
    return row.onLoaded(exported, onFound);
  } catch {
    // Something else that has the name.
    return exported;
  }
}

type Show = (name: string, exported: unknown) => unknown;

const showKey = 'poolguard-monitor.show';

/**
 * Shows the default export of packages that are ES modules. Nothing of such a module can be replaced from outside, so that a loader hook
 * puts a module in front of it that has all it exports. Hooks run in a thread of their own: it is started only where a package is installed.
 */
function seeEsModules(names: readonly string[], show: Show): void {
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
