import type { AnyHarm } from './harm.ts';
import { accidentalDestroy } from './rows/no-accidental-destroy.ts';
import { concurrentClientQuery } from './rows/no-concurrent-client-query.ts';
import { doubleRelease } from './rows/no-double-release.ts';
import { endPooledClient } from './rows/no-end-pooled-client.ts';
import { externalAwaitWhileHolding } from './rows/no-external-await-while-holding.ts';
import { listenerLeak } from './rows/no-listener-leak.ts';
import { nestedCheckout } from './rows/no-nested-checkout.ts';
import { openTransactionRelease } from './rows/no-open-transaction-release.ts';
import { poolPerRequest } from './rows/no-pool-per-request.ts';
import { poolerIncompatible } from './rows/no-pooler-incompatible.ts';
import { sessionState } from './rows/no-session-state.ts';
import { swallowedRollbackError } from './rows/no-swallowed-rollback-error.ts';
import { transactionOnPool } from './rows/no-transaction-on-pool.ts';
import { unreleasedClient } from './rows/no-unreleased-client.ts';
import { useAfterRelease } from './rows/no-use-after-release.ts';
import { preferPoolQuery } from './rows/prefer-pool-query.ts';
import { connectionTimeout } from './rows/require-connection-timeout.ts';
import { poolErrorHandler } from './rows/require-pool-error-handler.ts';

/** Every rule has at least one row. */
export const harms: readonly AnyHarm[] = [
  ...accidentalDestroy,
  ...concurrentClientQuery,
  ...doubleRelease,
  ...endPooledClient,
  ...externalAwaitWhileHolding,
  ...listenerLeak,
  ...nestedCheckout,
  ...openTransactionRelease,
  ...poolPerRequest,
  ...poolerIncompatible,
  ...sessionState,
  ...swallowedRollbackError,
  ...transactionOnPool,
  ...unreleasedClient,
  ...useAfterRelease,
  ...preferPoolQuery,
  ...connectionTimeout,
  ...poolErrorHandler,
];
