import type { TSESTree } from '@typescript-eslint/types';
import type { Node } from '../syntax/node.ts';
import type { Cells } from './cells.ts';
import { withCell, type Fact, type Value } from './facts.ts';
import { keyName } from '../syntax/source-file.ts';

/** What is known of an argument: its value, and of an object that is written in place the values of its properties. */
export interface Argument {
  readonly value: Value | undefined;
  readonly properties?: ReadonlyMap<string, Value | undefined>;
}

/** An argument as the call gives it, with what is known of it when the call is made. */
export function argumentOf(node: Node, fact: Fact, cells: Cells): Argument {
  const value = cells.valueOf(node, fact);
  if (node.type !== 'ObjectExpression') return { value };
  const properties = new Map<string, Value | undefined>();
  for (const property of node.properties) {
    if (property.type !== 'Property') return { value };
    const name = keyName(property.key, property.computed);
    if (name !== undefined) properties.set(name, cells.valueOf(property.value, fact));
  }
  return { value, properties };
}

/** The parameter gets its argument; without one its default, or `undefined`. */
export function bindParameter(
  fact: Fact,
  param: Node,
  argument: Argument | undefined,
  cells: Cells,
): Fact {
  switch (param.type) {
    case 'AssignmentPattern':
      return bindParameter(
        fact,
        param.left,
        argument === undefined || argument.value === 'null'
          ? argumentOf(param.right, fact, cells)
          : argument,
        cells,
      );
    case 'TSParameterProperty':
      return bindParameter(fact, param.parameter, argument, cells);
    case 'Identifier':
      return bindName(fact, param, argument, cells);
    case 'ObjectPattern':
      return param.properties.reduce(
        (before, property) => bindProperty(before, property, argument, cells),
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
  cells: Cells,
): Fact {
  const cell = cells.cellOf(name);
  if (cell === undefined) return fact;
  const bound = withCell(fact, cell, argument === undefined ? 'null' : argument.value);
  return [...(argument?.properties ?? [])].reduce(
    (before, [key, value]) =>
      withCell(before, cells.intern({ kind: 'member', object: cell, name: key }), value),
    bound,
  );
}

function bindProperty(
  fact: Fact,
  property: Node,
  argument: Argument | undefined,
  cells: Cells,
): Fact {
  if (property.type !== 'Property') return fact;
  const name = keyName(property.key, property.computed);
  return bindParameter(fact, property.value, propertyOf(argument, name), cells);
}

function propertyOf(
  argument: Argument | undefined,
  name: string | undefined,
): Argument | undefined {
  if (argument?.properties === undefined || name === undefined) return { value: undefined };
  return argument.properties.has(name) ? { value: argument.properties.get(name) } : undefined;
}
