import type { TSESTree } from '@typescript-eslint/types';
import { seenFrom } from './after-release.ts';
import type { Point } from '../flow/graph.ts';
import { sinceAcquire } from '../typestate/leaking.ts';
import { pathTo, type State } from '../flow/explore.ts';
import { type Node, isFunction } from '../syntax/node.ts';
import type { Checkout } from '../typestate/checkout.ts';
import type { Fact } from '../typestate/facts.ts';
import { endOf, excerpt } from '../syntax/excerpt.ts';
import type { Place } from '../syntax/place.ts';
import { contains, findAncestor, unwrap, type SourceFile } from '../syntax/source-file.ts';

/** The client was forgotten because of an exception that nobody handled, while the code around went on. */
export function wasThrown(leak: State<Fact>): boolean {
  return pathTo(leak).some(({ point }) => point.kind === 'unhandled');
}

/** Where control leaves on the way to a leaking state: what throws, the statement that leaves, the acquire that loses the client, or the end of the function. */
export function leavingPlace(checkout: Checkout, leak: State<Fact>, file: SourceFile): Place {
  const isThrown = leak.point.kind === 'throw-exit' || wasThrown(leak);
  const thrower = isThrown && leak.fact.status !== 'lost' ? lastThrower(checkout, leak) : undefined;
  if (thrower !== undefined) return (rejectionIn(thrower, checkout, leak) ?? thrower).loc;
  const exit = exitOf(checkout, leak, file);
  return leak.fact.status === 'lost' && !isLeavingRound(exit.node, checkout)
    ? checkout.acquisition.call.loc
    : exit.place;
}

const jumps: ReadonlySet<string> = new Set([
  'ReturnStatement',
  'ContinueStatement',
  'BreakStatement',
]);

export interface Exit {
  /** The statement that leaves; null at the end of the function. */
  readonly node: Node | null;
  readonly place: Place;
  readonly text: string;
}

/** The last statement on the way that leaves with the client, or the end of the function. */
export function exitOf(checkout: Checkout, leak: State<Fact>, file: SourceFile): Exit {
  const node = leavingNode(checkout, leak);
  if (node === undefined)
    return {
      node: null,
      place: endOf(checkout.graph.root),
      text: 'The function ends.',
    };
  const what = excerpt(node, file);
  return {
    node,
    place: node.loc,
    text: `${what} leaves ${isLeavingRound(node, checkout) ? 'this iteration' : node.type === 'YieldExpression' ? 'if its consumer stops here' : 'the function'}.`,
  };
}

/** The last statement on a way that leaves the function of the checkout, or a round of a loop in it. */
export function lastJump(
  way: readonly State<Fact>[],
  { graph: { root } }: Checkout,
): Node | undefined {
  return way
    .flatMap(({ point: { kind, node } }) =>
      kind === 'eval' &&
      node !== null &&
      jumps.has(node.type) &&
      findAncestor(node, isFunction) === root
        ? node
        : [],
    )
    .at(-1);
}

/** The statement with which a state leaves, if any. A `return` around a callback or around the checkout itself comes after what happened in it, and is not where the client was lost. */
function leavingNode(checkout: Checkout, leak: State<Fact>): Node | undefined {
  const leaving = sinceAcquire(checkout, leak).flatMap(({ point, via, from }) => {
    if (via?.when === 'stopped') return from?.point.node ?? [];
    return point.kind === 'eval' &&
      point.node !== null &&
      (point.node.type === 'ReturnStatement' || isLeavingRound(point.node, checkout))
      ? point.node
      : [];
  });
  const inner = [checkout.acquisition.call, ...leaving];
  return leaving.findLast((node) => !inner.some((each) => each !== node && contains(node, each)));
}

/** `continue` or `break` in the loop in which the client is checked out. */
export function isLeavingRound(node: Node | null, { acquisition }: Checkout): boolean {
  if (node?.type !== 'ContinueStatement' && node?.type !== 'BreakStatement') return false;
  const left = leftBy(node);
  return left !== undefined && left.type !== 'SwitchStatement' && contains(left, acquisition.call);
}

/** The loop, `switch` or statement with a label that a jump leaves, or goes on with. */
export function leftBy(
  node: TSESTree.BreakStatement | TSESTree.ContinueStatement,
): Node | undefined {
  const { type, label } = node;
  const left = findAncestor(
    node,
    (each): each is Node =>
      isFunction(each) ||
      (label === null
        ? /^(?:For|While|DoWhile)/u.test(each.type) ||
          (type === 'BreakStatement' && each.type === 'SwitchStatement')
        : each.parent?.type === 'LabeledStatement' && each.parent.label.name === label.name),
  );
  return left !== undefined && isFunction(left) ? undefined : left;
}

/** A promise made in place rejects where its function says so: `reject(error)`, or `work().then(resolve, reject)`. */
export function rejectionIn(
  thrower: Node,
  checkout: Checkout,
  leak: State<Fact>,
): Node | undefined {
  const promise = unwrap(thrower.type === 'AwaitExpression' ? thrower.argument : thrower);
  const executor = promise.type === 'NewExpression' ? promise.arguments[0] : undefined;
  const reject = executor !== undefined && isFunction(executor) ? executor.params[1] : undefined;
  if (reject?.type !== 'Identifier') return undefined;
  const isRejection = ({ point: { kind, node } }: State<Fact>): boolean => {
    const called =
      kind === 'invoke' ? node : node?.type === 'CallExpression' ? node.callee : undefined;
    return called?.type === 'Identifier' && called.name === reject.name;
  };
  return sinceAcquire(checkout, leak).findLast(isRejection)?.point.node ?? undefined;
}

/** The operation whose exception leaves: the last one on the way that was left over an exceptional edge. */
export function lastThrower(checkout: Checkout, leak: State<Fact>): Node | undefined {
  return lastThrowing(checkout, leak)?.node ?? undefined;
}

/** The same as the function of the checkout sees it: the call of the helper in which it stands. */
export function lastThrowerSeen(checkout: Checkout, leak: State<Fact>): Node | undefined {
  const point = lastThrowing(checkout, leak);
  return point?.node ? seenFrom(point.node, point, checkout.graph) : undefined;
}

function lastThrowing(checkout: Checkout, leak: State<Fact>): Point | undefined {
  const path = sinceAcquire(checkout, leak);
  for (const { point, via, from } of [...path].reverse()) {
    if (via?.when === 'throw' && from?.point.node && from.point.kind !== 'unhandled')
      return from.point;
    if (point.node?.type === 'ThrowStatement') return point;
  }
  return undefined;
}
