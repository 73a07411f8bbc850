import type { TSESTree } from '@typescript-eslint/types';
import type { Node } from '../syntax/node.ts';
import type { When } from '../flow/graph.ts';
import type { AccessPath } from './access-path.ts';
import type { AccessPaths } from './access-paths.ts';
import { heldBy, isNullish, isTruthy, withAccessPath, type Fact, type Value } from './facts.ts';
import { unwrap } from '../syntax/source-file.ts';

/** What tests are read with: how access paths are named, and which of them are worth remembering because several tests ask for them. */
export interface Guards {
  readonly accessPaths: AccessPaths;
  readonly repeated: ReadonlySet<AccessPath>;
  /** Whether a test surely holds of the client or its pool. */
  readonly holdsSurely?: (test: Node, fact: Fact) => boolean;
}

/** What is left of a fact when a test comes out this way: nothing when it cannot. */
export function narrow(fact: Fact, test: Node, when: When, guards: Guards): readonly Fact[] {
  if (when === 'nullish' || when === 'present')
    return remember(
      fact,
      unwrap(test),
      isNullish(guards.accessPaths.valueOf(test, fact)),
      when === 'nullish',
      ['null', 'some'],
      guards,
    );
  return when === 'true' || when === 'false' ? assume(fact, test, when === 'true', guards) : [fact];
}

/** The facts that are left when an expression is truthy, or falsy: none when it cannot be, two where `a && b` fails at either. */
export function assume(fact: Fact, test: Node, outcome: boolean, guards: Guards): readonly Fact[] {
  const plain = unwrap(test);
  const negated = negatedIn(plain);
  if (negated !== undefined) return assume(fact, negated, !outcome, guards);
  const converted = convertedIn(plain);
  if (converted !== undefined) return assume(fact, converted, outcome, guards);
  if (plain.type === 'LogicalExpression' && plain.operator !== '??')
    return assumeLogical(fact, plain, outcome, guards);
  if (plain.type === 'BinaryExpression' && /^[!=]==?$/u.test(plain.operator))
    return assumeComparison(fact, plain, outcome === plain.operator.startsWith('='), guards);
  return remember(
    fact,
    plain,
    isTruthy(guards.accessPaths.valueOf(plain, fact)) ?? surely(plain, fact, guards),
    outcome,
    ['some', 'nothing'],
    guards,
  );
}

function surely(test: Node, fact: Fact, { holdsSurely }: Guards): boolean | undefined {
  return isHeld(fact) && holdsSurely?.(test, fact) === true ? true : undefined;
}

/** What is known of a client holds while one is there. */
function isHeld({ status }: Fact): boolean {
  return status === 'held' || status === 'released';
}

function negatedIn(node: Node): Node | undefined {
  return node.type === 'UnaryExpression' && node.operator === '!' ? node.argument : undefined;
}

/** `Boolean(x)` */
function convertedIn(node: Node): Node | undefined {
  return node.type === 'CallExpression' &&
    node.callee.type === 'Identifier' &&
    node.callee.name === 'Boolean'
    ? node.arguments[0]
    : undefined;
}

function assumeLogical(
  fact: Fact,
  { operator, left, right }: TSESTree.LogicalExpression,
  outcome: boolean,
  guards: Guards,
): readonly Fact[] {
  // `a && b` holds where both do; `a || b` fails where both do.
  const goesOn = operator === '&&';
  const behindLeft = assume(fact, left, goesOn, guards).flatMap((each) =>
    assume(each, right, outcome, guards),
  );
  return outcome === goesOn ? behindLeft : [...assume(fact, left, !goesOn, guards), ...behindLeft];
}

function assumeComparison(
  fact: Fact,
  node: TSESTree.BinaryExpression,
  isEqual: boolean,
  guards: Guards,
): readonly Fact[] {
  const { accessPaths } = guards;
  const sides = constantSide(node, accessPaths, fact);
  if (sides !== undefined) {
    const { operand, constant } = sides;
    // `!!x === false`
    if (negatedIn(operand) !== undefined && constant !== 'null')
      return assume(fact, operand, isEqual === (constant === 'true'), guards);
    const value = accessPaths.valueOf(operand, fact);
    const holds = constant === 'null' ? isNullish(value) : equals(value, constant);
    return remember(
      fact,
      operand,
      holds,
      isEqual,
      [constant, constant === 'null' ? 'some' : opposite(constant)],
      guards,
    );
  }
  const known =
    isSame(node, accessPaths, fact) ??
    isOfType(node, accessPaths, fact) ??
    isTruthy(heldBy(fact, accessPaths.accessPathOf(node))) ??
    (/^==/u.test(node.operator) ? surely(node, fact, guards) : undefined);
  return remember(fact, node, known, isEqual, ['true', 'false'], guards);
}

