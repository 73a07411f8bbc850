import type { TSESTree } from '@typescript-eslint/types';
import type { State } from '../flow/explore.ts';
import { isOfPromise } from '../syntax/promise-calls.ts';
import { settledBy } from '../typestate/settlement.ts';
import { type Node, isFunction, type CallNode } from '../syntax/node.ts';
import { isChain } from '../syntax/chains.ts';
import type { Checkout } from '../typestate/checkout.ts';
import type { Fact } from '../typestate/facts.ts';
import { seenFrom } from './after-release.ts';
import type { Finding } from './finding.ts';
import { checkedOut, stepOf } from './path-step.ts';
import { keptReleases, sinceWhen, type KeptRelease } from './release-code.ts';
import { isLastUseOfPool } from './last-use-of-pool.ts';
import type { Here } from '../values/resolver.ts';
import { givesUpOnStatements } from '../summaries/gives-up.ts';
import { errorForRelease } from '../fixes/error-for-release.ts';
import { contains, parentOf, unwrap, type SourceFile } from '../syntax/source-file.ts';

/**
 * Releases that keep a connection whose ROLLBACK has failed, where nobody hears of the failure: one finding a release. Only where the
 * pool's `query_timeout` gives up on statements that still run: whatever else a ROLLBACK fails of, the pool sees itself.
 */
export function findSwallowedRollbacks(
  checkout: Checkout,
  { file, resolver }: Here,
): readonly Finding[] {
  const found = keptReleases(checkout, (fact) => fact.transaction === 'not rolled back').flatMap(
    (kept) => {
      const rollback = swallowedIn(kept, checkout, file);
      return rollback === undefined ? [] : [{ release: kept.release, rollback }];
    },
  );
  if (
    found.length === 0 ||
    isLastUseOfPool(checkout, file) ||
    !givesUpOnStatements(checkout, file, resolver)
  )
    return [];
  return found.map(({ release, rollback }) => describe(release, rollback, checkout, file));
}

/** The call that rolls back, when what it throws on this way is not thrown any further. */
function swallowedIn(
  { release, path }: KeptRelease,
  checkout: Checkout,
  file: SourceFile,
): Node | undefined {
  const start = sinceWhen(path, (fact) => fact.transaction === 'not rolled back');
  const before = path[start - 1];
  const failed = before?.point.node;
  if (before === undefined || !failed || before.fact.status !== 'held') return undefined;
  const promise = unwrap(failed.type === 'AwaitExpression' ? failed.argument : failed);
  const seen = seenFrom(promise, before.point, checkout.graph);
  // A helper that returns all the same, or a callback that goes on.
  if (path[start]?.via?.when === 'next' || before.point.kind === 'callback') return seen;
  return isHandledBefore(release, promise, path.slice(start), file) ? seen : undefined;
}

function isHandledBefore(
  release: Node,
  rollback: Node,
  way: readonly State<Fact>[],
  file: SourceFile,
): boolean {
  const handler = handlerOf(rollback);
  return (
    handler !== undefined &&
    !contains(handler.covers, release) &&
    !throwsOn(way, handler.node, file)
  );
}

interface Handler {
  /** The `catch` clause, or the function given to `.catch()`. */
  readonly node: Node;
  /** What it catches the exceptions of. */
  readonly covers: Node;
}

/** What hears of the failure of a call first. What is thrown out of another `catch` is on its way to the caller. */
function handlerOf(call: Node): Handler | undefined {
  for (
    let inner = call, up = parentOf(call);
    up !== undefined && !isFunction(up) && up.type !== 'CatchClause';
    inner = up, up = parentOf(up)
  ) {
    if (isChain(up) && up.callee === inner) {
      const handler = rejectionHandler(up);
      if (handler !== undefined) return { node: handler, covers: up.callee };
    }
    if (up.type === 'TryStatement' && up.block === inner && up.handler !== null)
      return { node: up.handler, covers: up.block };
  }
  return undefined;
}

function rejectionHandler({
  callee,
  arguments: [first, second],
}: CallNode & {
  readonly callee: TSESTree.MemberExpression & { readonly property: TSESTree.Identifier };
}): Node | undefined {
  return callee.property.name === 'catch'
    ? first
    : callee.property.name === 'then'
      ? second
      : undefined;
}

/** The handler throws on. That something in it fails besides is not asked. */
function throwsOn(way: readonly State<Fact>[], handler: Node, file: SourceFile): boolean {
  return way.some(
    ({ point: { node } }) =>
      node !== null &&
      contains(handler, node) &&
      (node.type === 'ThrowStatement' || rejects(node, file)),
  );
}

/** `Promise.reject(error)`, `reject(error)` */
function rejects(node: Node, file: SourceFile): boolean {
  const call: Node = node;
  if (isOfPromise(call, 'reject')) return true;
  return node.type === 'CallExpression' && settledBy(node.callee, file)?.fulfils === false;
}

function describe(release: Node, rollback: Node, checkout: Checkout, file: SourceFile): Finding {
  return {
    rule: 'no-swallowed-rollback-error',
    messageId: 'keptAfterFailure',
    data: {
      pool: checkout.acquisition.poolText,
      line: String(rollback.loc.start.line),
    },
    place: release.loc,
    steps: [
      checkedOut(checkout),
      stepOf(rollback, file, 'may fail, and its error is ignored.'),
      stepOf(release, file, 'releases the client as if the rollback had succeeded.'),
    ],
    suggestions: errorForRelease(release, rollback, file),
  };
}
