import type { TSESTree } from '@typescript-eslint/types';
import { walk, type SourceFile } from '../files/source-file.ts';

export interface FileCalls {
  readonly calls: readonly TSESTree.CallExpression[];
  readonly constructions: readonly TSESTree.NewExpression[];
}

const known = new WeakMap<SourceFile, FileCalls>();

/** The calls and constructions of a file in source order, gathered once. */
export function callsIn(file: SourceFile): FileCalls {
  const before = known.get(file);
  if (before !== undefined) return before;
  const calls: TSESTree.CallExpression[] = [];
  const constructions: TSESTree.NewExpression[] = [];
  walk(file, file.ast, (node) => {
    if (node.type === 'CallExpression') calls.push(node);
    if (node.type === 'NewExpression') constructions.push(node);
    return true;
  });
  known.set(file, { calls, constructions });
  return { calls, constructions };
}
