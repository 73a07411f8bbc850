import type { TSESTree } from '@typescript-eslint/types';
import { walk, type SourceFile } from './source-file.ts';

// A cache, keyed by the file: it holds nothing of its own.
const callsByFile = new WeakMap<SourceFile, readonly TSESTree.CallExpression[]>();

/** All calls of a file, in the order in which they are written. The file is gone through once, whoever asks. */
export function callsOf(file: SourceFile): readonly TSESTree.CallExpression[] {
  const before = callsByFile.get(file);
  if (before !== undefined) return before;
  const calls: TSESTree.CallExpression[] = [];
  walk(file, file.ast, (node) => {
    if (node.type === 'CallExpression') calls.push(node);
    return true;
  });
  callsByFile.set(file, calls);
  return calls;
}
