import type { TSESTree } from '@typescript-eslint/types';
import { methods } from '../model/drivers.ts';
import { isFunction, type CallNode, type FunctionNode, type Node } from './node.ts';
import { oncePerTree } from './once-per-file.ts';
import { walk } from './preorder.ts';
import {
  definitionOf,
  memberName,
  parentOf,
  referencesTo,
  variableOf,
  type SourceFile,
} from './source-file.ts';

export interface FileCalls {
  readonly calls: readonly CallNode[];
  readonly constructions: readonly TSESTree.NewExpression[];
  /** `import('…')` */
  readonly imports: readonly TSESTree.ImportExpression[];
}

/** The calls and constructions of a file in source order. */
export const callsIn = oncePerTree((file): FileCalls => {
  const calls: CallNode[] = [];
  const constructions: TSESTree.NewExpression[] = [];
  const imports: TSESTree.ImportExpression[] = [];
  walk(file, file.ast, (node) => {
    if (node.type === 'ImportExpression') imports.push(node);
    if (node.type === 'CallExpression') calls.push(node);
    if (node.type === 'NewExpression') constructions.push(node);
    return true;
  });
  return { calls, constructions, imports };
});

/** The last name of what is called: `query` for `query(…)` and `db.query(…)`. */
export function calledName(callee: Node): string | undefined {
  if (callee.type === 'Identifier') return callee.name;
  return memberName(callee);
}

type Query = CallNode & { readonly callee: TSESTree.MemberExpression };

/** `client.query(…)` */
export function isQuery(call: CallNode): call is Query {
  return memberName(call.callee) === methods.query;
}

/** The call of an expression: `load()` of `load`. */
export function callOf(callee: Node): CallNode | undefined {
  const call = parentOf(callee);
  return call?.type === 'CallExpression' && call.callee === callee ? call : undefined;
}

/** What a file calls a function by that it declares: `load` of `function load() {}` and of `const load = () => {}`. */
export function nameOfFunction(fn: FunctionNode): Node | null {
  if (fn.type === 'FunctionDeclaration') return fn.id;
  const up = parentOf(fn);
  return up?.type === 'VariableDeclarator' ? up.id : null;
}

/** The calls of a function by a name that the file declares. */
export function callsByName(name: Node | null, file: SourceFile): readonly CallNode[] {
  return referencesTo(name, file).flatMap((each) => callOf(each) ?? []);
}

/** The function of this file that a plain name stands for, without a look at other files. */
export function functionNamed(name: Node, file: SourceFile): FunctionNode | undefined {
  const definition = definitionOf(variableOf(file, name));
  const node = definition?.node as Node | undefined;
  const value =
    node?.type === 'VariableDeclarator' && node.id.type === 'Identifier' ? node.init : node;
  return value &&
    (definition?.type === 'FunctionName' || definition?.type === 'Variable') &&
    isFunction(value)
    ? value
    : undefined;
}
