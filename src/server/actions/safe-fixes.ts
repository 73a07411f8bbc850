import { prefix } from '../../lint/plugin.ts';
import type { Fix, Problem } from '../../lint/problem.ts';

/**
 * Which suggestions are applied without asking, by rule and by the suggestion's message. Those do that add a `try … finally`, an `await` or a release,
 * or take away one too many. Those do not that change which SQL is sent, over which client or in which order, or that write down what
 * only the author knows: a number, what to log, whether a connection was closed on purpose.
 */
export const appliedUnasked: Readonly<Record<string, Readonly<Record<string, boolean>>>> = {
  'no-accidental-destroy': { callPlainly: true, dropArgument: false },
  'no-concurrent-client-query': { oneByOne: false, addAwait: false },
  'no-double-release': {
    dropRelease: true,
    dropReleases: true,
    releaseInFinally: true,
    moveIntoTry: true,
  },
  'no-end-pooled-client': { releaseInstead: true },
  'no-listener-leak': { removeBefore: true },
  'no-nested-checkout': { queryClient: false },
  'no-open-transaction-release': { rollBack: false },
  'no-session-state': { setLocal: false, configLocal: false, lockLocal: false },
  'no-swallowed-rollback-error': { destroy: true },
  'no-unreleased-client': { releaseInFinally: true, moveIntoTry: true, callDone: true },
  'no-use-after-release': { addAwait: true, releaseInFinally: true, moveIntoTry: true },
  'prefer-pool-query': { usePool: true },
  'require-connection-timeout': { add: false, replace: false },
  'require-pool-error-handler': { addHandler: false },
};

/** The one fix of a problem that has no other and needs no choice. */
export function safeFixOf({ rule, fixes }: Problem): Fix | undefined {
  const [fix, other] = fixes;
  const isSafe =
    rule !== null &&
    fix?.kind !== undefined &&
    appliedUnasked[rule.replace(prefix, '')]?.[fix.kind] === true;
  return isSafe && other === undefined ? fix : undefined;
}
