import type { TSESTree } from '@typescript-eslint/types';
import { requiredModule } from '../syntax/constants.ts';
import { isFunction, type FunctionNode, type Node, type CallNode } from '../syntax/node.ts';
import {
  definitionOf,
  findAncestor,
  memberName,
  parentOf,
  unwrap,
  variableOf,
  type SourceFile,
  declarationOf,
} from '../syntax/source-file.ts';
import { callsByName } from '../syntax/calls.ts';

/** `client.query(…)` that surely gives a promise: no callback, and no cursor or stream. */
export function isPlainQuery(call: CallNode, file: SourceFile): boolean {
  const [text, second, third] = call.arguments;
  if (text === undefined || third !== undefined) return false;
  return second === undefined
    ? !mayBeSubmitted(text, file)
    : isValues(second, file) || (!mayBeSubmitted(text, file) && !mayBeCallback(second, call, file));
}

/** `[id]`: what comes with values is a text. */
function isValues(argument: Node, file: SourceFile): boolean {
  return valueOf(argument, file)?.type === 'ArrayExpression';
}

/** A cursor or stream is returned as it is (pg 8.23 `lib/client.js`, `query`), and it is no promise. */
function mayBeSubmitted(argument: Node, file: SourceFile): boolean {
  const value = valueOf(argument, file);
  if (value?.type === 'NewExpression') return true;
  return value?.type === 'CallExpression' && !givesText(value, file);
}

/** Methods of texts and lists that give a text. */
const textMethods: ReadonlySet<string> = new Set([
  'concat',
  'join',
  'padEnd',
  'padStart',
  'repeat',
  'replace',
  'replaceAll',
  'slice',
  'substring',
  'toLowerCase',
  'toString',
  'toUpperCase',
  'trim',
  'trimEnd',
  'trimStart',
]);

/** Packages whose functions make statements of texts, or give the statements that others hold. */
const textPackages: ReadonlySet<string> = new Set([
  'pg-format',
  'fs',
  'node:fs',
  'util',
  'node:util',
]);

function givesText({ callee }: CallNode, file: SourceFile): boolean {
  if (textMethods.has(memberName(callee) ?? '')) return true;
  const root = callee.type === 'MemberExpression' ? unwrap(callee.object) : callee;
  if (root.type !== 'Identifier') return false;
  if (textPackages.has(packageOf(root, file) ?? '')) return true;
  const made = callee === root ? valueOf(callee, file) : undefined;
  return made !== undefined && isFunction(made) && returnsText(made);
}

/** The module that a name is imported or required from. */
function packageOf(name: TSESTree.Identifier, file: SourceFile): string | undefined {
  const definition = definitionOf(variableOf(file, name));
  const parent = definition?.parent as Node | null | undefined;
  if (parent?.type === 'ImportDeclaration') return parent.source.value;
  const node = definition?.node as Node | undefined;
  const init = node?.type === 'VariableDeclarator' ? node.init : null;
  return init?.type === 'CallExpression' ? requiredModule(init) : undefined;
}

const texts: ReadonlySet<string> = new Set(['Literal', 'TemplateLiteral', 'BinaryExpression']);

function returnsText({ body }: FunctionNode): boolean {
  const last = body.type === 'BlockStatement' ? body.body.at(-1) : undefined;
  const given = last?.type === 'ReturnStatement' ? last.argument : body;
  return given !== null && texts.has(unwrap(given).type);
}

/** A function, or what may be one where nobody wants the promise that there would be without it. */
function mayBeCallback(argument: Node, call: CallNode, file: SourceFile): boolean {
  const value = valueOf(argument, file);
  if (value === undefined) return false;
  if (isFunction(value) || isBound(value)) return true;
  const isOpen =
    value.type === 'Identifier' ? isOpenName(value, file) : openExpressions.has(value.type);
  return isOpen && (callsByName(value, file).length > 0 || !isPromiseWanted(call));
}

/** `this.onDone.bind(this)` */
function isBound(value: Node): boolean {
  return value.type === 'CallExpression' && memberName(value.callee) === 'bind';
}

const openExpressions: ReadonlySet<string> = new Set([
  'CallExpression',
  'ConditionalExpression',
  'LogicalExpression',
  'MemberExpression',
]);

/** A name that does not say by its type that it stands for a list. */
function isOpenName(name: TSESTree.Identifier, file: SourceFile): boolean {
  const declared = variableOf(file, name)?.identifiers[0] as TSESTree.Identifier | undefined;
  return declared?.typeAnnotation?.typeAnnotation.type !== 'TSArrayType';
}

/** Whether what the query gives is used: with a callback it gives nothing. */
function isPromiseWanted(call: CallNode): boolean {
  const up = parentOf(call);
  if (up?.type === 'ExpressionStatement') return false;
  if (up?.type !== 'ReturnStatement' && up?.type !== 'ArrowFunctionExpression') return true;
  const fn = findAncestor(call, isFunction);
  return fn?.async === true || fn?.parent.type === 'CallExpression';
}

/** What an expression is as far as it is written down: through constants, to what they are made of. */
function valueOf(argument: Node, file: SourceFile): Node | undefined {
  const plain = unwrap(argument);
  if (plain.type !== 'Identifier') return plain;
  const node = declarationOf(variableOf(file, plain));
  if (node !== undefined && node.type === 'FunctionDeclaration')
    return node.id?.name === plain.name ? node : plain;
  return node?.type === 'VariableDeclarator' && node.id.type === 'Identifier' && node.init !== null
    ? unwrap(node.init)
    : plain;
}
