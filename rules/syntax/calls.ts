import type { TSESTree } from '@typescript-eslint/types';
import { methods } from '../model/drivers.ts';
import type { Node } from './node.ts';
import { oncePerTree } from './once-per-file.ts';
import { walk } from './preorder.ts';
import { memberName, parentOf, referencesTo, type SourceFile } from './source-file.ts';

export interface FileCalls {
  readonly calls: readonly TSESTree.CallExpression[];
  readonly constructions: readonly TSESTree.NewExpression[];
  /** `import('…')` */
  readonly imports: readonly TSESTree.ImportExpression[];
}

/** The calls and constructions of a file in source order. */
export const callsIn = oncePerTree((file): FileCalls => {
  const calls: TSESTree.CallExpression[] = [];
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
  return callee.type === 'MemberExpression' ? memberName(callee) : undefined;
}

type Query = TSESTree.CallExpression & { readonly callee: TSESTree.MemberExpression };

/** `client.query(…)` */
export function isQuery(call: TSESTree.CallExpression): call is Query {
  return call.callee.type === 'MemberExpression' && memberName(call.callee) === methods.query;
}

/** The calls of a function by a name that the file declares. */
export function callsByName(name: Node, file: SourceFile): readonly TSESTree.CallExpression[] {
  return referencesTo(name, file).flatMap((each) => {
    const call = parentOf(each);
    return call?.type === 'CallExpression' && call.callee === each ? [call] : [];
  });
}
