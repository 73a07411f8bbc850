import type { Checkout } from '../typestate/checkout.ts';
import type { Here } from '../values/resolver.ts';
import type { Settings } from './session/pooler-setting.ts';

/** What a judge may look at: one file, and every client that was followed in it. */
export interface Analysis extends Here {
  readonly checkouts: readonly Checkout[];
  /** Clients that may be of the calls around: of these only the release is judged. */
  readonly borrowed: readonly Checkout[];
  readonly settings: Settings;
}
