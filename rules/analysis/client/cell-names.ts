import type { TSESTree } from '@typescript-eslint/types';
import type { Node } from '../../flow/graph.ts';
import { keyName, memberName, parentOf, unwrap } from '../files/source-file.ts';

/** `this.client`, `options.tx`: nothing computed and nothing called. */
export function chainCell(
  node: Node,
  cellOf: (node: Node) => string | undefined,
): string | undefined {
  if (node.type === 'ThisExpression') return 'this';
  if (node.type !== 'MemberExpression' || node.computed) return undefined;
  const object = operandCell(node.object, cellOf);
  const name = memberName(node);
  return object === undefined || name === undefined ? undefined : memberCell(object, name);
}

function operandCell(node: Node, cellOf: (node: Node) => string | undefined): string | undefined {
  const plain = unwrap(node);
  return plain.type === 'Identifier' ||
    plain.type === 'MemberExpression' ||
    plain.type === 'ThisExpression'
    ? cellOf(plain)
    : undefined;
}

/** The cell of a property of what a cell holds. */
export function memberCell(object: string, name: string): string {
  return `${object}.${name}`;
}

/** What a pattern takes out of an object has the cell of the member: `options.tx` in `const { tx } = options`. */
export function propertyCell(
  property: TSESTree.Property,
  cellOf: (node: Node) => string | undefined,
): string | undefined {
  const key = keyName(property.key, property.computed);
  const source = parentOf(property.parent);
  if (
    key === undefined ||
    property.parent.type !== 'ObjectPattern' ||
    source?.type !== 'VariableDeclarator' ||
    source.init === null
  )
    return undefined;
  const object = operandCell(source.init, cellOf);
  return object === undefined ? undefined : memberCell(object, key);
}

/** `count > limit`: a test of plain operands comes out the same until one of them is set. A comparison and its negation share a cell: whether the equality holds. */
export function testCell(
  { left, operator, right }: TSESTree.BinaryExpression,
  cellOf: (node: Node) => string | undefined,
): string | undefined {
  const [one, other] = [left, right].map((operand) => testedOperand(operand, cellOf));
  return one === undefined || other === undefined
    ? undefined
    : `(${one} ${operator.replace('!', '=')} ${other})`;
}

function testedOperand(
  operand: Node,
  cellOf: (node: Node) => string | undefined,
): string | undefined {
  if (operand.type === 'Literal') return operand.raw;
  const isTypeof = operand.type === 'UnaryExpression' && operand.operator === 'typeof';
  const cell = operandCell(isTypeof ? operand.argument : operand, cellOf);
  return cell !== undefined && isTypeof ? `typeof ${cell}` : cell;
}

/** Whether what a cell holds depends on a variable, itself aside: its members and the tests with it. */
export function dependsOn(cell: string, variable: string): boolean {
  const index = cell === variable ? -1 : cell.indexOf(variable);
  return (
    index !== -1 &&
    !/\d/u.test(cell.charAt(index + variable.length)) &&
    (index === 0 || cell.charAt(index - 1) === '(' || cell.charAt(index - 1) === ' ')
  );
}
