import type { TSESTree } from '@typescript-eslint/types';
import type { FunctionNode, Node } from '../syntax/node.ts';
import { isNothing } from './fallback.ts';
import {
  contains,
  definitionOf,
  keyName,
  memberName,
  parentOf,
  unwrap,
  variableOf,
  writesTo,
  type SourceFile,
  type Variable,
} from '../syntax/source-file.ts';

/**
 * The index of the parameter that serves a function in place of the pool that it asks by a call, whatever it is called: the call
 * stands where the parameter is missing (`given ? … : pool.query(…)`, `if (given) return …`), or speaks to one or the other
 * (`(given ?? pool).query(…)`, `run(given ?? pool)`); -1 when there is none.
 */
export function executorOf(
  call: TSESTree.CallExpression,
  pool: { readonly node: Node; readonly file: SourceFile },
  fn: FunctionNode,
  file: SourceFile,
): number {
  const { callee } = call;
  const asked =
    callee.type === 'MemberExpression' && callee.object !== pool.node ? [callee.object] : [];
  const isHere = pool.file === file && contains(fn, pool.node);
  // A parameter that is the pool by default is what the caller gives, which may be another pool.
  const spoken = isHere && !isParameter(pool.node, fn, file) ? [...asked, pool.node] : asked;
  return firstIndex([call, ...spoken], (node) => {
    const served = neededWithout(node, fn, file);
    return served === -1 && node !== call ? servesAs(node, fn, file) : served;
  });
}

function isParameter(node: Node, fn: FunctionNode, file: SourceFile): boolean {
  const declared: unknown = variableOf(file, unwrap(node))?.identifiers[0];
  return fn.params.some((param) => param.type === 'AssignmentPattern' && param.left === declared);
}

/** The parameter that is missing where control comes to a node. */
function neededWithout(node: Node, fn: FunctionNode, file: SourceFile): number {
  for (
    let inner = node, up = parentOf(inner);
    up !== undefined && up !== fn;
    inner = up, up = parentOf(up)
  ) {
    const index = firstIndex(absentIn(up, inner), (absent) => parameterIn(absent, fn, file));
    if (index !== -1) return index;
  }
  return -1;
}

function firstIndex(nodes: readonly Node[], indexOf: (node: Node) => number): number {
  return nodes.map(indexOf).find((index) => index !== -1) ?? -1;
}

/** What is not there where this branch of an expression or statement is taken, or this statement is come to. */
function absentIn(up: Node, branch: Node): readonly Node[] {
  if (up.type === 'LogicalExpression')
    return up.operator !== '&&' && up.right === branch ? [unwrap(up.left)] : [];
  if (up.type === 'BlockStatement')
    return up.body
      .slice(0, up.body.indexOf(branch as TSESTree.Statement))
      .flatMap((before) => askedByExit(before) ?? []);
  if (up.type !== 'ConditionalExpression' && up.type !== 'IfStatement') return [];
  const [asked, isThere] = questionIn(unwrap(up.test));
  return asked !== undefined && (isThere ? up.alternate : up.consequent) === branch ? [asked] : [];
}

/** `if (given) return …;` */
function askedByExit(statement: Node): Node | undefined {
  if (statement.type !== 'IfStatement') return undefined;
  const [asked, isThere] = questionIn(unwrap(statement.test));
  return isThere && leaves(statement.consequent) ? asked : undefined;
}

/** Nothing behind the statement is come to. */
function leaves(statement: Node | undefined): boolean {
  switch (statement?.type) {
    case 'ReturnStatement':
    case 'ThrowStatement':
      return true;
    case 'BlockStatement':
      return leaves(statement.body.at(-1));
    case 'TryStatement':
      return (
        leaves(statement.block) && (statement.handler === null || leaves(statement.handler.body))
      );
    default:
      return false;
  }
}

/** What a test asks for, and whether it holds when that is there. */
function questionIn(test: Node): readonly [asked: Node | undefined, isThere: boolean] {
  if (test.type === 'UnaryExpression' && test.operator === '!')
    return [unwrap(test.argument), false];
  if (test.type !== 'BinaryExpression') return [test, true];
  return [
    isNothing(test.right) && /^[!=]==?$/u.test(test.operator) ? unwrap(test.left) : undefined,
    test.operator.startsWith('!'),
  ];
}

const maximalDepth = 4;