/** Keeps the fact when `known` does not contradict `outcome`, and remembers what the outcome says. */
function remember(
  fact: Fact,
  node: Node,
  known: boolean | undefined,
  outcome: boolean,
  values: readonly [Value, Value | undefined],
  { accessPaths, repeated }: Guards,
): readonly Fact[] {
  if (known !== undefined) return known === outcome ? [fact] : [];
  const accessPath = accessPaths.accessPathOf(node);
  const value = outcome ? values[0] : values[1];
  if (
    accessPath === undefined ||
    value === undefined ||
    !repeated.has(accessPath) ||
    heldBy(fact, accessPath) !== undefined
  )
    return [fact];
  return [withAccessPath(fact, accessPath, value)];
}

function opposite(value: Value): Value | undefined {
  return value === 'true' ? 'false' : value === 'false' ? 'true' : undefined;
}

/** A client that was just checked out is the same as another value only where that value is known to be this client. */
function isSame(
  { left, right }: TSESTree.BinaryExpression,
  accessPaths: AccessPaths,
  fact: Fact,
): boolean | undefined {
  const values = [accessPaths.valueOf(left, fact), accessPaths.valueOf(right, fact)];
  if (!values.includes('client')) return undefined;
  if (left.type === 'Literal' || right.type === 'Literal') return false;
  return accessPaths.accessPathOf(left) === undefined ||
    accessPaths.accessPathOf(right) === undefined
    ? undefined
    : values[0] === values[1];
}

/** Whether a value is this boolean; undefined when it may be. */
function equals(value: Value | undefined, constant: Value): boolean | undefined {
  if (value === undefined || value === 'any') return undefined;
  if (value === 'some' || value === 'nothing')
    return isTruthy(value) === (constant === 'true') ? undefined : false;
  return value === constant;
}

/** `typeof client.release === 'function'` */
function isOfType(
  { left, right }: TSESTree.BinaryExpression,
  accessPaths: AccessPaths,
  fact: Fact,
): boolean | undefined {
  const type =
    isTypeof(left) && right.type === 'Literal'
      ? typesOfValues[accessPaths.valueOf(left.argument, fact) ?? 'some']
      : undefined;
  return type === undefined || right.type !== 'Literal' ? undefined : right.value === type;
}

const typesOfValues: Readonly<Partial<Record<Value, string>>> = {
  client: 'object',
  promise: 'object',
  collection: 'object',
  release: 'function',
  null: 'undefined',
};

/** `x === null`, `x != undefined`, `flag === true`, `typeof x === 'undefined'` */
function constantSide(
  node: TSESTree.BinaryExpression,
  accessPaths: AccessPaths,
  fact: Fact,
): { operand: Node; constant: Value } | undefined {
  for (const [operand, other] of [
    [node.left, node.right],
    [node.right, node.left],
  ] as const) {
    if (isTypeof(operand) && other.type === 'Literal' && other.value === 'undefined')
      return { operand: unwrap(operand.argument), constant: 'null' };
    const isConstant =
      other.type === 'Literal' || (other.type === 'Identifier' && other.name === 'undefined');
    const constant = isConstant ? accessPaths.valueOf(other, fact) : undefined;
    if (constant === 'null' || constant === 'true' || constant === 'false')
      return { operand: unwrap(operand), constant };
  }
  return undefined;
}

function isTypeof(node: Node): node is TSESTree.UnaryExpression {
  return node.type === 'UnaryExpression' && node.operator === 'typeof';
}

/** The access paths whose value decides a branch: a test and its operands. */
export function testedPaths(test: Node, accessPaths: AccessPaths): readonly AccessPath[] {
  const plain = unwrap(test);
  const inner =
    negatedIn(plain) ?? convertedIn(plain) ?? (isTypeof(plain) ? plain.argument : undefined);
  if (inner !== undefined) return testedPaths(inner, accessPaths);
  if (plain.type === 'CallExpression') return [];
  const operands =
    plain.type === 'LogicalExpression' || plain.type === 'BinaryExpression'
      ? [plain.left, plain.right]
      : [];
  const own = accessPaths.accessPathOf(plain);
  return [
    ...operands.flatMap((operand) => testedPaths(operand, accessPaths)),
    ...(own === undefined ? [] : [own]),
  ];
}
