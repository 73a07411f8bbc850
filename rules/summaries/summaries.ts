import {
  withMarks,
  type KnownFunction,
  type Outcome,
  type Summaries,
} from '../typestate/outcome.ts';
import type { Graph } from '../flow/graph.ts';
import type { Node } from '../syntax/node.ts';
import type { Driver } from '../model/drivers.ts';
import type { State } from '../flow/explore.ts';
import type { AccessPaths } from '../typestate/access-paths.ts';
import type { Checkout } from '../typestate/checkout.ts';
import { clientMarks, initialFact, type Fact } from '../typestate/facts.ts';
import type { Status } from '../typestate/protocols.ts';
import { createInterner, type Interner } from '../typestate/interning.ts';
import { bindParameter, type Argument } from '../typestate/parameters.ts';
import { returnedAt } from '../typestate/returned.ts';
import { returnedOn } from '../typestate/value-returned.ts';
import { createTable } from './tabulation.ts';
import { paramsOf } from '../syntax/parameters.ts';
import type { SourceFile } from '../syntax/source-file.ts';

/** Follows a client that the function's caller holds. Undefined when the function is too large to be known. */
export type FollowGiven = (
  callee: KnownFunction,
  driver: Driver,
  initial: (accessPaths: AccessPaths) => Fact,
) => Checkout | undefined;

interface Question {
  readonly callee: KnownFunction;
  readonly given: readonly Argument[];
  readonly before: Fact;
  readonly driver: Driver;
}

export function createSummaries(follow: FollowGiven): Summaries {
  const intern = createInterner();
  const known = new Map<number, Outcome>();
  /** Equal outcomes are one object, so that sets of them can be compared. */
  const interned = (outcome: Outcome): Outcome => {
    const number = numberOf(outcome, intern);
    const same = known.get(number) ?? outcome;
    known.set(number, same);
    return same;
  };
  const table = createTable<Question, readonly Outcome[] | undefined>({
    least: [],
    unknown: undefined,
    // Who turns out to release when it fails is trusted from then on: what it leaves held is no less than before.
    includes(more, fewer) {
      if (more === undefined || fewer === undefined) return more === undefined;
      const isTrusted = trustIn(more);
      return fewer.every(
        (each) =>
          more.includes(each) || (isTrusted(each) && more.includes(interned(excused(each)))),
      );
    },
    solve({ callee, given, before, driver }) {
      const checkout = follow(callee, driver, (accessPaths) =>
        givenFact(callee, given, before, accessPaths),
      );
      if (checkout?.exploration.isComplete !== true) return { answer: undefined, work: 0 };
      const outcomes = outcomesIn(checkout, callee.file);
      const isTrusted = trustIn(outcomes);
      const told = outcomes.map((each) => interned(isTrusted(each) ? excused(each) : each));
      return { answer: [...new Set(told)], work: checkout.exploration.states.length };
    },
  });
  return {
    outcomesOf(callee, given, before, driver) {
      if (callee.node.generator) return undefined;
      const key = keyOf(callee, given, before, driver, intern);
      return table(key, { callee, given, before, driver });
    },
  };
}

/** All that a function's outcomes may depend on. */
function keyOf(
  { node }: KnownFunction,
  given: readonly Argument[],
  before: Fact,
  driver: Driver,
  intern: Interner,
): number {
  const taken = given.slice(0, paramsOf(node).length);
  return intern([
    node,
    driver,
    before.status,
    before.transaction,
    internRecord([...clientMarks(before)], intern),
    ...taken.map(({ value, properties }) =>
      intern([value, properties && internRecord([...properties], intern)]),
    ),
  ]);
}

/** Names and what they hold, in whatever order they come. */
function internRecord(
  entries: readonly (readonly [name: string, value: unknown])[],
  intern: Interner,
): number {
  return intern([...entries].sort(([one], [other]) => (one < other ? -1 : 1)).flat());
}

function givenFact(
  callee: KnownFunction,
  given: readonly Argument[],
  before: Fact,
  accessPaths: AccessPaths,
): Fact {
  const start: Fact = {
    ...initialFact,
    status: before.status === 'unconnected' ? 'unconnected' : 'held',
    transaction: before.transaction,
  };
  return paramsOf(callee.node).reduce(
    (fact, param, index) => bindParameter(fact, param, given[index], accessPaths),
    withMarks(start, clientMarks(before), accessPaths),
  );
}

function outcomesIn(checkout: Checkout, file: SourceFile): readonly Outcome[] {
  return checkout.exploration.states
    .filter(({ point }) => point.kind === 'exit' || point.kind === 'throw-exit')
    .flatMap((state) => outcomesAt(state, checkout, file));
}

function numberOf({ marks, ...rest }: Outcome, intern: Interner): number {
  return intern([internRecord([...marks], intern), internRecord(Object.entries(rest), intern)]);
}

/**
 * A function that does release when it fails is trusted to do so: what it leaves held on some other failure, such as one before
 * its `try`, is its own matter and not that of each of its callers. So is what one that takes the client over leaves held only where
 * its ROLLBACK fails.
 */
function trustIn(outcomes: readonly Outcome[]): (outcome: Outcome) => boolean {
  const releasesOnFailure = outcomes.some(
    ({ leaves, status, followsImplicitThrow }) =>
      leaves === 'throw' && status === 'released' && !followsImplicitThrow,
  );
  const returning = outcomes.filter(({ leaves }) => leaves === 'return');
  const takesOver = returning.length > 0 && returning.every(({ status }) => status === 'released');
  return ({ leaves, status, isBroken }) =>
    leaves === 'throw' && status === 'held' && (releasesOnFailure || (takesOver && isBroken));
}

function excused(outcome: Outcome): Outcome {
  return { ...outcome, followsImplicitThrow: true };
}

const endsAs: Readonly<Partial<Record<Status, Outcome['status']>>> = {
  unconnected: 'unconnected',
  held: 'held',
  released: 'released',
  escaped: 'escaped',
  returned: 'held',
};

function outcomesAt(state: State<Fact>, checkout: Checkout, file: SourceFile): readonly Outcome[] {
  const { point, fact } = state;
  const status = endsAs[fact.status];
  if (status === undefined) return [];
  const isReturned = fact.status === 'returned';
  const base = {
    status,
    transaction: fact.transaction,
    mayKeepConnection: checkout.mayKeepConnection,
    wasLent: fact.wasLent,
    isBroken: fact.isBroken,
    followsImplicitThrow: fact.followsImplicitThrow,
    marks: clientMarks(fact),
  } as const;
  const fulfils: Outcome = {
    ...base,
    leaves: 'return',
    value: isReturned ? 'client' : returnedOn(state, checkout, file),
  };
  const rejects: Outcome = { ...base, leaves: 'throw', value: undefined };
  if (point.kind === 'throw-exit') return [rejects];
  const promise = isReturned ? undefined : promiseReturned(state, checkout.graph);
  if (promise === undefined) return [fulfils];
  const settles = checkout.valueOf(promise, fact);
  if (settles === 'rejected') return [rejects];
  return settles === undefined || settles === 'promise' ? [fulfils, rejects] : [fulfils];
}

/** What a function returns without having awaited it may still reject, and then rejects in the hands of the caller. */
function promiseReturned(state: State<Fact>, graph: Graph): Node | undefined {
  const value = returnedAt(state, graph);
  return value?.type === 'CallExpression' ? value : undefined;
}
