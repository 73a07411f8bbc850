import type { Graph } from '../flow/graph.ts';
import type { Node } from '../syntax/node.ts';
import {
  definitionOf,
  variableOf,
  writesTo,
  type SourceFile,
  type Variable,
} from '../syntax/source-file.ts';
import { valueOfConstant } from './access-paths.ts';
import type { Value } from './facts.ts';

/**
 * The constant that a parameter has in the whole graph, where each call that stands in the graph gives it the same one, by way of
 * other parameters too. A fact knows the parameters that are tested; this answers for the others.
 */
export function createArguments(
  graph: Graph,
  file: SourceFile,
  givenToRoot: (param: Node) => Value | undefined,
): (name: Node) => Value | undefined {
  const known = new Map<Variable, Value | undefined>();
  const sourcesOf = sourcesByParameter(graph);
  const constantOf = (variable: Variable): Value | undefined => {
    if (known.has(variable)) return known.get(variable);
    known.set(variable, undefined);
    const param = variable.identifiers[0] as unknown as Node;
    const definition = definitionOf(variable);
    if (definition?.type !== 'Parameter' || writesTo(variable).length > 0) return undefined;
    const values =
      (definition.node as Node) === graph.root
        ? [givenToRoot(param)].filter(isConstant)
        : sourcesOf(param).map((source) => valueOf(source));
    const constant = values.every((value) => value === values[0]) ? values[0] : undefined;
    known.set(variable, constant);
    return constant;
  };
  const valueOf = (source: Node): Value | undefined => {
    const variable = variableOf(file, source);
    return variable === undefined ? valueOfConstant(source) : constantOf(variable);
  };
  return (name) => {
    const variable = variableOf(file, name);
    return variable && constantOf(variable);
  };
}

function isConstant(value: Value | undefined): boolean {
  return value === 'true' || value === 'false' || value === 'null';
}

/** What each parameter is bound to in the graph. */
function sourcesByParameter({ points }: Graph): (param: Node) => readonly Node[] {
  let bound: Map<Node, Node[]> | undefined;
  return (param) => {
    if (bound === undefined) {
      bound = new Map();
      for (const { kind, node, target } of points) {
        if (kind !== 'bind' || node === null || target === null) continue;
        bound.set(target, [...(bound.get(target) ?? []), node]);
      }
    }
    return bound.get(param) ?? [];
  };
}
