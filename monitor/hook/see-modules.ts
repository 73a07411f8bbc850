import Module from 'node:module';
import type { ModuleSource, OnFound } from '../pools/pool-kind.ts';
import { seeEsModules } from './see-es-modules.ts';

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
