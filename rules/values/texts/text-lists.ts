import type { TSESTree } from '@typescript-eslint/types';
import type { Node, CallNode } from '../../syntax/node.ts';
import { listNamed } from '../elements.ts';
import {
  definitionOf,
  memberName,
  parentOf,
  unwrap,
  variableOf,
  writesTo,
  type SourceFile,
  type Variable,
} from '../../syntax/source-file.ts';

/** The elements of an array that is written out. */
export interface Elements {
  readonly nodes: readonly Node[];
  /** The calls that put something before them later. */
  readonly inFront: readonly CallNode[];
  /** The calls that put something behind them later. */
  readonly added: readonly CallNode[];
}

/** What an expression stands for one after the other: in `for (const text of texts)`, in `texts.map((text) => …)` and as `texts[index]`. */
export function elementsBehind(node: Node, file: SourceFile): readonly Node[] | undefined {
  const list = listBehind(unwrap(node), file);
  return list && elementsIn(list, file);
}

/** The elements of a list in their order. */
export function elementsIn(list: Node, file: SourceFile): readonly Node[] | undefined {
  const elements = elementsOf(list, file);
  if (elements === undefined) return undefined;
  const { inFront, nodes, added } = elements;
  const givenTo = (calls: readonly CallNode[]): readonly Node[] =>
    calls.flatMap((call) => call.arguments);
  return [...givenTo(inFront), ...nodes, ...givenTo(added)];
}

/** The list whose elements an expression stands for one after the other. */
export function listBehind(plain: Node, file: SourceFile): Node | undefined {
  if (plain.type === 'MemberExpression')
    return plain.computed && plain.property.type !== 'Literal' ? plain.object : undefined;
  const variable = variableOf(file, plain);
  const definition = definitionOf(variable);
  if (variable === undefined || definition === undefined || writesTo(variable).length > 0)
    return undefined;
  if (definition.type === 'Parameter') return listNamed(definition.name as unknown as Node);
  const declarator = definition.node as unknown as Node;
  return declarator.type === 'VariableDeclarator' && declarator.id.type === 'Identifier'
    ? listNamed(declarator)
    : undefined;
}

/** Undefined where something may be left out or come between. */
export function elementsOf(list: Node, file: SourceFile): Elements | undefined {
  const plain = unwrap(list);
  if (plain.type === 'ArrayExpression') return { nodes: writtenIn(plain), inFront: [], added: [] };
  const variable = variableOf(file, plain);
  return variable === undefined ? undefined : elementsOfVariable(variable);
}

function writtenIn(array: TSESTree.ArrayExpression): readonly Node[] {
  return array.elements.filter((element) => element !== null);
}

function elementsOfVariable(variable: Variable): Elements | undefined {
  const definition = definitionOf(variable);
  const { init = null } =
    definition?.type === 'Variable'
      ? (definition.node as unknown as TSESTree.VariableDeclarator)
      : {};
  const array = init === null ? undefined : unwrap(init);
  if (array?.type !== 'ArrayExpression' || writesTo(variable).length > 0) return undefined;
  const uses = variable.references
    .filter((reference) => !reference.isWrite())
    .map(({ identifier }) => useOfList(identifier as unknown as Node));
  if (uses.includes('changed')) return undefined;
  const calls = uses.filter((use) => typeof use === 'object');
  const isInFront = ({ callee }: CallNode): boolean => memberName(callee) === 'unshift';
  return {
    nodes: writtenIn(array),
    inFront: calls.filter(isInFront),
    added: calls.filter((call) => !isInFront(call)),
  };
}

const changing: ReadonlySet<string | undefined> = new Set([
  'copyWithin',
  'fill',
  'pop',
  'reverse',
  'shift',
  'sort',
  'splice',
]);

/** What becomes of an array where it is referenced; the call that puts something at one of its ends, if that is all. */
function useOfList(excerpt: Node): CallNode | 'changed' | undefined {
  const member = parentOf(excerpt);
  if (member?.type !== 'MemberExpression' || member.object !== excerpt) return undefined;
  const up = parentOf(member);
  if (up?.type === 'AssignmentExpression' && up.left === member) return 'changed';
  const name = memberName(member);
  if (changing.has(name)) return 'changed';
  const isPut = name === 'push' || name === 'unshift';
  return isPut && up?.type === 'CallExpression' ? up : undefined;
}
