import type { TSESTree } from '@typescript-eslint/types';
import { type FunctionNode, type Node, isFunction } from './node.ts';
import { walk } from './preorder.ts';
import { memberName, parentOf, unwrap, variableOf, type SourceFile } from './source-file.ts';

/** What is started all at once: the elements of a `Promise.all`, the rounds of a `map` or `forEach`. */
export interface Batch {
  /** The call after which all of it has been started. */
  readonly call: TSESTree.CallExpression;
  /** What a finding stands on. */
  readonly place: Node;
  /** True for `Promise.all` and its like, which wait for all. */
  readonly isCombined: boolean;
  readonly parts: readonly Part[];
}

export type Part =
  /** An expression that is evaluated once. */
  | { readonly kind: 'once'; readonly node: Node }
  /** A function that is called for each element of an array. */
  | { readonly kind: 'each'; readonly node: FunctionNode };

const combinators: ReadonlySet<string> = new Set(['all', 'allSettled', 'race', 'any']);

/** All batches of a file; none where its text has no such word. */
export function findBatches(file: SourceFile): readonly Batch[] {
  if (!/\bPromise\s*\.\s*(?:all|race|any)|\.forEach\b/u.test(file.text)) return [];
  const found: Batch[] = [];
  walk(file, file.ast, (node) => {
    const batch = node.type === 'CallExpression' ? batchAt(node, file) : undefined;
    if (batch !== undefined) found.push(batch);
    return true;
  });
  return found;
}

function batchAt(call: TSESTree.CallExpression, file: SourceFile): Batch | undefined {
  const { callee, arguments: given } = call;
  if (callee.type !== 'MemberExpression') return undefined;
  const [first] = given;
  if (first === undefined) return undefined;
  if (isCombinator(call)) {
    const parts = partsOf(first, file);
    return { call, place: call, isCombined: true, parts };
  }
  const isStatement = parentOf(call)?.type === 'ExpressionStatement';
  const fn =
    memberName(callee) === 'forEach' && isStatement && !hasOneElement(callee.object)
      ? unwrap(first)
      : undefined;
  return fn !== undefined && isFunction(fn)
    ? { call, place: call, isCombined: false, parts: [{ kind: 'each', node: fn }] }
    : undefined;
}

function isCombinator({ callee }: TSESTree.CallExpression): boolean {
  return (
    callee.type === 'MemberExpression' &&
    callee.object.type === 'Identifier' &&
    callee.object.name === 'Promise' &&
    combinators.has(memberName(callee) ?? '')
  );
}

function partsOf(all: Node, file: SourceFile): readonly Part[] {
  const plain = unwrap(all);
  if (plain.type === 'ArrayExpression')
    return plain.elements.flatMap((element) =>
      element === null
        ? []
        : element.type === 'SpreadElement'
          ? roundsOf(element.argument, file)
          : [{ kind: 'once', node: element }],
    );
  return roundsOf(plain, file);
}

/** `items.map((item) => …)`, `Array.from(items, (item) => …)`, also kept in a constant. */
function roundsOf(made: Node, file: SourceFile): readonly Part[] {
  const plain = unwrap(made);
  if (plain.type === 'Identifier') return constantRounds(plain, file);
  const fn =
    plain.type === 'CallExpression' && plain.callee.type === 'MemberExpression'
      ? roundOf(plain.callee, plain.arguments)
      : undefined;
  const round = fn === undefined ? undefined : unwrap(fn);
  return round !== undefined && isFunction(round) ? [{ kind: 'each', node: round }] : [];
}

function constantRounds(name: Node, file: SourceFile): readonly Part[] {
  const definition = variableOf(file, name)?.defs[0]?.node as Node | undefined;
  return definition?.type === 'VariableDeclarator' &&
    definition.parent.kind === 'const' &&
    definition.init?.type === 'CallExpression'
    ? roundsOf(definition.init, file)
    : [];
}

function roundOf(callee: TSESTree.MemberExpression, given: readonly Node[]): Node | undefined {
  const { object } = callee;
  const name = memberName(callee);
  if (name === 'from')
    return object.type === 'Identifier' && object.name === 'Array' ? given[1] : undefined;
  return (name === 'map' || name === 'flatMap') && !hasOneElement(object) ? given[0] : undefined;
}

/** `[only].map(…)` */
function hasOneElement(list: Node): boolean {
  const plain = unwrap(list);
  return (
    plain.type === 'ArrayExpression' &&
    plain.elements.length < 2 &&
    plain.elements.every((element) => element?.type !== 'SpreadElement')
  );
}
