import type { Driver } from '../model/drivers.ts';
import type { AbstractValue } from '../values/abstract-values.ts';
import type { AccessPaths } from './access-paths.ts';
import { nothingLeft, withAccessPath, type Fact, type Value } from './facts.ts';
import type { Argument } from './parameters.ts';
import type { Transaction } from './protocols.ts';

export type KnownFunction = AbstractValue & { readonly kind: 'function' };

/** One way in which a function that was given a client ends, and what has become of the client by then. */
export interface Outcome {
  readonly leaves: 'return' | 'throw';
  readonly status: 'unconnected' | 'held' | 'released' | 'escaped';
  /** `client` when the function gives back the client that it was given, or the constant that it returns. */
  readonly value: Value | undefined;
  readonly transaction: Transaction;
  /** False when the function closes the connections that it releases. */
  readonly mayKeepConnection: boolean;
  readonly wasLent: boolean;
  /** A ROLLBACK over the client has failed. */
  readonly isBroken: boolean;
  readonly followsImplicitThrow: boolean;
  /** What the function noted on the client itself: `client.inTransaction = true`. */
  readonly marks: ReadonlyMap<string, Value>;
}

/** What functions do with the clients that they are given, by following each as if its parameter had been checked out. */
export interface Summaries {
  /** The outcomes of a call, or undefined when they are not known. `before` is what holds of the client when it is called. */
  outcomesOf(
    callee: KnownFunction,
    given: readonly Argument[],
    before: Fact,
    driver: Driver,
  ): readonly Outcome[] | undefined;
}

/** What holds after a call that ended this way, the callee's own access paths left behind. */
export function applyOutcome(fact: Fact, outcome: Outcome, accessPaths: AccessPaths): Fact {
  const others = fact.accessPaths.filter(({ accessPath }) => accessPath.kind !== 'mark');
  return {
    ...withMarks({ ...fact, accessPaths: others }, outcome.marks, accessPaths),
    status: outcome.status,
    ...(outcome.status === 'released' ? nothingLeft : {}),
    transaction: outcome.transaction,
    wasLent: fact.wasLent || outcome.wasLent,
    isBroken: outcome.status !== 'released' && (fact.isBroken || outcome.isBroken),
    followsImplicitThrow: fact.followsImplicitThrow || outcome.followsImplicitThrow,
  };
}

/** What the program noted on the client goes with it. */
export function withMarks(
  fact: Fact,
  marks: ReadonlyMap<string, Value>,
  { intern }: AccessPaths,
): Fact {
  return [...marks].reduce(
    (before, [property, value]) =>
      withAccessPath(before, intern({ kind: 'mark', property }), value),
    fact,
  );
}
