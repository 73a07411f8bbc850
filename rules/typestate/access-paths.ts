import type { TSESTree } from '@typescript-eslint/types';
import type { Node } from '../syntax/node.ts';
import {
  isSymbol,
  keyName,
  memberName,
  parentOf,
  unwrap,
  variableOf,
  type SourceFile,
} from '../syntax/source-file.ts';
import type { Cell, InternCell } from './cell.ts';

type CellOf = (node: Node) => Cell | undefined;

/** Members of members beyond this are not known: nobody tests them, and a long chain would be paid with each of its parts. */
const mostMembers = 16;

/** Tells which cell an expression or pattern names, if any. */
export function createCellOf(file: SourceFile, intern: InternCell): CellOf {
  const known = new Map<Node, Cell | undefined>();
  const cellOf: CellOf = (node) => {
    const plain = unwrap(node);
    if (!known.has(plain)) known.set(plain, find(plain));
    return known.get(plain);
  };
  const find = (plain: Node): Cell | undefined => {
    switch (plain.type) {
      case 'CallExpression':
      case 'NewExpression':
        return intern({ kind: 'result', call: plain });
      case 'BinaryExpression':
        return testCell(plain, cellOf, intern);
      case 'Property':
        return propertyCell(plain, cellOf, intern);
      case 'ThisExpression':
        return intern({ kind: 'this' });
      case 'MemberExpression':
        return plain.computed && !isSymbol(plain.property)
          ? undefined
          : memberCell(operandCell(plain.object, cellOf), memberName(plain), intern);
      case 'Identifier':
        return nameCell(plain, file, intern);
      default:
        return undefined;
    }
  };
  return cellOf;
}

function nameCell(name: TSESTree.Identifier, file: SourceFile, intern: InternCell): Cell {
  const variable = variableOf(file, name);
  return variable === undefined
    ? intern({ kind: 'global', name: name.name })
    : intern({ kind: 'variable', variable });
}

/** `this.client`, `options.tx`: nothing computed and nothing called. */
function operandCell(node: Node, cellOf: CellOf): Cell | undefined {
  const plain = unwrap(node);
  return plain.type === 'Identifier' ||
    plain.type === 'MemberExpression' ||
    plain.type === 'ThisExpression'
    ? cellOf(plain)
    : undefined;
}

function memberCell(
  object: Cell | undefined,
  name: string | undefined,
  intern: InternCell,
): Cell | undefined {
  return object === undefined || name === undefined || object.parts.size >= mostMembers
    ? undefined
    : intern({ kind: 'member', object, name });
}

/** What a pattern takes out of an object has the cell of the member: `options.tx` in `const { tx } = options`. */
function propertyCell(
  property: TSESTree.Property,
  cellOf: CellOf,
  intern: InternCell,
): Cell | undefined {
  const source = parentOf(property.parent);
  return property.parent.type === 'ObjectPattern' &&
    source?.type === 'VariableDeclarator' &&
    source.init !== null
    ? memberCell(operandCell(source.init, cellOf), keyName(property.key, property.computed), intern)
    : undefined;
}

/** `count > limit`: a test of plain operands comes out the same until one of them is set. A comparison and its negation share a cell: whether the equality holds. */
function testCell(
  { left, operator, right }: TSESTree.BinaryExpression,
  cellOf: CellOf,
  intern: InternCell,
): Cell | undefined {
  const [one, other] = [left, right].map((operand) => testedOperand(operand, cellOf, intern));
  return one === undefined || other === undefined
    ? undefined
    : intern({ kind: 'test', operator: operator.replace('!', '='), left: one, right: other });
}

function testedOperand(operand: Node, cellOf: CellOf, intern: InternCell): Cell | undefined {
  if (operand.type === 'Literal') return intern({ kind: 'literal', raw: operand.raw });
  const isTypeof = operand.type === 'UnaryExpression' && operand.operator === 'typeof';
  const cell = operandCell(isTypeof ? operand.argument : operand, cellOf);
  return cell !== undefined && isTypeof ? intern({ kind: 'typeof', operand: cell }) : cell;
}
