import type { TSESTree } from '@typescript-eslint/types';
import type { FunctionNode, Node } from '../syntax/node.ts';
import {
  keyName,
  memberName,
  parentOf,
  unwrap,
  variableOf,
  type SourceFile,
} from '../syntax/source-file.ts';

/**
 * The index of the parameter that a function uses instead of its pool when it is given: `db = client ?? pool`, `if (client)`,
 * `client = pool` among the parameters. -1 when it has none.
 */
export function executorOf(fn: FunctionNode, file: SourceFile): number {
  return fn.params.findIndex((param) =>
    namesIn(param).some(
      ({ name, hasDefault }) => looksLikeClient(name) && (hasDefault || isChoice(name, file)),
    ),
  );
}

/** Names that a parameter declares: itself, or what it takes out of an object. */
function namesIn(
  param: Node,
): readonly { readonly name: TSESTree.Identifier; readonly hasDefault: boolean }[] {
  if (param.type === 'AssignmentPattern')
    return namesIn(param.left).map((each) => ({
      ...each,
      hasDefault: each.hasDefault || param.left.type === 'Identifier',
    }));
  if (param.type === 'Identifier') return [{ name: param, hasDefault: false }];
  if (param.type !== 'ObjectPattern') return [];
  return param.properties.flatMap((property) =>
    property.type === 'Property' ? namesIn(property.value) : [],
  );
}

function looksLikeClient({ name }: TSESTree.Identifier): boolean {
  return /client|conn|db|tx|trx|trans|exec|query|pool|pg|options|opts|session|ctx|runner|handle/iu.test(
    name,
  );
}

/** A member, such as `options.client` or `options.trx`, but not `options.clientId`. */
function mayBeClient(name: string | undefined): boolean {
  return (
    name === undefined ||
    /(?:client|conn|connection|db|database|tx|txn|trx|trans|transaction|exec|executor|runner|querier|queryable|pool|pg|session|ctx|context|handle|manager|query)$/iu.test(
      name,
    )
  );
}

/** Asked whether it is there: left of `??` and `||`, or in a test; or an object of options that is asked for its client. */
function isChoice(name: Node, file: SourceFile): boolean {
  return (variableOf(file, name)?.references ?? []).some(({ identifier }) =>
    isAsked(identifier as unknown as Node),
  );
}

function isAsked(node: Node): boolean {
  const up = parentOf(node);
  switch (up?.type) {
    case 'LogicalExpression':
      return up.left === node;
    case 'AssignmentExpression':
      return up.left === node && up.operator !== '=';
    case 'IfStatement':
    case 'ConditionalExpression':
      return up.test === node;
    case 'UnaryExpression':
    case 'BinaryExpression':
      return true;
    case 'MemberExpression':
    case 'ChainExpression':
    case 'TSNonNullExpression':
      return (
        (up.type !== 'MemberExpression' || (up.object === node && mayBeClient(memberName(up)))) &&
        parentOf(up)?.type !== 'CallExpression' &&
        isAsked(up)
      );
    default:
      return false;
  }
}

/**
 * The index of the parameter without which alone a function comes to this node: `given ?? (await pool.connect())`,
 * `given ? … : pool.query(…)`, `if (!given) …`; -1 when there is none. Whatever it is called, it serves instead.
 */
export function neededWithout(node: Node, fn: FunctionNode, file: SourceFile): number {
  for (
    let inner = node, up = parentOf(node);
    up !== undefined && up !== fn;
    inner = up, up = parentOf(up)
  ) {
    const absent = absentIn(up, inner);
    const index = absent === undefined ? -1 : parameterNamed(absent, fn, file);
    if (index !== -1) return index;
  }
  return -1;
}

/** What is not there where this branch of an expression or statement is taken. */
function absentIn(up: Node, branch: Node): Node | undefined {
  if (up.type === 'LogicalExpression')
    return up.operator !== '&&' && up.right === branch ? unwrap(up.left) : undefined;
  if (up.type !== 'ConditionalExpression' && up.type !== 'IfStatement') return undefined;
  const [asked, isThere] = questionIn(unwrap(up.test));
  return (isThere ? up.alternate : up.consequent) === branch ? asked : undefined;
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

function isNothing(node: Node): boolean {
  return (
    (node.type === 'Literal' && node.value === null) ||
    (node.type === 'Identifier' && node.name === 'undefined')
  );
}

/** The parameter that a name stands for: its own, or that of a variable that begins with it. */
function parameterNamed(name: Node, fn: FunctionNode, file: SourceFile): number {
  const variable = name.type === 'Identifier' ? variableOf(file, name) : undefined;
  const declared: unknown = variable?.identifiers[0];
  const index = fn.params.findIndex(
    (param) => (param.type === 'AssignmentPattern' ? param.left : param) === declared,
  );
  const declarator = variable?.defs[0]?.node as Node | undefined;
  const initial =
    declarator?.type === 'VariableDeclarator' && declarator.id === declared
      ? declarator.init
      : null;
  return index === -1 && initial?.type === 'Identifier' && initial !== name
    ? parameterNamed(initial, fn, file)
    : index;
}

/** Whether a call gives that parameter something. */
export function isGivenAt(call: TSESTree.CallExpression, index: number, fn: FunctionNode): boolean {
  if (index === -1) return false;
  if (call.arguments.slice(0, index + 1).some(({ type }) => type === 'SpreadElement')) return true;
  const argument = call.arguments[index];
  if (argument === undefined) return false;
  const value = unwrap(argument);
  if (value.type === 'Literal') return value.value !== null;
  if (value.type === 'Identifier') return value.name !== 'undefined';
  const names = namesOfObject(fn.params[index]);
  const isClientKey = (key: string | undefined): boolean =>
    names.length === 0 ? mayBeClient(key) : names.includes(key);
  return (
    value.type !== 'ObjectExpression' ||
    value.properties.some(
      (property) =>
        property.type === 'SpreadElement' || isClientKey(keyName(property.key, property.computed)),
    )
  );
}

/** The keys, of those that look like a client, that a parameter takes out of its argument. */
function namesOfObject(param: Node | undefined): readonly (string | undefined)[] {
  const pattern = param?.type === 'AssignmentPattern' ? param.left : param;
  if (pattern?.type !== 'ObjectPattern') return [];
  return pattern.properties.flatMap((property) =>
    property.type === 'Property' &&
    namesIn(property.value).some(({ name }) => looksLikeClient(name))
      ? [keyName(property.key, property.computed)]
      : [],
  );
}
