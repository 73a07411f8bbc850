import type { TSESTree } from '@typescript-eslint/types';
import { calledMember } from './call-chain.ts';
import { isChain } from './chains.ts';
import { isFunction, type FunctionNode, type Node, type CallNode } from './node.ts';
import { walk } from './preorder.ts';
import { isGlobal, unwrap, variableOf, type SourceFile } from './source-file.ts';

/** Something that a function starts and that nobody waits for. */
export interface Float {
  /** What is evaluated in the function itself. */
  readonly call: CallNode;
  readonly part: Part;
}

export type Part =
  /** An expression: `save(tx)`. */
  | { readonly kind: 'once'; readonly node: Node }
  /** A function that is called in place, or for each element of a list. */
  | { readonly kind: 'now'; readonly node: FunctionNode }
  /** A function that a chain calls behind something. */
  | { readonly kind: 'behind'; readonly node: FunctionNode; readonly after: Node }
  /** A function that a timer or an event calls later. */
  | { readonly kind: 'timer' | 'event'; readonly node: FunctionNode };

/** What a function starts in statements of its own and does not wait for: `void save(tx)`, `ids.forEach(async (id) => …)`, and what is kept under a name that nobody reads. */
export function floatsIn(fn: FunctionNode, file: SourceFile): readonly Float[] {
  const found: Float[] = [];
  walk(file, fn.body, (node) => {
    const dropped = droppedIn(node, file);
    if (dropped !== undefined) found.push(...floatsOf(dropped, file));
    return !isFunction(node);
  });
  return found;
}

function droppedIn(node: Node, file: SourceFile): Node | undefined {
  if (node.type === 'ExpressionStatement') return node.expression;
  if (node.type !== 'VariableDeclarator' || node.id.type !== 'Identifier' || node.init === null)
    return undefined;
  const isRead = variableOf(file, node.id)?.references.some((each) => each.isRead()) ?? true;
  return isRead ? undefined : node.init;
}

function floatsOf(dropped: Node, file: SourceFile): readonly Float[] {
  const plain = unwrap(dropped);
  switch (plain.type) {
    case 'UnaryExpression':
      return plain.operator === 'void' ? floatsOf(plain.argument, file) : [];
    case 'LogicalExpression':
      return floatsOf(plain.right, file);
    case 'ConditionalExpression':
      return [...floatsOf(plain.consequent, file), ...floatsOf(plain.alternate, file)];
    case 'CallExpression':
      return partsOf(plain, file).map((part) => ({ call: plain, part }));
    default:
      return [];
  }
}

const rounds: ReadonlySet<string> = new Set(['forEach', 'map', 'flatMap']);
const timers: ReadonlySet<string> = new Set(['setTimeout', 'setInterval', 'setImmediate']);
const listening: ReadonlySet<string> = new Set(['on', 'once', 'addListener', 'addEventListener']);

function partsOf(call: CallNode, file: SourceFile): readonly Part[] {
  const callee = unwrap(call.callee);
  if (isFunction(callee)) return callee.async ? [{ kind: 'now', node: callee }] : [];
  if (isChain(call)) return chainParts(call, file);
  const kind = kindOf(call, callee, file);
  const given = kind === undefined ? [] : functionsIn(call.arguments);
  return kind === undefined || given.length === 0
    ? [{ kind: 'once', node: call }]
    : given.map((node) => ({ kind, node }));
}

/** `save(tx).then(() => log(tx))`: what it begins with, and what comes after that. */
function chainParts(
  call: CallNode & { readonly callee: TSESTree.MemberExpression },
  file: SourceFile,
): readonly Part[] {
  const before = unwrap(call.callee.object);
  const handlers = functionsIn(call.arguments).map((node) => ({
    kind: 'behind' as const,
    node,
    after: before,
  }));
  return before.type === 'CallExpression'
    ? [...partsOf(before, file), ...handlers]
    : [{ kind: 'once', node: before }, ...handlers];
}

function kindOf(
  call: CallNode,
  callee: Node,
  file: SourceFile,
): 'now' | 'timer' | 'event' | undefined {
  if (callee.type === 'Identifier')
    return timers.has(callee.name) && isGlobal(callee, file) ? 'timer' : undefined;
  const name = calledMember(call) ?? '';
  if (rounds.has(name)) return 'now';
  return listening.has(name) ? 'event' : undefined;
}

function functionsIn(given: readonly Node[]): readonly FunctionNode[] {
  return given.map(unwrap).filter(isFunction);
}
