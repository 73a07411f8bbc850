import type { TSESTree } from '@typescript-eslint/types';
import type { Node, When } from '../flow/graph.ts';
import type { Cells } from './cells.ts';
import { isNullish, isTruthy, withCell, type Fact, type Value } from './facts.ts';
import { unwrap } from './source-file.ts';

/** What is left of a fact when a test comes out this way: nothing when it cannot. `repeated` are the cells worth remembering: those tested more than once. */
export function narrow(fact: Fact, test: Node, when: When, cells: Cells, repeated: ReadonlySet<string>): readonly Fact[] {
  const plain = unwrap(test);
  if (when === 'nullish' || when === 'present') return narrowTo(fact, plain, isNullish(cells.valueOf(plain, fact)), when === 'nullish', ['null', 'some'], cells, repeated);
  if (when !== 'true' && when !== 'false') return [fact];
  const comparison = comparisonIn(plain, cells, fact);
  if (comparison === undefined) return narrowTo(fact, plain, isTruthy(cells.valueOf(plain, fact)), when === 'true', ['some', 'nothing'], cells, repeated);
  const isEqual = (when === 'true') === comparison.asksForEquality;
  return narrowTo(fact, comparison.operand, comparison.holds, isEqual, [comparison.constant, comparison.constant === 'null' ? 'some' : opposite(comparison.constant)], cells, repeated);
}

/** Keeps the fact when `known` does not contradict `outcome`, and remembers what the outcome says. */
function narrowTo(fact: Fact, node: Node, known: boolean | undefined, outcome: boolean, values: readonly [Value, Value | undefined], cells: Cells, repeated: ReadonlySet<string>): readonly Fact[] {
  if (known !== undefined) return known === outcome ? [fact] : [];
  const cell = cells.cellOf(node);
  const value = outcome ? values[0] : values[1];
  if (cell === undefined || value === undefined || !repeated.has(cell) || fact.cells[cell] !== undefined) return [fact];
  return [withCell(fact, cell, value)];
}

function opposite(value: Value): Value | undefined {
  return value === 'true' ? 'false' : value === 'false' ? 'true' : undefined;
}

interface Comparison {
  readonly operand: Node;
  readonly constant: Value;
  readonly asksForEquality: boolean;
  /** Whether the operand equals the constant; undefined when unknown. */
  readonly holds: boolean | undefined;
}

/** `x === null`, `x != undefined`, `flag === true` */
function comparisonIn(node: Node, cells: Cells, fact: Fact): Comparison | undefined {
  if (node.type !== 'BinaryExpression' || !/^[!=]==?$/u.test(node.operator)) return undefined;
  const sides = constantSide(node, cells, fact);
  if (sides === undefined) return undefined;
  const value = cells.valueOf(sides.operand, fact);
  const holds = sides.constant === 'null' ? isNullish(value) : equals(value, sides.constant);
  return { ...sides, asksForEquality: node.operator.startsWith('='), holds };
}

/** Whether a value is this boolean; undefined when it may be. */
function equals(value: Value | undefined, constant: Value): boolean | undefined {
  if (value === 'true' || value === 'false') return value === constant;
  return value === 'null' || (value === 'nothing' && constant === 'true') ? false : undefined;
}

function constantSide(node: TSESTree.BinaryExpression, cells: Cells, fact: Fact): { operand: Node; constant: Value } | undefined {
  for (const [operand, other] of [[node.left, node.right], [node.right, node.left]] as const) {
    const isConstant = other.type === 'Literal' || (other.type === 'Identifier' && other.name === 'undefined');
    const constant = isConstant ? cells.valueOf(other, fact) : undefined;
    if (constant === 'null' || constant === 'true' || constant === 'false') return { operand: unwrap(operand), constant };
  }
  return undefined;
}

/** The cells whose value decides a branch: a test and its operands. */
export function testedCells(test: Node, cells: Cells): readonly string[] {
  const plain = unwrap(test);
  const operands = plain.type === 'BinaryExpression' ? [plain, plain.left, plain.right] : plain.type === 'CallExpression' ? [] : [plain];
  return operands.flatMap((operand) => cells.cellOf(operand) ?? []);
}
