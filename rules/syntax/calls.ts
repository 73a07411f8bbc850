import type { TSESTree } from '@typescript-eslint/types';
import { oncePerFile } from './once-per-file.ts';
import { walk } from './preorder.ts';

export interface FileCalls {
  readonly calls: readonly TSESTree.CallExpression[];
  readonly constructions: readonly TSESTree.NewExpression[];
}

/** The calls and constructions of a file in source order. */
export const callsIn = oncePerFile((file): FileCalls => {
  const calls: TSESTree.CallExpression[] = [];
  const constructions: TSESTree.NewExpression[] = [];
  walk(file, file.ast, (node) => {
    if (node.type === 'CallExpression') calls.push(node);
    if (node.type === 'NewExpression') constructions.push(node);
    return true;
  });
  return { calls, constructions };
});