/** The parameter that may stand in place of a pool: `given ?? pool`, `options.given ? options.given : pool`, `{ given = pool }`; -1 when there is none. */
function servesAs(node: Node, fn: FunctionNode, file: SourceFile, depth = 0): number {
  const plain = unwrap(node);
  if (depth > maximalDepth) return -1;
  switch (plain.type) {
    case 'AwaitExpression':
      return servesAs(plain.argument, fn, file, depth + 1);
    case 'LogicalExpression':
      return firstIndex([plain.left, plain.right], (side) => parameterIn(side, fn, file));
    case 'ConditionalExpression':
      return firstIndex([plain.consequent, plain.alternate], (side) => parameterIn(side, fn, file));
    case 'Identifier': {
      const values = valuesOf(plain, file);
      return values.length > 1
        ? firstIndex(values, (each) => parameterIn(each, fn, file))
        : firstIndex(values, (each) => servesAs(each, fn, file, depth + 1));
    }
    default:
      return -1;
  }
}

/** What a variable is set to; a name with a default that is taken out of a parameter is set to either. */
function valuesOf(name: TSESTree.Identifier, file: SourceFile): readonly Node[] {
  const variable = variableOf(file, name);
  if (variable === undefined) return [];
  const declared = variable.identifiers[0] as unknown as Node;
  const up = parentOf(declared);
  return up?.type === 'AssignmentPattern'
    ? [declared, up.right]
    : [...initialOf(variable), ...writesTo(variable)];
}

/** What a declaration sets a variable to. */
function initialOf(variable: Variable): readonly Node[] {
  const node = definitionOf(variable)?.node as Node | undefined;
  return node?.type === 'VariableDeclarator' && node.id.type === 'Identifier' && node.init !== null
    ? [unwrap(node.init)]
    : [];
}

/** The parameter that a name or a member stands for: its own, or that of a variable that begins with it. */
function parameterIn(node: Node, fn: FunctionNode, file: SourceFile, depth = 0): number {
  const plain = unwrap(node);
  if (plain.type === 'MemberExpression') return parameterIn(plain.object, fn, file, depth);
  const variable = plain.type === 'Identifier' ? variableOf(file, plain) : undefined;
  if (variable === undefined || depth > maximalDepth) return -1;
  return variable.defs[0]?.type === 'Parameter'
    ? fn.params.findIndex((param) => contains(param, variable.identifiers[0] as unknown as Node))
    : firstIndex(initialOf(variable), (initial) => parameterIn(initial, fn, file, depth + 1));
}

/** Whether a call gives that parameter something: of an object, one of the members that the function asks for. */
export function isGivenAt(
  call: TSESTree.CallExpression,
  index: number,
  { node: fn, file }: { readonly node: FunctionNode; readonly file: SourceFile },
): boolean {
  if (index === -1) return false;
  if (call.arguments.slice(0, index + 1).some(({ type }) => type === 'SpreadElement')) return true;
  const argument = call.arguments[index];
  if (argument === undefined) return false;
  const value = unwrap(argument);
  if (value.type !== 'ObjectExpression') return !isNothing(value);
  const asked = keysAsked(fn.params[index], file);
  return (
    asked.length === 0 ||
    value.properties.some(
      (property) =>
        property.type === 'SpreadElement' ||
        asked.includes(keyName(property.key, property.computed)),
    )
  );
}

/** The keys of its argument that a parameter takes with a default, or that tests and choices ask for. */
function keysAsked(param: Node | undefined, file: SourceFile): readonly (string | undefined)[] {
  const pattern = param?.type === 'AssignmentPattern' ? param.left : param;
  if (pattern?.type === 'ObjectPattern')
    return pattern.properties.flatMap((property) =>
      property.type === 'Property' &&
      (property.value.type === 'AssignmentPattern' ||
        referencesOf(property.value, file).some(isAsked))
        ? [keyName(property.key, property.computed)]
        : [],
    );
  return referencesOf(pattern, file).flatMap((reference) => {
    const up = parentOf(reference);
    if (up?.type === 'VariableDeclarator' && up.id.type === 'ObjectPattern')
      return keysAsked(up.id, file);
    return up?.type === 'MemberExpression' && up.object === reference && isAsked(up)
      ? [memberName(up)]
      : [];
  });
}

function referencesOf(name: Node | undefined, file: SourceFile): readonly Node[] {
  const variable = name?.type === 'Identifier' ? variableOf(file, name) : undefined;
  return (variable?.references ?? []).map(({ identifier }) => identifier as unknown as Node);
}

/** Left of `??` and `||` with something else than a constant, or in a test. */
function isAsked(node: Node): boolean {
  const up = parentOf(node);
  switch (up?.type) {
    case 'LogicalExpression':
      return up.left === node && up.right.type !== 'Literal';
    case 'AssignmentExpression':
      return up.left === node && up.operator !== '=';
    case 'IfStatement':
    case 'ConditionalExpression':
      return up.test === node;
    case 'UnaryExpression':
    case 'BinaryExpression':
      return true;
    case 'ChainExpression':
    case 'TSNonNullExpression':
      return isAsked(up);
    default:
      return false;
  }
}
