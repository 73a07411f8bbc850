import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import Module from 'node:module';
import { dirname, join, resolve } from 'node:path';
import type { EmitterSource, ModuleSource, OnFound } from '../pools/pool-kind.ts';
import { poolSources } from '../pools/pool-kinds.ts';

/** Sees each pool that is made from here on. A failure of ours is not felt: whoever makes a pool has it, watched or not. */
export function seePools(onFound: OnFound): void {
  seeEmitters(
    poolSources.flatMap(({ emitters = [] }) => emitters),
    onFound,
  );
  seeModules(
    poolSources.flatMap(({ modules = [] }) => modules),
    onFound,
  );
}

type Init = (this: object, ...args: unknown[]) => unknown;

const hookedKey = Symbol.for('poolguard-monitor.hooked');

/**
 * Shows each `EventEmitter` to the rows that know its class, whoever loads that, and how: required, imported, transpiled by a loader,
 * bundled into the application, several copies. The constructor calls `EventEmitter.init`, which Node's own `domain` module replaces in
 * the same way. It costs other emitters one look for a property for each row (10 ns).
 */
function seeEmitters(rows: readonly EmitterSource[], onFound: OnFound): void {
  const emitter = EventEmitter as unknown as { init?: Init; [hookedKey]?: boolean };
  const { init } = emitter;
  if (typeof init !== 'function' || emitter[hookedKey] === true) return;
  Object.defineProperty(emitter, hookedKey, { value: true });
  emitter.init = function (this: object, ...args: unknown[]): unknown {
    const result = init.apply(this, args);
    for (const row of rows) if (row.hasMark in this) showEmitter(row, this, onFound);
    return result;
  };
}

function showEmitter(row: EmitterSource, emitter: object, onFound: OnFound): void {
  try {
    row.onMade(emitter, onFound);
  } catch {
    // Something else that has the name.
  }
}

type Load = (this: unknown, request: unknown, ...rest: unknown[]) => unknown;

const loaderKey = Symbol.for('poolguard-monitor.modules');

interface Loader {
  _load?: Load;
  [loaderKey]?: boolean;
}

/** Shows what modules export to the rows that know them, before whoever asked for it has it: `require`, and `import` of either kind. */
function seeModules(rows: readonly ModuleSource[], onFound: OnFound): void {
  const loader = Module as unknown as Loader;
  const { _load } = loader;
  if (typeof _load !== 'function' || loader[loaderKey] === true) return;
  Object.defineProperty(loader, loaderKey, { value: true });
  loader._load = function (request, ...rest) {
    const exported = _load.call(this, request, ...rest);
    const row =
      typeof request === 'string' ? rows.find((each) => each.request.test(request)) : undefined;
    return row === undefined ? exported : showModule(row, exported, onFound);
  };
  seeEsModules(
    rows.flatMap(({ esModule = [] }) => esModule),
    (name, exported) => {
      const row = rows.find(({ esModule }) => esModule === name);
      return row === undefined ? exported : showModule(row, exported, onFound);
    },
  );
}

function showModule(row: ModuleSource, exported: unknown, onFound: OnFound): unknown {
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
