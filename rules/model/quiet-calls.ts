/** Global objects whose methods do not throw in practice. */
export const quietObjects: ReadonlySet<string> = new Set([
  'console',
  'Math',
  'Date',
  'Object',
  'Array',
  'Number',
  'String',
  'Boolean',
  'performance',
  'Symbol',
  'Promise',
]);

/** Methods that do not throw in practice and give no promise, whatever they are called on. */
export const plainMethods: ReadonlySet<string> = new Set(
  `
  push pop shift unshift slice concat join includes indexOf trim split toLowerCase
  toUpperCase startsWith endsWith replace toString getTime toISOString on once off
  removeListener removeAllListeners debug info warn error trace verbose fatal abs now
`
    .trim()
    .split(/\s+/u),
);

/** Methods that do not throw in practice, whatever they are called on. */
export const quietMethods: ReadonlySet<string> = new Set([
  ...plainMethods,
  ...'release has get set add delete clear keys values entries'.split(' '),
]);

/** Global functions that do not throw. */
export const quietFunctions: ReadonlySet<string> = new Set(
  `
  setTimeout setInterval setImmediate clearTimeout clearInterval queueMicrotask String
  Number Boolean parseInt parseFloat isNaN Date Error Map Set WeakMap Promise Array Object
`
    .trim()
    .split(/\s+/u),
);

/** Calls after which nothing of the program runs. */
export const endingCalls: ReadonlySet<string> = new Set([
  'process.exit',
  'process.abort',
  'Deno.exit',
]);

/** Functions that call what they are given as soon as the current code has run. */
export const deferrals: ReadonlySet<string> = new Set([
  'nextTick',
  'setImmediate',
  'queueMicrotask',
]);
