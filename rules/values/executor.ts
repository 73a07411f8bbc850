import type { TSESTree } from '@typescript-eslint/types';
import type { FunctionNode, Node, CallNode } from '../syntax/node.ts';
import { askedBy, type Request } from '../syntax/call-chain.ts';
import { absentAt, presentAt } from '../syntax/conditions.ts';
import { isNothing } from '../syntax/constants.ts';
import {
  contains,
  keyName,
  memberName,
  parentOf,
  unwrap,
  variableOf,
  writesTo,
  type SourceFile,
  type Variable,
  declarationOf,
} from '../syntax/source-file.ts';
import { paramsOf } from '../syntax/parameters.ts';

/** What of a call's arguments serves in place of a pool: one of them, or of an object the member with a key. */
export interface Executor {
  readonly index: number;
  readonly key: string | undefined;
}

/**
 * The parameter that serves a function in place of the pool that it asks by a call, whatever it is called: the call
 * stands where the parameter is missing (`given ? … : pool.query(…)`, `if (given) return …`), or speaks to one or the other
 * (`(given ?? pool).query(…)`, `run(given ?? pool)`), or is one of either (`given ? given.query.bind(given) : query`).
 */
export function executorOf(
  call: Request,
  pool: { readonly node: Node; readonly file: SourceFile },
  fn: FunctionNode,
  file: SourceFile,
): Executor | undefined {
  const callee = askedBy(call);
  const asked =
    callee.type === 'MemberExpression' && callee.object !== pool.node ? [callee.object] : [callee];
  const isHere = pool.file === file && contains(fn, pool.node);
  // A parameter that is the pool by default is what the caller gives, which may be another pool.
  const spoken = isHere && !isParameter(pool.node, fn, file) ? [...asked, pool.node] : asked;
  return firstOf([call, ...spoken], (node) => {
    const served = neededWithout(node, fn, file);
    return served === undefined && node !== call ? servesAs(node, fn, file) : served;
  });
}

function isParameter(node: Node, fn: FunctionNode, file: SourceFile): boolean {
  const declared: unknown = variableOf(file, unwrap(node))?.identifiers[0];
  return fn.params.some((param) => param.type === 'AssignmentPattern' && param.left === declared);
}

/** The parameter that is missing where control comes to a node. */
function neededWithout(node: Node, fn: FunctionNode, file: SourceFile): Executor | undefined {
  return firstOf(absentAt(node, fn, file), (absent) => parameterIn(absent, fn, file));
}

/** The parameters, and members of them, among what is missing somewhere. */
export function executorsAmong(
  absent: readonly Node[],
  fn: FunctionNode,
  file: SourceFile,
): readonly Executor[] {
  return absent.flatMap((each) => parameterIn(each, fn, file) ?? []);
}

function firstOf(
  nodes: readonly Node[],
  find: (node: Node) => Executor | undefined,
): Executor | undefined {
  return nodes.map(find).find((found) => found !== undefined);
}

/** The parameters, and members of them, without which control does not come to a node, and which are nothing where a caller gives nothing. */
export function givenAt(node: Node, fn: FunctionNode, file: SourceFile): readonly Executor[] {
  return presentAt(node, fn).flatMap((each) =>
    hasDefault(each, file) ? [] : (servedBy({ node: each, key: undefined }, fn, file) ?? []),
  );
}

/** `const { team = 1 } = options` */
function hasDefault(node: Node, file: SourceFile): boolean {
  const plain = unwrap(node);
  if (plain.type === 'MemberExpression') return hasDefault(plain.object, file);
  const variable = variableOf(file, plain);
  const up = variable && parentOf(variable.identifiers[0] as unknown as Node);
  return up?.type === 'AssignmentPattern' && !isNothing(up.right);
}

export const maximalDepth = 4;

/** The parameter that may stand in place of a pool: `given ?? pool`, `options.given ? options.given : pool`, `{ given = pool }`. */
function servesAs(node: Node, fn: FunctionNode, file: SourceFile, depth = 0): Executor | undefined {
  const plain = unwrap(node);
  if (depth > maximalDepth) return undefined;
  switch (plain.type) {
    case 'AwaitExpression':
      return servesAs(plain.argument, fn, file, depth + 1);
    case 'CallExpression':
      return isMethodCall(plain) ? servesAs(plain.callee.object, fn, file, depth + 1) : undefined;
    case 'LogicalExpression':
      return firstOf([plain.left, plain.right], (side) => sideIn(side, fn, file));
    case 'ConditionalExpression':
      return firstOf([plain.consequent, plain.alternate], (side) => sideIn(side, fn, file));
    case 'Identifier': {
      const values = valuesOf(plain, file);
      return values.length > 1
        ? firstOf(values, (each) => sideIn(each, fn, file))
        : firstOf(values, (each) => servesAs(each, fn, file, depth + 1));
    }
    default:
      return undefined;
  }
}

/** The parameter that is one of two, whose method is, or what one of its methods gives: `given?.getRepository(User)`. */
export function sideIn(side: Node, fn: FunctionNode, file: SourceFile): Executor | undefined {
  return parameterIn(boundTo(side) ?? receiverOf(side), fn, file);
}

function receiverOf(node: Node): Node {
  const plain = unwrap(node);
  return plain.type === 'CallExpression' && isMethodCall(plain)
    ? receiverOf(plain.callee.object)
    : plain;
}

