import { quietly } from '../../quietly.ts';
import type { Backend, Query } from './sql-shape.ts';

export interface QueryListener {
  readonly onSent: (backend: Backend) => void;
  /** Answered, refused or given up. */
  readonly onEnd: (wasSent: boolean) => void;
}

/**
 * Sees a statement sent and ended. src/connection.js says both by two fields of it, `state` and `active`, and nothing else of what it
 * does then can be seen without touching the caller's promise.
 */
export function followQuery(query: Query, { onSent, onEnd }: QueryListener): void {
  let wasSent = query.state !== null;
  let isOver = false;
  watchField(query, 'state', (backend) => {
    if (backend === null || isOver) return;
    wasSent = true;
    onSent(backend);
  });
  watchField(query, 'active', (isActive) => {
    if (isActive || isOver) return;
    isOver = true;
    onEnd(wasSent);
  });
}

function watchField<K extends 'state' | 'active'>(
  query: Query,
  field: K,
  onSet: (value: Query[K]) => void,
): void {
  let value = query[field];
  Object.defineProperty(query, field, {
    get: () => value,
    set: (next: Query[K]) => {
      value = next;
      quietly(() => onSet(next))();
    },
    enumerable: true,
    configurable: true,
  });
}
