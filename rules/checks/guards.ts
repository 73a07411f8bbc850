import type { TSESTree } from '@typescript-eslint/types';
import { pathTo, type State } from '../flow/explore.ts';
import type { Graph } from '../flow/graph.ts';
import { type Node, isFunction } from '../syntax/node.ts';
import { type AfterRelease, callsAround, enclosingCall, wayBetween } from './after-release.ts';
import type { Checkout } from '../typestate/checkout.ts';
import type { Fact } from '../typestate/facts.ts';
import { someIn } from '../syntax/preorder.ts';
import { contains, parentOf, unwrap, type SourceFile } from '../syntax/source-file.ts';

type Loop =
  | TSESTree.ForStatement
  | TSESTree.ForInStatement
  | TSESTree.ForOfStatement
  | TSESTree.WhileStatement
  | TSESTree.DoWhileStatement;

/**
 * True when the way may not exist, although each of its branches does: it depends on tests whose outcome the analysis does not
 * know and a reader would. A release in the last round of a loop, a countdown, a question to the client itself.
 */
export function isDoubtful(after: AfterRelease, checkout: Checkout, file: SourceFile): boolean {
  const ownGuards = guardsOf(after.node);
  return (
    [...ownGuards, ...guardsOf(after.release)].some((guard) => counts(guard, file)) ||
    ownGuards.some((guard) => asksClient(guard, after, file)) ||
    mayBeLastRound(after, checkout, file) ||
    isOneCallOf(after, checkout, file)
  );
}

/** The same for a helper that releases in a loop of its caller, and for one that releases and queries and is called in each round. */
function isOneCallOf(after: AfterRelease, checkout: Checkout, file: SourceFile): boolean {
  const { graph } = checkout;
  const own = enclosingCall(after.node);
  const users = fromOutside(own, after.state, graph);
  const releases = fromOutside(after.release, after.releaseState, graph);
  const apart = users.findIndex((user, level) => user !== releases[level]);
  const [user, release] = [users[apart], releases[apart]];
  const calls = users.slice(0, apart).map((call) => [call, call] as const);
  const isInOneRun = user && release && user.range[0] > release.range[0];
  return [
    ...(user && release ? [[user === own ? after.node : user, release] as const] : []),
    ...(isInOneRun === true ? [] : calls),
  ].some(([node, by]) => mayBeLastRound({ ...after, node, release: by }, checkout, file));
}

/** The calls of the helpers that a node stands in, outermost first, and the node itself. */
function fromOutside(node: Node, { point }: State<Fact>, graph: Graph): readonly Node[] {
  return [node, ...callsAround(node, point, graph)].reverse();
}

/** `if (--pending === 0)` */
function counts(guard: Node, file: SourceFile): boolean {
  return someIn(
    file,
    guard,
    (node) =>
      node.type === 'UpdateExpression' ||
      (node.type === 'AssignmentExpression' && node.operator !== '='),
  );
}

/** `if (!client.released)`, `if (open.has(client))`; a plain `if (client)` is known. */
function asksClient(guard: Node, { node }: AfterRelease, file: SourceFile): boolean {
  const name = file.text.slice(...node.range);
  return someIn(
    file,
    guard,
    (each) => each.type === 'Identifier' && each.name === name && !isPlainTest(each),
  );
}

function isPlainTest(node: Node): boolean {
  const up = parentOf(node);
  return (
    up?.type !== 'MemberExpression' &&
    up?.type !== 'CallExpression' &&
    up?.type !== 'ChainExpression'
  );
}

/** Some test decides whether a release is reached, other than whether there is a client. */
export function isGuarded(release: Node, file: SourceFile): boolean {
  const callee = release.type === 'CallExpression' ? unwrap(release.callee) : release;
  const client = callee.type === 'MemberExpression' ? callee.object : callee;
  return guardsOf(release).some((guard) => !isClientItself(guard, client, file));
}

/** The tests that decide whether a node is reached, from the inside out. */
function guardsOf(node: Node, outermost?: Node): readonly Node[] {
  const guards: Node[] = [];
  for (
    let inner = node, up = parentOf(node);
    up !== undefined && up !== outermost;
    inner = up, up = parentOf(up)
  ) {
    const guard = guardIn(up, inner);
    if (guard !== undefined) guards.push(guard);
  }
  return guards;
}

function guardIn(up: Node, inner: Node): Node | undefined {
  switch (up.type) {
    case 'IfStatement':
    case 'ConditionalExpression':
      return inner === up.test ? undefined : up.test;
    case 'LogicalExpression':
      return inner === up.right ? up.left : undefined;
    case 'SwitchStatement':
      return inner === up.discriminant ? undefined : up.discriminant;
    default:
      return undefined;
  }
}

/** The way goes round a loop, past a release that some test of the body guards, and nothing says `continue`. */
function mayBeLastRound(after: AfterRelease, checkout: Checkout, file: SourceFile): boolean {
  const loop = enclosingLoop(after.release, after.node);
  const guards = guardsOf(after.release, loop).filter(
    (guard) => !isClientItself(guard, after.node, file),
  );
  // The same release twice without a loop: a helper that is called twice.
  if (loop === undefined)
    return isSameCall(after) && guards.some((guard) => !isDecided(guard, after, checkout));
  const way = wayBetween(after);
  if (!goesRound(way, loop, after)) return false;
  if (way.some(({ point }) => point.node?.type === 'ContinueStatement')) return false;
  return guards.length > 0 || isInFunction(after.release, loop);
}

/** Each test of a guard comes out one way only, where it was last passed. */
function isDecided(guard: Node, { state }: AfterRelease, checkout: Checkout): boolean {
  const last = new Map<Node, State<Fact>>();
  for (const each of pathTo(state)) {
    const { node } = each.point;
    if (node !== null && contains(guard, node) && isTested(each)) last.set(node, each);
  }
  return last.size > 0 && [...last.values()].every((each) => checkout.isDecided(each));
}

function isTested({ point }: State<Fact>): boolean {
  return point.kind === 'eval' && point.edges.some(({ when }) => when === 'true');
}

function isSameCall({ node, release }: AfterRelease): boolean {
  return release === node || release === enclosingCall(node);
}

/** The client, or what the call of a helper gives it. */
function isClientItself(guard: Node, client: Node, file: SourceFile): boolean {
  const names = client.type === 'CallExpression' ? client.arguments : [client];
  const text = file.text.slice(...guard.range);
  return names.some(({ range }) => file.text.slice(...range) === text);
}

/** The innermost loop that runs both. */
function enclosingLoop(node: Node, other: Node): Loop | undefined {
  for (let up = parentOf(node); up !== undefined; up = parentOf(up)) {
    if (isLoop(up) && up.range[0] <= other.range[0] && other.range[1] <= up.range[1]) return up;
  }
  return undefined;
}

function isLoop(node: Node): node is Loop {
  return /^(?:For|ForIn|ForOf|While|DoWhile)Statement$/u.test(node.type);
}

function goesRound(
  way: readonly State<Fact>[],
  loop: Loop,
  { node, release }: AfterRelease,
): boolean {
  if (node.range[0] <= release.range[0]) return true;
  const test = loop.type === 'ForInStatement' || loop.type === 'ForOfStatement' ? loop : loop.test;
  return test !== null && way.some(({ point }) => point.node === test);
}

function isInFunction(node: Node, loop: Loop): boolean {
  for (let up = parentOf(node); up !== undefined && up !== loop; up = parentOf(up)) {
    if (isFunction(up)) return true;
  }
  return false;
}