/** `client` of `client.query.bind(client)` */
function boundTo(node: Node): Node | undefined {
  const plain = unwrap(node);
  return plain.type === 'CallExpression' &&
    isMethodCall(plain) &&
    memberName(plain.callee) === 'bind'
    ? plain.arguments[0]
    : undefined;
}

export function isMethodCall(
  call: CallNode,
): call is CallNode & { callee: TSESTree.MemberExpression } {
  return call.callee.type === 'MemberExpression';
}

/** What a variable is set to; a name with a default that is taken out of a parameter is set to either, and so is a parameter that is set later. */
export function valuesOf(name: TSESTree.Identifier, file: SourceFile): readonly Node[] {
  const variable = variableOf(file, name);
  if (variable === undefined) return [];
  const declared = variable.identifiers[0] as unknown as Node;
  const up = parentOf(declared);
  if (up?.type === 'AssignmentPattern') return [declared, up.right];
  const later = writesTo(variable);
  return variable.defs[0]?.type === 'Parameter' && later.length > 0
    ? [declared, ...later]
    : [...initialOf(variable), ...later];
}

/** What a declaration sets a variable to. */
function initialOf(variable: Variable): readonly Node[] {
  const node = declarationOf(variable);
  return node?.type === 'VariableDeclarator' && node.id.type === 'Identifier' && node.init !== null
    ? [unwrap(node.init)]
    : [];
}

/** The parameter, or the member of one, that a name stands for: its own, or that of a variable that begins with it. */
function parameterIn(
  node: Node,
  fn: FunctionNode,
  file: SourceFile,
  depth = 0,
): Executor | undefined {
  const plain = unwrap(node);
  if (plain.type === 'MemberExpression') {
    const whole = parameterIn(plain.object, fn, file, depth);
    return whole && { ...whole, key: whole.key ?? memberName(plain) };
  }
  const variable = variableOf(file, plain);
  if (variable === undefined || depth > maximalDepth) return undefined;
  const declared = variable.identifiers[0] as unknown as Node;
  if (variable.defs[0]?.type !== 'Parameter')
    return (
      firstOf(initialOf(variable), (initial) => parameterIn(initial, fn, file, depth + 1)) ??
      takenOut(variable, declared, fn, file, depth + 1)
    );
  const params = paramsOf(fn);
  const index = params.findIndex((param) => contains(param, declared));
  return index === -1 ? undefined : { index, key: keyIn(params[index], declared) };
}

/** `const { given } = options` */
function takenOut(
  variable: Variable,
  declared: Node,
  fn: FunctionNode,
  file: SourceFile,
  depth: number,
): Executor | undefined {
  const node = declarationOf(variable);
  if (node?.type !== 'VariableDeclarator' || node.init === null) return undefined;
  const key = keyIn(node.id, declared);
  const whole = key === undefined ? undefined : parameterIn(node.init, fn, file, depth);
  return whole?.key === undefined ? whole && { ...whole, key } : undefined;
}

/** The key under which a parameter takes a name out of its argument. */
function keyIn(param: Node | undefined, declared: Node): string | undefined {
  const pattern = param?.type === 'AssignmentPattern' ? param.left : param;
  const property =
    pattern?.type === 'ObjectPattern'
      ? pattern.properties.find((each) => contains(each, declared))
      : undefined;
  return property?.type === 'Property' ? keyName(property.key, property.computed) : undefined;
}

/** The parameter by which a function is told what serves, and which is nothing where its caller gives nothing; undefined where something serves in any case. */
export function servedBy(
  { node, key }: { readonly node: Node; readonly key: string | undefined },
  fn: FunctionNode | undefined,
  file: SourceFile,
): Executor | undefined {
  const told = unwrap(node);
  const given =
    told.type === 'LogicalExpression' && isNothing(told.right) ? unwrap(told.left) : told;
  if (fn === undefined || isWritten(given, file)) return undefined;
  const whole = parameterIn(given, fn, file);
  if (whole === undefined || (key !== undefined && whole.key !== undefined)) return undefined;
  return isNothingByDefault(paramsOf(fn)[whole.index], key ?? whole.key)
    ? { ...whole, key: key ?? whole.key }
    : undefined;
}

/** A plain name that holds what it did at the beginning. */
export function isNeverSet(node: Node, file: SourceFile): boolean {
  return unwrap(node).type === 'Identifier' && !isWritten(node, file);
}

/** The variable that an expression begins with is set to something else later. */
function isWritten(node: Node, file: SourceFile): boolean {
  const plain = unwrap(node);
  if (plain.type === 'MemberExpression') return isWritten(plain.object, file);
  const variable = variableOf(file, plain);
  return (
    variable?.references.some((reference) => reference.isWrite() && reference.init !== true) ===
    true
  );
}

/** `(values, { transaction } = {})`, `(values, transaction = null)` */
function isNothingByDefault(param: Node | undefined, key: string | undefined): boolean {
  if (param?.type === 'AssignmentPattern') {
    const { left, right } = param;
    const isEmpty = right.type === 'ObjectExpression' && right.properties.length === 0;
    return (isEmpty || isNothing(right)) && isNothingByDefault(left, key);
  }
  if (param?.type !== 'ObjectPattern') return true;
  return param.properties.every(
    (each) =>
      each.type !== 'Property' ||
      keyName(each.key, each.computed) !== key ||
      each.value.type !== 'AssignmentPattern' ||
      isNothing(each.value.right),
  );
}
