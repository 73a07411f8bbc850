/** A call of a package that calls its callback once, before it returns, and gives what that gives. */
export interface ImmediateCall {
  readonly module: string;
  /** The last name of what is called. */
  readonly method: string;
  /** The index of the callback among the arguments; `last` where options may stand before it. */
  readonly callback: number | 'last';
  /** The index of the first argument that is passed on to the callback. */
  readonly passesFrom: number;
}

/**
 * Facts: Node 20 `lib/async_hooks.js` (`AsyncLocalStorage`, `AsyncResource`); @opentelemetry/api 1.9 `src/api/context.ts`,
 * `src/trace/NoopTracer.ts`; @sentry/core 8 `src/tracing/trace.ts`, `src/currentScopes.ts`.
 */
export const immediateCalls: readonly ImmediateCall[] = [
  { module: 'async_hooks', method: 'run', callback: 1, passesFrom: 2 },
  { module: 'async_hooks', method: 'exit', callback: 0, passesFrom: 1 },
  { module: 'async_hooks', method: 'runInAsyncScope', callback: 0, passesFrom: 2 },
  {
    module: '@opentelemetry/api',
    method: 'startActiveSpan',
    callback: 'last',
    passesFrom: Infinity,
  },
  { module: '@opentelemetry/api', method: 'with', callback: 1, passesFrom: 3 },
  { module: '@sentry/node', method: 'startSpan', callback: 1, passesFrom: Infinity },
  { module: '@sentry/node', method: 'withScope', callback: 0, passesFrom: Infinity },
];

export const immediateNames: ReadonlySet<string> = new Set(
  immediateCalls.map(({ method }) => method),
);
