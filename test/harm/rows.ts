import type { AnyHarm } from './harm.ts';
import { doubleRelease } from './rows/no-double-release.ts';
import { externalAwaitWhileHolding } from './rows/no-external-await-while-holding.ts';
import { nestedCheckout } from './rows/no-nested-checkout.ts';
import { sessionState } from './rows/no-session-state.ts';
import { unreleasedClient } from './rows/no-unreleased-client.ts';
import { useAfterRelease } from './rows/no-use-after-release.ts';

/** Every rule has at least one row. */
export const harms: readonly AnyHarm[] = [
  ...doubleRelease,
  ...externalAwaitWhileHolding,
  ...nestedCheckout,
  ...sessionState,
  ...unreleasedClient,
  ...useAfterRelease,
];
