import type { TSESTree } from '@typescript-eslint/types';
import { type FunctionNode, type Node, isFunction, type CallNode } from './node.ts';
import { oncePerTree } from './once-per-file.ts';
import { walk } from './preorder.ts';
import {
  definitionOf,
  memberName,
  parentOf,
  unwrap,
  variableOf,
  writesTo,
  type SourceFile,
  declarationOf,
  contains,
  findAncestor,
  type Variable,
} from './source-file.ts';
import { isOfPromise } from './promise-calls.ts';
import { calledMember } from './call-chain.ts';

/** What is started all at once: the elements of a `Promise.all`, the rounds of a `map` or `forEach`. */
export interface Batch {
  /** The call after which all of it has been started. */
  readonly call: CallNode;
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
  | { readonly kind: 'each'; readonly node: FunctionNode }
  /** An expression that is evaluated in each round of a loop, or of a function that is called for each element. */
  | { readonly kind: 'many'; readonly node: Node; readonly round: Node };

const combinators: readonly string[] = ['all', 'allSettled', 'race', 'any'];

/** All batches of a file; none where its text has no such word. */
export const findBatches = oncePerTree((file): readonly Batch[] => {
  if (!/\bPromise\s*\.\s*(?:all|race|any)|\.forEach\b/u.test(file.text)) return [];
  const found: Batch[] = [];
  walk(file, file.ast, (node) => {
    const batch = node.type === 'CallExpression' ? batchAt(node, file) : undefined;
    if (batch !== undefined) found.push(batch);
    return true;
  });
  return found;
});

function batchAt(call: CallNode, file: SourceFile): Batch | undefined {
  const { callee, arguments: given } = call;
  if (callee.type !== 'MemberExpression') return undefined;
  const [first] = given;
  if (first === undefined) return undefined;
  if (isOfPromise(call, ...combinators)) {
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
  if (plain.type === 'Identifier') return partsOfConstant(plain, made, file);
  const fn =
    plain.type === 'CallExpression' && plain.callee.type === 'MemberExpression'
      ? roundOf(plain.callee, plain.arguments)
      : undefined;
  const round = fn === undefined ? undefined : functionAt(fn, file);
  return round === undefined ? [] : [{ kind: 'each', node: round }];
}

function partsOfConstant(name: Node, use: Node, file: SourceFile): readonly Part[] {
  const variable = variableOf(file, name);
  const definition = declarationOf(variable);
  if (
    variable === undefined ||
    definition?.type !== 'VariableDeclarator' ||
    definition.id.type !== 'Identifier' ||
    definition.init === null
  )
    return [];
  const made = unwrap(definition.init);
  if (made.type === 'ArrayExpression' && writesTo(variable).every(isEmptyList))
    return [...partsOf(made, file), ...pushedBefore(use, variable, definition)];
  return made.type === 'CallExpression' && definition.parent.kind === 'const'
    ? roundsOf(made, file)
    : [];
}

function isEmptyList(node: Node): boolean {
  return node.type === 'ArrayExpression' && node.elements.length === 0;
}

function roundOf(callee: TSESTree.MemberExpression, given: readonly Node[]): Node | undefined {
  const { object } = callee;
  const name = memberName(callee);
  if (name === 'from')
    return object.type === 'Identifier' && object.name === 'Array' ? given[1] : undefined;
  return (name === 'map' || name === 'flatMap') && !hasOneElement(object) ? given[0] : undefined;
}

/** A function that is written in place, or that the file names. */
function functionAt(node: Node, file: SourceFile): FunctionNode | undefined {
  const plain = unwrap(node);
  if (isFunction(plain)) return plain;
  const definition = definitionOf(variableOf(file, plain));
  const declared = definition?.node as Node | undefined;
  if (declared?.type === 'FunctionDeclaration' && definition?.type === 'FunctionName')
    return declared;
  const made =
    declared?.type === 'VariableDeclarator' && declared.parent.kind === 'const'
      ? declared.init
      : null;
  return made !== null && isFunction(made) ? made : undefined;
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

/** What is added to a list. */
type Pushed =
  | { readonly kind: 'once'; readonly node: Node }
  | { readonly kind: 'many'; readonly node: Node; readonly round: Node };

/** `jobs.push(…)` between the declaration of a list and its use: in each round of what is around it, or on every way to the use. */
function pushedBefore(use: Node, variable: Variable, declaration: Node): readonly Pushed[] {
  return variable.references.flatMap(({ identifier }): readonly Pushed[] => {
    const name = identifier as unknown as Node;
    const member = parentOf(name);
    const call = member?.type === 'MemberExpression' ? parentOf(member) : undefined;
    if (
      call?.type !== 'CallExpression' ||
      call.callee !== member ||
      calledMember(call) !== 'push' ||
      call.range[0] > use.range[0]
    )
      return [];
    const round = enclosingRound(call, declaration);
    if (round === 'unknown') return [];
    const added = call.arguments.filter(({ type }) => type !== 'SpreadElement');
    if (round !== undefined) return added.map((node) => ({ kind: 'many', node, round }));
    return isOnTheWayTo(call, use) ? added.map((node) => ({ kind: 'once', node })) : [];
  });
}

const loops: ReadonlySet<string> = new Set([
  'ForStatement',
  'ForOfStatement',
  'ForInStatement',
  'WhileStatement',
  'DoWhileStatement',
]);

/** The innermost loop, or function for each element, that the declaration is outside of; unknown in another function. */
function enclosingRound(call: Node, declaration: Node): Node | 'unknown' | undefined {
  for (let each = parentOf(call); each !== undefined; each = parentOf(each)) {
    if (contains(each, declaration)) return undefined;
    if (loops.has(each.type)) return each;
    if (isFunction(each)) return isForEach(each) ? each : 'unknown';
  }
  return undefined;
}

/** `rows.forEach((row) => …)`, whose rounds have begun when it is over. */
function isForEach(fn: FunctionNode): boolean {
  const call = parentOf(fn);
  const name = call?.type === 'CallExpression' ? calledMember(call) : undefined;
  return name === 'forEach' || name === 'map';
}

/** No branch is around it that is not around the use. */
function isOnTheWayTo(call: Node, use: Node): boolean {
  const statement = findAncestor(call, (each): each is Node => each.type === 'ExpressionStatement');
  const block = statement && parentOf(statement);
  return block !== undefined && contains(block, use) && parentOf(call) === statement;
}
