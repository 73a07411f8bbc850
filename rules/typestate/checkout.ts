import type { TSESTree } from '@typescript-eslint/types';
import type { Exploration, State } from '../flow/explore.ts';
import type { FunctionNode, Node, CallNode } from '../syntax/node.ts';
import type { Graph } from '../flow/graph.ts';
import type { Acquisition } from './acquisition.ts';
import type { KnownFunction, Summaries } from './outcome.ts';
import type { CheckoutLog, CheckoutRecord } from './checkout-log.ts';
import type { AccessPath } from './access-path.ts';
import type { AccessPaths } from './access-paths.ts';
import type { Fact, Value } from './facts.ts';
import { returnedAt } from './returned.ts';
import { memberName, unwrap, type SourceFile, type Variable } from '../syntax/source-file.ts';
import type { SessionLog } from './session-log.ts';

/** What the transfer needs to know of one acquisition and its graph. */
export interface CheckoutContext {
  readonly file: SourceFile;
  readonly graph: Graph;
  readonly acquisition: Acquisition;
  readonly accessPaths: AccessPaths;
  /** Cells that some branch depends on. */
  readonly tested: ReadonlySet<AccessPath>;
  /** Cells that several branches depend on, so that what one says tells how another comes out. */
  readonly repeated: ReadonlySet<AccessPath>;
  readonly summaries: Summaries;
  /** The function of this file that an expression names. */
  closureOf(node: Node): FunctionNode | null;
  /** The function that an expression names, of this file or another. */
  functionAt(node: Node): KnownFunction | undefined;
  /** Whether an import is of a file that is not there. */
  readonly isMissing: (imported: Node) => boolean;
  /** Whether the class that `new` names keeps what it is given at this position to itself, and gives it back in its methods at most. */
  readonly keepsToItself: (made: TSESTree.NewExpression, index: number) => boolean;
  /** Whether a test surely holds of the client or its pool. */
  readonly holdsSurely: (test: Node, fact: Fact) => boolean;
  readonly session: SessionLog;
  readonly log: CheckoutLog;
  /** Whether a release with this argument gives the connection back and does not close it. */
  keepsConnection(argument: Node | null, fact: Fact): boolean;
}

/** One acquisition with everything that can become of its client. */
export interface Checkout extends CheckoutRecord {
  readonly acquisition: Acquisition;
  readonly graph: Graph;
  readonly exploration: Exploration<Fact>;
  readonly session: SessionLog;
  /** False when every release closes the connection: `release(true)`. */
  readonly mayKeepConnection: boolean;
  /** The number of releases seen on any path. */
  readonly releases: number;
  holdsClient(node: Node, state: State<Fact>): boolean;
  /** What an expression evaluates to in a fact that holds right after it. */
  valueOf(node: Node, fact: Fact): Value | undefined;
  /** Whether a call of a function that is followed apart, given the client, releases it on each way on which it returns. */
  surelyReleases(call: CallNode, fact: Fact): boolean;
  /** Whether a test can only come out one way, by what is known where it stands on the way to a state. */
  isDecided(test: State<Fact>): boolean;
  /** The variables that hold the client. */
  variablesWithClient(fact: Fact): readonly Variable[];
  /** The function of this file that an expression names. */
  closureOf(node: Node): FunctionNode | null;
}

/**
 * Whether what was seen on one way may be told: all ways are known, or enough of them to see a release. Whether a client that no way of
 * a sample releases was handed on by some other way, nobody knows.
 */
export function tellsOfWays({
  exploration: { isComplete, isSampled },
  releases,
  acquisition,
}: Checkout): boolean {
  return isComplete || (isSampled && (releases > 0 || acquisition.style === 'lent'));
}

/** A function that lends its client, still has it where it ends and releases it nowhere may have found it a new owner: nothing is said of it. */
export function isConclusive(checkout: Checkout): boolean {
  const { acquisition, exploration, releases } = checkout;
  if (acquisition.owner?.answers === 'somebody' && releases === 0) return false;
  return (
    tellsOfWays(checkout) &&
    (acquisition.style === 'lent' || ownsClient(checkout) || !exploration.states.some(isLentAtEnd))
  );
}

/** Who lends to a callback holds the client until that settles, whoever else has it meanwhile. */
export function isHeld({ status }: Fact, { style }: Acquisition): boolean {
  return status === 'held' || (status === 'escaped' && style === 'lent');
}

/**
 * A function that releases its client, or does nothing but give it to its caller in the end, had only lent it to whom it was given
 * before. One that also releases what somebody else has by then asks that somebody in ways that are not followed.
 */
export function ownsClient(checkout: Checkout): boolean {
  const {
    exploration: { states },
    graph,
    releases,
  } = checkout;
  if (releases > 0 || states.some(({ fact }) => fact.status === 'released')) return releases > 0;
  return states.some(
    (state) =>
      state.point.kind === 'exit' && isGivenBack(returnedAt(state, graph), state, checkout),
  );
}

function isGivenBack(value: Node | null, { fact }: State<Fact>, checkout: Checkout): boolean {
  const given = value === null ? undefined : checkout.valueOf(value, fact);
  return (
    fact.status === 'returned' ||
    given === 'client' ||
    given === 'collection' ||
    given === 'container'
  );
}

function isLentAtEnd({ point, fact }: State<Fact>): boolean {
  const isEnd = fact.status === 'lost' || point.kind === 'exit' || point.kind === 'throw-exit';
  return (
    fact.wasLent &&
    isEnd &&
    !fact.followsImplicitThrow &&
    fact.status !== 'escaped' &&
    fact.status !== 'returned'
  );
}

/** `commit` of `client.commit()` */
export function methodOfClient(
  promise: Node,
  fact: Fact,
  { accessPaths }: CheckoutContext,
): string | undefined {
  const call = unwrap(promise);
  return call.type === 'CallExpression' &&
    call.callee.type === 'MemberExpression' &&
    accessPaths.valueOf(call.callee.object, fact) === 'client'
    ? memberName(call.callee)
    : undefined;
}
