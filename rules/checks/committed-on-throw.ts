import { pathTo, type State } from '../flow/explore.ts';
import type { Point } from '../flow/graph.ts';
import type { Checkout } from '../typestate/checkout.ts';
import type { Fact } from '../typestate/facts.ts';
import type { Node } from '../syntax/node.ts';
import type { SourceFile } from '../syntax/source-file.ts';
import { mayEndUnseen } from './ends-unseen.ts';
import type { Finding } from './finding.ts';
import { checkedOut, stepAt, stepOf } from './path-step.ts';
import { sinceWhen } from './release-code.ts';
import { failedAt, rollbackOf } from './open-transaction.ts';

/** A `throw` that leaves the block of an `await using` with the transaction open. */
interface Commit {
  readonly thrown: Node;
  readonly begin: Node;
  /** The declaration that is disposed of. */
  readonly declared: Node;
}

/**
 * What a `throw` of the program leaves undone, the disposal commits. A statement that fails leaves nothing to commit, because
 * PostgreSQL answers a COMMIT in a failed transaction with ROLLBACK: of these nothing is said.
 */
export function findCommitsOnThrow(checkout: Checkout, file: SourceFile): readonly Finding[] {
  const { acquisition, exploration } = checkout;
  if (acquisition.driver.disposal === undefined || !exploration.isComplete) return [];
  const [first] = exploration.states.flatMap((state) => commitAfter(state, checkout, file) ?? []);
  return first === undefined ? [] : [describe(first, checkout, file)];
}

function commitAfter(state: State<Fact>, checkout: Checkout, file: SourceFile): Commit | undefined {
  const { point, fact } = state;
  if (
    point.node?.type !== 'ThrowStatement' ||
    fact.followsImplicitThrow ||
    fact.transaction !== 'open'
  )
    return undefined;
  const declared = disposedNext(point, (node) => checkout.valueOf(node, fact) === 'client');
  const path = pathTo(state);
  const way = path.slice(sinceWhen(path, ({ transaction }) => transaction === 'open'));
  const begin = way[0]?.from?.point.node;
  const isDoubtful =
    way.slice(0, -1).some((each) => failedAt(each, checkout) !== undefined) ||
    mayEndUnseen(way, checkout, file);
  return declared && begin && !isDoubtful ? { thrown: point.node, begin, declared } : undefined;
}

/** What is disposed of on the way of an exception before anything else happens. */
function disposedNext(thrown: Point, isClient: (node: Node) => boolean): Node | undefined {
  let next = thrown.edges[0]?.to;
  while (next?.kind === 'join' || next?.kind === 'dispose') {
    if (next.kind === 'dispose' && next.node !== null && isClient(next.node)) return next.node;
    next = next.edges[0]?.to;
  }
  return undefined;
}

function describe(
  { thrown, begin, declared }: Commit,
  checkout: Checkout,
  file: SourceFile,
): Finding {
  return {
    rule: 'no-open-transaction-release',
    messageId: 'committedOnThrow',
    data: {
      pool: checkout.acquisition.poolText,
      rollback: rollbackOf(checkout) ?? '',
      line: String(begin.loc.start.line),
      throwLine: String(thrown.loc.start.line),
    },
    place: declared.loc,
    steps: [
      checkedOut(checkout),
      stepOf(begin, file, 'begins a transaction.'),
      stepAt(thrown, 'This leaves the block, and `await using` commits what was done so far.'),
    ],
  };
}
