import type { TSESTree } from '@typescript-eslint/types';
import { type FunctionNode, type Node, isFunction } from './node.ts';
import {
  findAncestor,
  parentOf,
  variableOf,
  type SourceFile,
  type Variable,
  referencesOf,
} from './source-file.ts';
import { callOf } from './calls.ts';

/**
 * True for code that runs at most once in a process, such as the `main` of a script: the file's top level, and a function that
 * is called once in such code and nowhere else. Nobody waits for the client that such code holds.
 */
export function runsOnce(
  root: FunctionNode | TSESTree.Program,
  file: SourceFile,
  seen: readonly Node[] = [],
): boolean {
  if (root.type === 'Program') return true;
  // A function that calls itself.
  if (seen.includes(root)) return false;
  const isReachedOnce = (node: Node): boolean => standsInCodeRunOnce(node, file, [...seen, root]);
  if (callOf(root) !== undefined) return isReachedOnce(root);
  const variable = nameOf(root, file);
  const uses = referencesOf(variable).filter(
    (use) => parentOf(use) !== undefined && !isDeclaration(use),
  );
  return uses.length > 0 && uses.every((use) => callOf(use) !== undefined && isReachedOnce(use));
}

/** An exported function has other callers. */
function nameOf(fn: FunctionNode, file: SourceFile): Variable | undefined {
  const up = parentOf(fn);
  if (fn.type === 'FunctionDeclaration')
    return fn.id === null || up?.type !== 'Program' ? undefined : variableOf(file, fn.id);
  return up?.type === 'VariableDeclarator' && up.parent.parent.type === 'Program'
    ? variableOf(file, up.id)
    : undefined;
}

function isDeclaration(use: Node): boolean {
  const up = parentOf(use);
  return up?.type === 'VariableDeclarator' && up.id === use;
}

/** `if (require.main === module) main()` is top level, too; a loop is not. */
function standsInCodeRunOnce(node: Node, file: SourceFile, seen: readonly Node[]): boolean {
  const enclosing = findAncestor(node, isFunctionOrLoop);
  return enclosing === undefined || (isFunction(enclosing) && runsOnce(enclosing, file, seen));
}

function isFunctionOrLoop(node: Node): node is Node {
  return isFunction(node) || /^(?:For|While|DoWhile)/u.test(node.type);
}
