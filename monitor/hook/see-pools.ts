import { EventEmitter } from 'node:events';
import type { InnerPool, WatchablePool } from '../watch/pool-shape.ts';
import { captureStack, type CapturedStack } from '../watch/stack.ts';

type Init = (this: object, ...args: unknown[]) => unknown;

const hookedKey = Symbol.for('poolguard-monitor.hooked');

/**
 * Sees each pool that is made from here on, whoever loads pg-pool, and how: required, imported, transpiled by a loader, bundled into the
 * application, several copies. Every one is an `EventEmitter`, and that constructor calls `EventEmitter.init`, which Node's own `domain`
 * module replaces in the same way. It costs other emitters one look for a property (10 ns).
 */
export function seePools(
  onMade: (pool: WatchablePool, madeFrom: CapturedStack | null) => void,
): void {
  const emitter = EventEmitter as unknown as { init?: Init; [hookedKey]?: boolean };
  const { init } = emitter;
  if (typeof init !== 'function' || emitter[hookedKey] === true) return;
  Object.defineProperty(emitter, hookedKey, { value: true });
  emitter.init = function (this: object, ...args: unknown[]): unknown {
    const result = init.apply(this, args);
    if (isPool(this)) onMade(this, captureStack());
    return result;
  };
}

function isPool(
  emitter: Partial<InnerPool> & { readonly _acquireClient?: unknown },
): emitter is InnerPool {
  return typeof emitter._pulseQueue === 'function' && typeof emitter._acquireClient === 'function';
}
