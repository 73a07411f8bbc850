export type Method = (...args: unknown[]) => unknown;

export function ownMethod(owner: object, name: string): Method | null {
  const value: unknown = Object.getOwnPropertyDescriptor(owner, name)?.value;
  return typeof value === 'function' ? (value as Method) : null;
}

/** The nearest object below `from`, itself apart, that has the method itself. */
function ownerOf(from: object, name: string): object | null {
  let at: unknown = Object.getPrototypeOf(from);
  while (at !== null && typeof at === 'object') {
    if (ownMethod(at, name) !== null) return at;
    at = Object.getPrototypeOf(at);
  }
  return null;
}

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

const replacedKey = Symbol('poolguard-monitor.replaced');

interface Replaced {
  [replacedKey]?: Set<string>;
}

/** Replaces a method, once, in the class from which an object has it. */
export function replaceInClass(
  instance: object,
  name: string,
  wrap: (original: Method) => (this: never, ...args: never[]) => unknown,
): void {
  const owner: (object & Replaced) | null = ownerOf(instance, name);
  if (owner === null) return;
  if (!Object.hasOwn(owner, replacedKey))
    Object.defineProperty(owner, replacedKey, { value: new Set(), enumerable: false });
  if (owner[replacedKey]?.has(name) === true) return;
  owner[replacedKey]?.add(name);
  replaceMethod(owner, name, wrap);
}
