import type { AnyHarm } from './harm.ts';
import { doubleRelease } from './rows/no-double-release.ts';
import { externalAwaitWhileHolding } from './rows/no-external-await-while-holding.ts';
import { poolPerRequest } from './rows/no-pool-per-request.ts';
import { preferPoolQuery } from './rows/prefer-pool-query.ts';
import { connectionTimeout } from './rows/require-connection-timeout.ts';
import { poolErrorHandler } from './rows/require-pool-error-handler.ts';
import { nestedCheckout } from './rows/no-nested-checkout.ts';
import { sessionState } from './rows/no-session-state.ts';
import { unreleasedClient } from './rows/no-unreleased-client.ts';
import { useAfterRelease } from './rows/no-use-after-release.ts';

/** Every rule has at least one row. */
export const harms: readonly AnyHarm[] = [
  ...doubleRelease,
  ...externalAwaitWhileHolding,
  ...connectionTimeout,
  ...nestedCheckout,
  ...poolErrorHandler,
  ...poolPerRequest,
  ...preferPoolQuery,
  ...sessionState,
  ...unreleasedClient,
  ...useAfterRelease,
];
