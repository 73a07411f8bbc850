import { protocolVersion } from '../report.ts';
import { createMonitor, type Monitor } from './monitor.ts';

const sharedKey = Symbol.for('poolguard-monitor');

interface Shared {
  [sharedKey]?: Monitor;
}

/** The monitor of this thread, made by whoever comes first; null when that is one of another version. */
export function sharedMonitor(): Monitor | null {
  const shared = globalThis as Shared;
  if (shared[sharedKey] === undefined)
    Object.defineProperty(shared, sharedKey, {
      value: createMonitor(process.env),
      enumerable: false,
    });
  const monitor = shared[sharedKey];
  return monitor?.version === protocolVersion ? monitor : null;
}
