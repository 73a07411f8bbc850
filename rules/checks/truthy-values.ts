import type { TSESTree } from '@typescript-eslint/types';
import { type FunctionNode, type Node, isFunction, type CallNode } from '../syntax/node.ts';
import { isChain } from '../syntax/chains.ts';
import { isFalsy } from '../syntax/constants.ts';
import { methods } from '../model/drivers.ts';
import { callbackOf } from '../typestate/call-semantics.ts';
import { walk } from '../syntax/preorder.ts';
import {
  definitionOf,
  memberName,
  parentOf,
  unwrap,
  variableOf,
  writesTo,
  type SourceFile,
  type Variable,
} from '../syntax/source-file.ts';
import { paramsOf } from '../syntax/parameters.ts';
import { isPromiseClass } from '../syntax/promise-calls.ts';

/** Where values are looked at: `isClient` tells what answers queries. */
export interface ValueContext {
  readonly file: SourceFile;
  isClient(node: Node): boolean;
}

/**
 * In words, what an expression surely gives that is truthy, and neither `true` nor an error: "an array", "the result of a query".
 * Undefined for all else, what is not known included.
 */
export function truthyValue(node: Node, analysis: ValueContext): string | undefined {
  const plain = unwrap(node);
  switch (plain.type) {
    case 'ArrayExpression':
      return 'an array';
    case 'ObjectExpression':
      return plain.properties.every(isFalse) ? 'an object' : undefined;
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
      return 'a function';
    case 'AwaitExpression':
      return fulfilledValue(plain.argument, analysis);
    case 'MemberExpression':
      return memberName(plain) === 'rows' && truthyValue(plain.object, analysis) === queryResult
        ? 'an array'
        : undefined;
    case 'Identifier':
      return valueOfVariable(variableOf(analysis.file, plain), analysis);
    default:
      return undefined;
  }
}

const queryResult = 'the result of a query';

/** `{ destroy: false }`: any other value may say why the connection is closed on purpose, as a text may. */
function isFalse(property: Node): boolean {
  return (
    property.type === 'Property' &&
    property.value.type === 'Literal' &&
    property.value.value === false
  );
}

/** What a promise gives where it fulfils. */
export function fulfilledValue(promise: Node, analysis: ValueContext): string | undefined {
  const plain = unwrap(promise);
  if (plain.type !== 'CallExpression')
    return plain.type === 'Identifier' ? fulfilledVariable(plain, analysis) : undefined;
  if (isChain(plain)) return valueOfChain(plain, analysis);
  return plain.callee.type === 'MemberExpression'
    ? valueOfMethod(plain, plain.callee, analysis)
    : undefined;
}

function valueOfMethod(
  plain: CallNode,
  callee: TSESTree.MemberExpression,
  analysis: ValueContext,
): string | undefined {
  const name = memberName(callee);
  if (isPromiseClass(callee.object))
    return name === 'all' || name === 'allSettled' ? 'an array' : undefined;
  const isQuery =
    name === methods.query && plain.arguments.length > 0 && callbackOf(plain) === null;
  return isQuery && analysis.isClient(callee.object) ? queryResult : undefined;
}

/** `const work = client.query(…); work.then(release)` */
function fulfilledVariable(name: Node, analysis: ValueContext): string | undefined {
  const definition = definitionOf(variableOf(analysis.file, name));
  const node = definition?.node as Node | undefined;
  return node?.type === 'VariableDeclarator' &&
    node.parent.kind === 'const' &&
    node.id.type === 'Identifier' &&
    node.init !== null &&
    unwrap(node.init).type === 'CallExpression'
    ? fulfilledValue(node.init, analysis)
    : undefined;
}

function valueOfChain(
  chain: CallNode & { callee: TSESTree.MemberExpression },
  analysis: ValueContext,
): string | undefined {
  const [handler] = chain.arguments;
  if (memberName(chain.callee) !== 'then') return fulfilledValue(chain.callee.object, analysis);
  return handler !== undefined && isFunction(handler)
    ? returnedValue(handler, analysis)
    : undefined;
}

