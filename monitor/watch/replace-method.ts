import { ownMethod } from './pool-shape.ts';

export type Method = (...args: unknown[]) => unknown;

/** Puts another method in the place of one that `owner` has itself. It looks like the old one: same name, same length, as hidden. */
export function replaceMethod(
  owner: object,
  name: string,
  wrap: (original: Method) => (this: never, ...args: never[]) => unknown,
): void {
  const original = ownMethod(owner, name);
  if (original === null) return;
  const look = {
    name: { value: original.name, configurable: true },
    length: { value: original.length, configurable: true },
  };
  Object.defineProperty(owner, name, {
    ...Object.getOwnPropertyDescriptor(owner, name),
    value: Object.defineProperties(wrap(original), look),
  });
}
