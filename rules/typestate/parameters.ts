import type { TSESTree } from '@typescript-eslint/types';
import type { Node } from '../syntax/node.ts';
import type { AccessPaths } from './access-paths.ts';
import { withAccessPath, type Fact, type Value } from './facts.ts';
import { keyName } from '../syntax/source-file.ts';

/** What is known of an argument: its value, and the values of the properties of an object that is written in place or has the client. */
export interface Argument {
  readonly value: Value | undefined;
  readonly properties?: ReadonlyMap<string, Value | undefined>;
}

/** An argument as the call gives it, with what is known of it when the call is made. */
export function argumentOf(node: Node, fact: Fact, accessPaths: AccessPaths): Argument {
  const value = accessPaths.valueOf(node, fact);
  if (node.type !== 'ObjectExpression') return { value };
  const properties = new Map<string, Value | undefined>();
  for (const property of node.properties) {
    if (property.type !== 'Property') return { value };
    const name = keyName(property.key, property.computed);
    if (name !== undefined) properties.set(name, accessPaths.valueOf(property.value, fact));
  }
  return { value, properties };
}

/** The parameter gets its argument; without one its default, or `undefined`. */
export function bindParameter(
  fact: Fact,
  param: Node,
  argument: Argument | undefined,
  accessPaths: AccessPaths,
): Fact {
  switch (param.type) {
    case 'AssignmentPattern':
      return bindParameter(
        fact,
        param.left,
        argument === undefined || argument.value === 'null'
          ? argumentOf(param.right, fact, accessPaths)
          : argument,
        accessPaths,
      );
    case 'TSParameterProperty':
      return bindParameter(fact, param.parameter, argument, accessPaths);
    case 'Identifier':
      return bindName(fact, param, argument, accessPaths);
    case 'ObjectPattern':
      return param.properties.reduce(
        (before, property) => bindProperty(before, property, argument, accessPaths),
        fact,
      );
    default:
      return fact;
  }
}

function bindName(
  fact: Fact,
  name: TSESTree.Identifier,
  argument: Argument | undefined,
  accessPaths: AccessPaths,
): Fact {
  const accessPath = accessPaths.accessPathOf(name);
  if (accessPath === undefined) return fact;
  const bound = withAccessPath(fact, accessPath, argument === undefined ? 'null' : argument.value);
  return [...(argument?.properties ?? [])].reduce(
    (before, [key, value]) =>
      withAccessPath(
        before,
        accessPaths.intern({ kind: 'member', object: accessPath, name: key }),
        value,
      ),
    bound,
  );
}

function bindProperty(
  fact: Fact,
  property: Node,
  argument: Argument | undefined,
  accessPaths: AccessPaths,
): Fact {
  if (property.type !== 'Property') return fact;
  const name = keyName(property.key, property.computed);
  return bindParameter(fact, property.value, propertyOf(argument, name), accessPaths);
}

function propertyOf(
  argument: Argument | undefined,
  name: string | undefined,
): Argument | undefined {
  const { properties, value } = argument ?? {};
  if (properties === undefined || name === undefined) return { value: undefined };
  // Of what has the client among its members no others are known.
  return properties.has(name) || value === 'container'
    ? { value: properties.get(name) }
    : undefined;
}
