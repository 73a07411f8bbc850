import type { State } from '../flow/explore.ts';
import { type FunctionNode, type Node, isFunction } from '../syntax/node.ts';
import type { Graph, Point } from '../flow/graph.ts';
import type { Checkout } from '../typestate/checkout.ts';
import type { Fact } from '../typestate/facts.ts';
import { walk } from '../syntax/preorder.ts';
import { contains, memberName, parentOf, type SourceFile } from '../syntax/source-file.ts';
import type { LineRange } from './held-span.ts';
import { isPromiseClass } from '../syntax/promise-calls.ts';

/** The lines on which something is evaluated while the client is held, and those between them that hold nothing else: comments, braces, callbacks that are called at once. */
export function heldLines(
  checkout: Checkout,
  held: readonly State<Fact>[],
  acquire: LineRange,
  file: SourceFile,
): readonly LineRange[] {
  const { graph } = checkout;
  const lines = new Set<number>();
  addRange(lines, acquire);
  const helpers = helpersOutside(checkout);
  for (const { point } of held) {
    for (const node of nodesOf(point))
      if (!helpers.some((helper) => contains(helper, node))) addRange(lines, ownLines(node, graph));
  }
  const ends = held.flatMap(({ point }) =>
    point.kind === 'exit' && checkout.acquisition.style === 'lent' ? [graph.root.loc.end.line] : [],
  );
  ends.forEach((line) => lines.add(line));
  return rangesOf(lines, barriersIn(graph, lines, file));
}

/** Helpers that stand in the graph and elsewhere in the file: others call them, too. A handler that stands elsewhere is no such. */
function helpersOutside(checkout: Checkout): readonly FunctionNode[] {
  const { graph } = checkout;
  return [...graph.inlined].flatMap((call) => {
    const helper = call.type === 'CallExpression' ? checkout.closureOf(call.callee) : null;
    return helper === null || contains(graph.root, helper) ? [] : [helper];
  });
}

function addRange(lines: Set<number>, { startLine, endLine }: LineRange): void {
  for (let line = startLine; line <= endLine; line++) lines.add(line);
}

/** What is evaluated at a point; its parts have points of their own. */
function nodesOf({ kind, node, target }: Point): readonly Node[] {
  const nodes =
    kind === 'unhandled' || kind === 'cut' ? [] : kind === 'bind' ? [target, node] : [node];
  return nodes.filter((each) => each !== null);
}

/** From where the operation itself is written to its end, or to the first function that it is given. */
function ownLines(node: Node, graph: Graph): LineRange {
  const startLine = startOf(node);
  if (isFunction(node)) return { startLine, endLine: startLine };
  const isCall = node.type === 'CallExpression' || node.type === 'NewExpression';
  const callback = isCall ? node.arguments.find(isFunction) : undefined;
  if (callback !== undefined) return { startLine, endLine: callback.loc.start.line };
  return holdsBody(node, graph)
    ? { startLine, endLine: startLine }
    : { startLine, endLine: node.loc.end.line };
}

/** The line of the name that is called: what stands before it in a chain has happened before. */
function startOf(node: Node): number {
  const callee = node.type === 'CallExpression' ? node.callee : node;
  return callee.type === 'MemberExpression'
    ? callee.property.loc.start.line
    : callee.loc.start.line;
}

const whole: ReadonlySet<string> = new Set([
  'Literal',
  'TemplateLiteral',
  'Identifier',
  'ObjectPattern',
  'ArrayPattern',
]);

/** True for what stretches over code that is evaluated at other times: a chain with callbacks in it, `return new Promise(…)`. */
function holdsBody(node: Node, { root }: Graph): boolean {
  if (whole.has(node.type) || node.loc.start.line === node.loc.end.line) return false;
  return contains(node, root) || hasFunction(node);
}

function hasFunction(node: Node): boolean {
  switch (node.type) {
    case 'AwaitExpression':
    case 'SpreadElement':
    case 'ReturnStatement':
    case 'ThrowStatement':
    case 'UnaryExpression':
      return node.argument !== null && hasFunction(node.argument);
    case 'CallExpression':
    case 'NewExpression':
      return (
        node.arguments.some((argument) => isFunction(argument) || hasFunction(argument)) ||
        hasFunction(node.callee)
      );
    case 'MemberExpression':
      return hasFunction(node.object);
    case 'ChainExpression':
      return hasFunction(node.expression);
    default:
      return isFunction(node);
  }
}

/** Lines over which held lines are not joined: something happens there, and not while the client is held. */
function barriersIn(
  graph: Graph,
  held: ReadonlySet<number>,
  file: SourceFile,
): ReadonlySet<number> {
  const barriers = new Set<number>();
  for (const { kind, node } of graph.points) {
    if (kind !== 'eval' || node === null || isFunction(node)) continue;
    const { startLine, endLine } = ownLines(node, graph);
    barriers.add(startLine).add(endLine);
  }
  for (const fn of strangersAmong(graph, file))
    addRange(barriers, { startLine: fn.loc.start.line, endLine: fn.loc.end.line });
  held.forEach((line) => barriers.delete(line));
  return barriers;
}

/** Functions around which the client may be held, and whose own code runs at another time, or nobody knows when. */
function strangersAmong(graph: Graph, file: SourceFile): readonly FunctionNode[] {
  const strangers: FunctionNode[] = [];
  walk(file, file.ast, (node) => {
    if (
      !isFunction(node) ||
      graph.bodies.has(node) ||
      contains(node, graph.root) ||
      isCalledAtOnce(node)
    )
      return true;
    strangers.push(node);
    return false;
  });
  return strangers;
}

const callsAtOnce: ReadonlySet<string> = new Set([
  'forEach',
  'map',
  'flatMap',
  'filter',
  'reduce',
  'reduceRight',
  'some',
  'every',
  'find',
  'findIndex',
  'findLast',
  'sort',
  'toSorted',
  'from',
  'replace',
  'replaceAll',
]);

/** `rows.map((row) => …)`, `new Promise((resolve) => …)`, and what somebody waits for: `await retry(async () => …)`. */
function isCalledAtOnce(fn: FunctionNode): boolean {
  const call = parentOf(fn);
  if (call?.type === 'NewExpression') return isPromiseClass(call.callee);
  if (call?.type !== 'CallExpression') return false;
  if (call.callee === fn) return true;
  return (
    callsAtOnce.has(memberName(call.callee) ?? '') || parentOf(call)?.type === 'AwaitExpression'
  );
}

function rangesOf(lines: ReadonlySet<number>, barriers: ReadonlySet<number>): readonly LineRange[] {
  const ranges: { startLine: number; endLine: number }[] = [];
  for (const line of [...lines].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last !== undefined && !isBarred(last.endLine + 1, line - 1, barriers)) last.endLine = line;
    else ranges.push({ startLine: line, endLine: line });
  }
  return ranges;
}

function isBarred(from: number, to: number, barriers: ReadonlySet<number>): boolean {
  for (let line = from; line <= to; line++) if (barriers.has(line)) return true;
  return false;
}
