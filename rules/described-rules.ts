import noAccidentalDestroy from './no-accidental-destroy.ts';
import noConcurrentClientQuery from './no-concurrent-client-query.ts';
import noDoubleRelease from './no-double-release.ts';
import noEndPooledClient from './no-end-pooled-client.ts';
import noExternalAwaitWhileHolding from './no-external-await-while-holding.ts';
import noListenerLeak from './no-listener-leak.ts';
import noNestedCheckout from './no-nested-checkout.ts';
import noPoolPerRequest from './no-pool-per-request.ts';
import noPoolerIncompatible from './no-pooler-incompatible.ts';
import noOpenTransactionRelease from './no-open-transaction-release.ts';
import noSessionState from './no-session-state.ts';
import noSwallowedRollbackError from './no-swallowed-rollback-error.ts';
import noTransactionOnPool from './no-transaction-on-pool.ts';
import noUnreleasedClient from './no-unreleased-client.ts';
import noUseAfterRelease from './no-use-after-release.ts';
import preferPoolQuery from './prefer-pool-query.ts';
import requireConnectionTimeout from './require-connection-timeout.ts';
import requirePoolErrorHandler from './require-pool-error-handler.ts';
import type { DescribedRule } from './rule-text.ts';

/** Every rule: a row each. */
export const describedRules: readonly DescribedRule[] = [
  noAccidentalDestroy,
  noConcurrentClientQuery,
  noDoubleRelease,
  noEndPooledClient,
  noExternalAwaitWhileHolding,
  noListenerLeak,
  noNestedCheckout,
  noPoolPerRequest,
  noPoolerIncompatible,
  noOpenTransactionRelease,
  noSessionState,
  noSwallowedRollbackError,
  noTransactionOnPool,
  noUnreleasedClient,
  noUseAfterRelease,
  preferPoolQuery,
  requireConnectionTimeout,
  requirePoolErrorHandler,
];
