import { libraryOf } from '../model/libraries.ts';
import { transactionStep } from '../model/protocols.ts';
import type { State } from '../flow/explore.ts';
import { type Node, isFunction, type CallNode } from '../syntax/node.ts';
import type { Point } from '../flow/graph.ts';
import type { Checkout } from '../typestate/checkout.ts';
import { isOut, type Fact } from '../typestate/facts.ts';
import { isApart, seenFrom } from './after-release.ts';
import { mayEndUnseen, speaksOfEnd } from './ends-unseen.ts';
import type { Finding, PathStep } from './finding.ts';
import { checkedOut, stepOf } from './path-step.ts';
import { keptReleases, sinceWhen, type KeptRelease } from './release-code.ts';
import { isLastUseOfPool } from './last-use-of-pool.ts';
import { lastJump } from './way-out.ts';
import type { Here } from '../values/resolver.ts';
import { rollBack, type OpenRelease } from '../fixes/roll-back.ts';
import { contains, memberName, unwrap, type SourceFile } from '../syntax/source-file.ts';

/** A release that ends no transaction, of a driver of PostgreSQL or of any database; in MySQL, statements that are not looked at end one. */
export function keepsTransaction({ acquisition: { driver } }: Checkout): boolean {
  return driver.database !== 'mysql' && libraryOf(driver) === undefined;
}

/** Releases of a client with a transaction that is still open: one finding a release, a normal way before an exception. */
export function findOpenTransactions(checkout: Checkout, here: Here): readonly Finding[] {
  const { file } = here;
  const found = keptReleases(checkout, (fact) => fact.transaction === 'open').flatMap(
    (kept) => openRelease(kept, checkout, file) ?? [],
  );
  if (found.length === 0 || isLastUseOfPool(checkout, file)) return [];
  const byRelease = new Map<Node, OpenRelease>();
  for (const each of found) {
    const before = byRelease.get(each.release);
    if (before === undefined || (before.thrower !== undefined && each.thrower === undefined))
      byRelease.set(each.release, each);
  }
  return [...byRelease.values()].map((each) => describe(each, checkout, here));
}

function openRelease(
  { release, path }: KeptRelease,
  checkout: Checkout,
  file: SourceFile,
): OpenRelease | undefined {
  // What is disposed of is committed.
  if (path.at(-2)?.point.kind === 'dispose') return undefined;
  const start = sinceWhen(path, (fact) => fact.transaction === 'open');
  const before = path[start - 1];
  const sender = before?.point.node;
  if (before === undefined || !sender || !isOut(before.fact)) return undefined;
  const begin = seenFrom(sender, before.point, checkout.graph);
  // Which of the two comes first is not known.
  if (isApart(begin, release, checkout.graph)) return undefined;
  const way = path.slice(start, -1);
  const failure = way.findIndex((state) => failedAt(state, checkout) !== undefined);
  const thrower = way[failure] === undefined ? undefined : failedAt(way[failure], checkout);
  if (thrower !== undefined && isDoubtfulThrower(thrower, begin, checkout, file)) return undefined;
  return mayEndUnseen(way.slice(failure + 1), checkout, file)
    ? undefined
    : { release, begin, thrower, jump: lastJump(way, checkout) };
}

/** What has thrown, or called back with an error, right before a state. */
export function failedAt(
  { point, from, via, fact }: State<Fact>,
  checkout: Checkout,
): Node | undefined {
  if (point.node?.type === 'ThrowStatement') return point.node;
  if (from === null) return undefined;
  const { kind, node } = from.point;
  const hasFailed =
    kind === 'callback'
      ? isCalledWithError(from.point, fact, checkout)
      : via?.when === 'throw' && kind !== 'unhandled';
  return hasFailed && node !== null ? node : undefined;
}

function isCalledWithError({ target }: Point, fact: Fact, checkout: Checkout): boolean {
  const error = target !== null && isFunction(target) ? target.params[0] : undefined;
  return error !== undefined && checkout.valueOf(error, fact) === 'some';
}

/** It may have been the BEGIN that failed, or something that would have ended the transaction, in a way that is not followed. */
function isDoubtfulThrower(
  thrower: Node,
  begin: Node,
  checkout: Checkout,
  file: SourceFile,
): boolean {
  if (thrower.type === 'ThrowStatement') return false;
  const promise = unwrap(thrower.type === 'AwaitExpression' ? thrower.argument : thrower);
  return (
    contains(promise, begin) ||
    promise.type !== 'CallExpression' ||
    isStep(promise, checkout) ||
    speaksOfEnd(promise, checkout, file)
  );
}

/** `runner.commitTransaction()`: a COMMIT that fails has ended the transaction all the same. */
function isStep({ callee }: CallNode, { acquisition: { driver } }: Checkout): boolean {
  return (
    callee.type === 'MemberExpression' && transactionStep(driver, memberName(callee)) !== undefined
  );
}

/** The method that rolls back, of a client that has one. */
export function rollbackOf({ acquisition: { driver } }: Checkout): string | undefined {
  return Object.keys(driver.transactions).find(
    (name) => transactionStep(driver, name) === 'rollback',
  );
}

function messageIdOf({ thrower }: OpenRelease, checkout: Checkout): string {
  if (rollbackOf(checkout) !== undefined)
    return thrower === undefined ? 'openByMethod' : 'openByMethodAfterError';
  if (thrower === undefined) return 'open';
  return isQueryOn(thrower, checkout) ? 'openAfterFailedQuery' : 'openAfterError';
}

function describe(open: OpenRelease, checkout: Checkout, { file, resolver }: Here): Finding {
  const { release, begin } = open;
  const rollback = rollbackOf(checkout);
  return {
    rule: 'no-open-transaction-release',
    messageId: messageIdOf(open, checkout),
    data: {
      pool: checkout.acquisition.poolText,
      ...(rollback === undefined ? {} : { rollback }),
      line: String(begin.loc.start.line),
      ...(open.thrower === undefined ? {} : { throwLine: String(open.thrower.loc.start.line) }),
    },
    place: release.loc,
    steps: [
      checkedOut(checkout),
      stepOf(begin, file, 'begins a transaction.'),
      ...decidingStep(open, file),
      stepOf(release, file, 'releases the client with the transaction open.'),
    ],
    suggestions: rollback === undefined ? rollBack(open, checkout, file, resolver) : [],
  };
}

/** What throws between the BEGIN and the release, or leaves. */
function decidingStep({ thrower, jump }: OpenRelease, file: SourceFile): readonly PathStep[] {
  const node = thrower ?? jump;
  if (node === undefined) return [];
  const leaves =
    thrower === undefined ? 'leaves' : node.type === 'ThrowStatement' ? 'throws' : 'may throw';
  return [stepOf(node, file, `${leaves}, and nothing ends the transaction before the release.`)];
}

/** A statement that fails leaves the transaction aborted; anything else that throws leaves it as it was. */
function isQueryOn(thrower: Node, { session }: Checkout): boolean {
  const promise = unwrap(thrower.type === 'AwaitExpression' ? thrower.argument : thrower);
  return (
    promise.type === 'CallExpression' &&
    session.sent.get(promise) !== undefined &&
    session.sent.get(promise)?.source === undefined &&
    promise.callee.type === 'MemberExpression'
  );
}
