import { EventEmitter } from 'node:events';
import type { EmitterSource, OnFound } from '../pools/pool-kind.ts';
import { poolSources } from '../pools/pool-kinds.ts';
import { seeModules } from './see-modules.ts';

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
    for (const row of rows) if (row.hasMark in this) show(row, this, onFound);
    return result;
  };
}

function show(row: EmitterSource, emitter: object, onFound: OnFound): void {
  try {
    row.onMade(emitter, onFound);
  } catch {
    // Something else that has the name.
  }
}
