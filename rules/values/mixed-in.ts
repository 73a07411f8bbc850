import type { Node } from '../syntax/node.ts';
import {
  definitionOf,
  unwrap,
  variableOf,
  writesTo,
  type SourceFile,
} from '../syntax/source-file.ts';
import type { AbstractValue } from './abstract-values.ts';
import type { Resolver } from './resolver.ts';

export type Parent = AbstractValue & { readonly kind: 'class' | 'driver' };

/** What a class extends; of what a function makes of a class, `DbErrors(Model)` or `pipe(A, B)(Model)`, that class. */
export function parentsOf(
  superClass: Node,
  file: SourceFile,
  resolver: Resolver,
): readonly Parent[] {
  const parent = resolver.abstractValueOf(superClass, file);
  return isParent(parent) ? [parent] : mixedInto(superClass, file, resolver);
}

function mixedInto(node: Node, file: SourceFile, resolver: Resolver): readonly Parent[] {
  const call = initialOf(unwrap(node), file);
  return call.type === 'CallExpression'
    ? call.arguments.flatMap((argument) => parentsOf(argument, file, resolver))
    : [];
}

/** `const Extended = pipe(A, B)(Model)` */
function initialOf(node: Node, file: SourceFile): Node {
  const variable = node.type === 'Identifier' ? variableOf(file, node) : undefined;
  const definition = definitionOf(variable)?.node as Node | undefined;
  return variable !== undefined &&
    writesTo(variable).length === 0 &&
    definition?.type === 'VariableDeclarator' &&
    definition.id.type === 'Identifier' &&
    definition.init !== null
    ? unwrap(definition.init)
    : node;
}

function isParent(value: AbstractValue | undefined): value is Parent {
  return value?.kind === 'class' || value?.kind === 'driver';
}
