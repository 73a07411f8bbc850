import type { Graph } from '../flow/graph.ts';
import { type Node, isFunction } from '../syntax/node.ts';
import type { CheckoutContext } from './checkout.ts';
import { parentOf, variableOf, referencesOf } from '../syntax/source-file.ts';

/** A member, or a variable that is declared outside of the graph's root or used by a function that is not part of the graph. */
export function outlivesFunction(target: Node, { file, graph }: CheckoutContext): boolean {
  if (target.type === 'CallExpression') return false;
  if (target.type !== 'Identifier') return true;
  const variable = variableOf(file, target);
  const declared = variable?.identifiers[0] as Node | undefined;
  if (variable === undefined || declared === undefined) return true;
  if (graph.root.type !== 'Program')
    return encloses(variable.scope.block as unknown as Node, graph.root);
  return isExported(declared) || referencesOf(variable).some((name) => !isInGraph(name, graph));
}

/** A name of a helper whose body stands in the graph lives no longer than the names of the graph's own function. */
function encloses(scope: Node, root: Node): boolean {
  return scope !== root && scope.range[0] <= root.range[0] && root.range[1] <= scope.range[1];
}

function isExported(declared: Node): boolean {
  return (
    parentOf(parentOf(parentOf(declared) ?? declared) ?? declared)?.type ===
    'ExportNamedDeclaration'
  );
}

/** True when the function in which a node stands is part of the graph. */
export function isInGraph(node: Node, graph: Graph): boolean {
  for (let up = parentOf(node); up !== undefined && up !== graph.root; up = parentOf(up)) {
    if (isFunction(up) && !graph.bodies.has(up)) return false;
  }
  return true;
}
