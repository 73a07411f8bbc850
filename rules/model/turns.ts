/**
 * Methods whose promise is settled when it is the caller's turn: what follows runs after what others do. Facts: async-mutex 0.5
 * `Mutex`, `Semaphore`; async-sema 3; p-queue 9; limiter 3 `removeTokens`; await-semaphore 0.1; redlock 5.
 */
export const turnMethods: ReadonlySet<string> = new Set([
  'acquire',
  'acquireAsync',
  'drain',
  'enter',
  'lock',
  'onEmpty',
  'onIdle',
  'onSizeLessThan',
  'removeTokens',
  'take',
  'throttle',
  'wait',
  'waitForTurn',
  'waitForUnlock',
]);
