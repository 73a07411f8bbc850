import type { Node } from '../../syntax/node.ts';
import { walk } from '../../syntax/preorder.ts';
import {
  contains,
  definitionOf,
  memberName,
  parentOf,
  variableOf,
  writesTo,
  type SourceFile,
  type Variable,
} from '../../syntax/source-file.ts';

/** Functions whose result depends on nothing but their arguments, or on files. */
const plainCalls =
  /^(?:Number|String|Boolean|parseInt|parseFloat|(?:\w+\.)?(?:readFileSync|join|resolve|toString|trim|replace|toLowerCase|encodeURIComponent))$|^encodeURIComponent$|^new URL$/u;

const maximalDepth = 5;

/** True when nothing that is known only inside of `scope` has a part in what the nodes evaluate to: they mean the same each time. */
export function isTheSameEachTime(
  nodes: readonly Node[],
  scope: Node,
  file: SourceFile,
  depth = 0,
): boolean {
  return nodes.every((node) => {
    let isSame = true;
    walk(file, node, (each) => {
      isSame &&= isPlain(each, scope, file, depth);
      return isSame;
    });
    return isSame;
  });
}

function isPlain(node: Node, scope: Node, file: SourceFile, depth: number): boolean {
  switch (node.type) {
    case 'ThisExpression':
    case 'AwaitExpression':
    case 'YieldExpression':
      return false;
    case 'CallExpression':
      return plainCalls.test(calledName(node.callee));
    case 'Identifier':
      return isNameOnly(node) || isPlainVariable(variableOf(file, node), scope, file, depth);
    default:
      return true;
  }
}

function calledName(callee: Node): string {
  if (callee.type === 'Identifier') return callee.name;
  return callee.type === 'MemberExpression' ? (memberName(callee) ?? '') : '';
}

function isNameOnly(identifier: Node): boolean {
  const up = parentOf(identifier);
  return (
    (up?.type === 'MemberExpression' && up.property === identifier && !up.computed) ||
    (up?.type === 'Property' && up.key === identifier && !up.computed && !up.shorthand)
  );
}

/** A variable from outside of the scope that is set once, or one inside that is made of such. */
function isPlainVariable(
  variable: Variable | undefined,
  scope: Node,
  file: SourceFile,
  depth: number,
): boolean {
  const definition = definitionOf(variable);
  if (variable === undefined || variable.defs.length === 0) return true;
  if (definition === undefined || writesTo(variable).length > 0) return false;
  if (!contains(scope, definition.name as unknown as Node)) return definition.type !== 'Parameter';
  const declarator = definition.node as Node;
  if (
    declarator.type !== 'VariableDeclarator' ||
    declarator.init === null ||
    declarator.id.type !== 'Identifier' ||
    depth >= maximalDepth
  )
    return false;
  return isTheSameEachTime([declarator.init], scope, file, depth + 1);
}
