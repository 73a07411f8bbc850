import type { Builder, Frame } from './builder.ts';

/** Runs `finish` after `body`, however `body` is left. */
export function buildWithFinally(b: Builder, body: () => void, finish: () => void): void {
  b.within({ kind: 'finally', build: finish, clones: new Map() }, body);
  if (b.ports.length > 0) finish();
}

/** Builds `body`; what it throws arrives in `handle`. */
export function buildWithCatch(b: Builder, body: () => void, handle: () => void): void {
  const frame: Frame = { kind: 'catch', ports: [] };
  b.within(frame, body);
  const afterBody = b.ports;
  b.ports = frame.ports;
  if (b.ports.length > 0) {
    b.append('join', null);
    handle();
  }
  b.ports = [...afterBody, ...b.ports];
}
