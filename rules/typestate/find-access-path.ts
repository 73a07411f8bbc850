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
import type { AccessPath, InternAccessPath } from './access-path.ts';

type AccessPathOf = (node: Node) => AccessPath | undefined;

/** Members of members beyond this are not known: nobody tests them, and a long chain would be paid with each of its parts. */
const mostMembers = 16;

/** Tells which access path an expression or pattern names, if any. */
export function createAccessPathOf(file: SourceFile, intern: InternAccessPath): AccessPathOf {
  const known = new Map<Node, AccessPath | undefined>();
  const accessPathOf: AccessPathOf = (node) => {
    const plain = unwrap(node);
    if (!known.has(plain)) known.set(plain, find(plain));
    return known.get(plain);
  };
  const find = (plain: Node): AccessPath | undefined => {
    switch (plain.type) {
      case 'CallExpression':
      case 'NewExpression':
        return intern({ kind: 'result', call: plain });
      case 'BinaryExpression':
        return testPath(plain, accessPathOf, intern);
      case 'Property':
        return propertyPath(plain, accessPathOf, intern);
      case 'ThisExpression':
        return intern({ kind: 'this' });
      case 'MemberExpression':
        return plain.computed && !isSymbol(plain.property)
          ? undefined
          : memberPath(operandPath(plain.object, accessPathOf), memberName(plain), intern);
      case 'Identifier':
        return namePath(plain, file, intern);
      default:
        return undefined;
    }
  };
  return accessPathOf;
}

function namePath(
  name: TSESTree.Identifier,
  file: SourceFile,
  intern: InternAccessPath,
): AccessPath {
  const variable = variableOf(file, name);
  return variable === undefined
    ? intern({ kind: 'global', name: name.name })
    : intern({ kind: 'variable', variable });
}

/** `this.client`, `options.tx`: nothing computed and nothing called. */
function operandPath(node: Node, accessPathOf: AccessPathOf): AccessPath | undefined {
  const plain = unwrap(node);
  return plain.type === 'Identifier' ||
    plain.type === 'MemberExpression' ||
    plain.type === 'ThisExpression'
    ? accessPathOf(plain)
    : undefined;
}

function memberPath(
  object: AccessPath | undefined,
  name: string | undefined,
  intern: InternAccessPath,
): AccessPath | undefined {
  return object === undefined || name === undefined || object.parts.size >= mostMembers
    ? undefined
    : intern({ kind: 'member', object, name });
}

/** What a pattern takes out of an object has the access path of the member: `options.tx` in `const { tx } = options`. */
function propertyPath(
  property: TSESTree.Property,
  accessPathOf: AccessPathOf,
  intern: InternAccessPath,
): AccessPath | undefined {
  const source = parentOf(property.parent);
  return property.parent.type === 'ObjectPattern' &&
    source?.type === 'VariableDeclarator' &&
    source.init !== null
    ? memberPath(
        operandPath(source.init, accessPathOf),
        keyName(property.key, property.computed),
        intern,
      )
    : undefined;
}

/** `count > limit`: a test of plain operands comes out the same until one of them is set. A comparison and its negation share an access path: whether the equality holds. */
function testPath(
  { left, operator, right }: TSESTree.BinaryExpression,
  accessPathOf: AccessPathOf,
  intern: InternAccessPath,
): AccessPath | undefined {
  const [one, other] = [left, right].map((operand) => testedOperand(operand, accessPathOf, intern));
  return one === undefined || other === undefined
    ? undefined
    : intern({ kind: 'test', operator: operator.replace('!', '='), left: one, right: other });
}

function testedOperand(
  operand: Node,
  accessPathOf: AccessPathOf,
  intern: InternAccessPath,
): AccessPath | undefined {
  if (operand.type === 'Literal') return intern({ kind: 'literal', raw: operand.raw });
  const isTypeof = operand.type === 'UnaryExpression' && operand.operator === 'typeof';
  const accessPath = operandPath(isTypeof ? operand.argument : operand, accessPathOf);
  return accessPath !== undefined && isTypeof
    ? intern({ kind: 'typeof', operand: accessPath })
    : accessPath;
}
