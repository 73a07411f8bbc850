import type { TSESTree } from '@typescript-eslint/types';
import { oncePerFile } from './once-per-file.ts';
import { walk } from './preorder.ts';

/** All calls of a file, in the order in which they are written. */
export const callsOf = oncePerFile((file): readonly TSESTree.CallExpression[] => {
  const calls: TSESTree.CallExpression[] = [];
  walk(file, file.ast, (node) => {
    if (node.type === 'CallExpression') calls.push(node);
    return true;
  });
  return calls;
});
