import type { TSESTree } from '@typescript-eslint/types';
import { Builder, GraphTooLarge, type Inside, type CallSemantics } from './builder.ts';
import type { FunctionNode } from '../syntax/node.ts';
import type { Graph } from './graph.ts';
import { buildChain } from './promises.ts';
import { buildReturn, buildStatements } from './statements.ts';

const inside: Inside = { statements: buildStatements, returned: buildReturn, chain: buildChain };

/**
 * The control-flow graph of a function or of a file's top level, with an edge for every exception and a copy of each
 * finalizer for every way of leaving. Null when the function is too large to be known.
 */
export function buildGraph(
  root: FunctionNode | TSESTree.Program,
  semantics: CallSemantics,
): Graph | null {
  const builder = new Builder(semantics, inside, root);
  try {
    if (root.type === 'Program') buildStatements(builder, root.body);
    else if (root.body.type === 'BlockStatement') buildStatements(builder, root.body.body);
    else buildReturn(builder, root.body, root.body);
  } catch (problem) {
    if (problem instanceof GraphTooLarge || problem instanceof RangeError) return null;
    throw problem;
  }
  return builder.finish(root);
}