/** What a handler gives back: its expression, or what its only `return`, the last statement, says. */
function returnedValue(fn: FunctionNode, analysis: ValueContext): string | undefined {
  if (fn.generator) return undefined;
  if (fn.body.type !== 'BlockStatement')
    return truthyValue(fn.body, analysis) ?? fulfilledValue(fn.body, analysis);
  const last = fn.body.body.at(-1);
  if (
    last?.type !== 'ReturnStatement' ||
    last.argument === null ||
    hasOtherReturn(fn, last, analysis.file)
  )
    return undefined;
  return truthyValue(last.argument, analysis) ?? fulfilledValue(last.argument, analysis);
}

function hasOtherReturn(fn: FunctionNode, last: Node, file: SourceFile): boolean {
  let found = false;
  walk(file, fn.body, (node) => {
    if (node !== fn && isFunction(node)) return false;
    found ||= node.type === 'ReturnStatement' && node !== last;
    return !found;
  });
  return found;
}

/** All that is ever written to a variable is such a value; where nothing is written yet it is nothing. */
function valueOfVariable(
  variable: Variable | undefined,
  analysis: ValueContext,
): string | undefined {
  const definition = definitionOf(variable);
  if (variable === undefined || definition === undefined) return undefined;
  if (definition.type === 'Parameter')
    return valueOfParameter(
      variable,
      definition.node as Node,
      definition.name as unknown as Node,
      analysis,
    );
  const declarator = definition.node as Node;
  if (definition.type !== 'Variable' || declarator.type !== 'VariableDeclarator') return undefined;
  const values = [
    ...valuesDeclared(declarator, definition.name as unknown as Node, analysis),
    ...writesTo(variable).map((value) =>
      isFalsy(value) ? 'nothing' : truthyValue(value, analysis),
    ),
  ];
  const known = values.filter((value) => value !== 'nothing');
  return known.length > 0 && !known.includes(undefined) ? known[0] : undefined;
}

function valuesDeclared(
  { id, init }: TSESTree.VariableDeclarator,
  name: Node,
  analysis: ValueContext,
): readonly (string | undefined)[] {
  if (init === null || isFalsy(init)) return ['nothing'];
  if (id.type === 'Identifier') return [truthyValue(init, analysis)];
  return [
    isRowsIn(id, name) && truthyValue(init, analysis) === queryResult ? 'an array' : undefined,
  ];
}

/** `{ rows }`, `{ rows: users }` */
function isRowsIn(pattern: Node, name: Node): boolean {
  return (
    pattern.type === 'ObjectPattern' &&
    pattern.properties.some(
      (property) =>
        property.type === 'Property' &&
        property.key.type === 'Identifier' &&
        property.key.name === 'rows' &&
        property.value === name,
    )
  );
}

/** What a driver, a promise or an array gives to a function that is written in place. */
function valueOfParameter(
  variable: Variable,
  fn: Node,
  name: Node,
  analysis: ValueContext,
): string | undefined {
  const call = parentOf(fn);
  if (!isFunction(fn) || call?.type !== 'CallExpression' || writesTo(variable).length > 0)
    return undefined;
  const index = paramsOf(fn).findIndex((param) => param === name);
  if (isChain(call))
    return call.arguments[0] === fn && memberName(call.callee) === 'then'
      ? valueHandled(fulfilledValue(call.callee.object, analysis), paramsOf(fn)[0], name)
      : undefined;
  return index === 1 && call.callee.type === 'MemberExpression'
    ? valueCalledBack(call, call.callee, fn, analysis)
    : undefined;
}

function valueHandled(
  value: string | undefined,
  pattern: Node | undefined,
  name: Node,
): string | undefined {
  if (pattern === name) return value;
  return pattern !== undefined && value === queryResult && isRowsIn(pattern, name)
    ? 'an array'
    : undefined;
}

function valueCalledBack(
  call: CallNode,
  callee: TSESTree.MemberExpression,
  fn: FunctionNode,
  analysis: ValueContext,
): string | undefined {
  if (callbackOf(call) === fn && memberName(callee) === methods.query)
    return analysis.isClient(callee.object) ? queryResult : undefined;
  return /^(?:forEach|map)$/u.test(memberName(callee) ?? '') ? 'the index' : undefined;
}
