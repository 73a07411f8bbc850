import type { CallNode } from '../../syntax/node.ts';
import type { SessionEffect, StatementKind } from '../../model/sql.ts';
import type { Checkout } from '../../typestate/checkout.ts';
import type { Here } from '../../values/resolver.ts';
import type { Sent } from '../../typestate/session-log.ts';
import type { Settings } from './pooler-setting.ts';
import type { SetUp } from './set-ups.ts';

/** A call that leaves session state on something pooled. */
export interface StateCall {
  readonly call: CallNode;
  readonly kind: StatementKind;
  readonly effect: SessionEffect;
  /** `connection` is a client of its own, made by `new Client()`. */
  readonly on: 'pool' | 'client' | 'connection';
  readonly source: Sent['source'];
}

/** What is judged: one file with everything known of it. */
export interface SessionContext extends Here {
  readonly checkouts: readonly Checkout[];
  readonly sentInHelpers: ReadonlyMap<CallNode, Sent>;
  readonly settings: Settings;
  readonly setUps: readonly SetUp[];
  /** True when some query of the file takes such state back. */
  isUndoneSomewhere(effect: SessionEffect): boolean;
}
