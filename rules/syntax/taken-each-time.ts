import type { TSESTree } from '@typescript-eslint/types';
import { isFunction, type FunctionNode, type Node } from './node.ts';
import { walk } from './preorder.ts';
import {
  contains,
  definitionOf,
  findAncestor,
  parentOf,
  variableOf,
  writesTo,
  type SourceFile,
} from './source-file.ts';

/** Whether control comes to a node whenever a function is called, or an object of a class is made: what was kept of an earlier time decides nothing. */
export function isTakenEachTime(node: Node, scope: Node, file: SourceFile): boolean {
  for (
    let inner = node, up = parentOf(inner);
    up !== undefined && inner !== scope;
    inner = up, up = parentOf(up)
  )
    if (isChosen(up, inner) || (up.type === 'BlockStatement' && isLeftBefore(inner, up, file)))
      return false;
  return true;
}

/** The branch is evaluated in some cases only. */
function isChosen(up: Node, branch: Node): boolean {
  switch (up.type) {
    case 'IfStatement':
    case 'ConditionalExpression':
      return up.test !== branch;
    case 'LogicalExpression':
      return up.right === branch;
    case 'AssignmentExpression':
      return up.right === branch && /^(?:\?\?|\|\||&&)=$/u.test(up.operator);
    case 'AssignmentPattern':
      return up.right === branch;
    case 'SwitchCase':
    case 'CatchClause':
    case 'WhileStatement':
    case 'DoWhileStatement':
    case 'ForStatement':
      return true;
    default:
      return false;
  }
}

function isLeftBefore(
  statement: Node,
  { body }: TSESTree.BlockStatement,
  file: SourceFile,
): boolean {
  return body
    .filter((each) => each.range[1] <= statement.range[0])
    .some((each) => mayLeave(each, file));
}

function mayLeave(statement: Node, file: SourceFile): boolean {
  let leaves = false;
  walk(file, statement, (each) => {
    leaves ||= each.type === 'ReturnStatement' && !isRefusal(each, file);
    return !leaves && !isFunction(each);
  });
  return leaves;
}

/** `if (!id) return null;`: what the caller gave is not worth the work. */
function isRefusal(exit: TSESTree.ReturnStatement, file: SourceFile): boolean {
  const fn = findAncestor(exit, isFunction);
  const choice = findAncestor(
    exit,
    (each): each is TSESTree.IfStatement => each.type === 'IfStatement',
  );
  return (
    fn !== undefined &&
    choice !== undefined &&
    contains(fn, choice) &&
    isOfArguments(choice.test, fn, file) &&
    (exit.argument === null || isFixed(exit.argument, file))
  );
}

function isOfArguments(test: Node, fn: FunctionNode, file: SourceFile): boolean {
  let isOf = true;
  walk(file, test, (each) => {
    if (each.type === 'ThisExpression' || each.type === 'CallExpression') isOf = false;
    if (each.type === 'Identifier' && !isMemberName(each)) {
      const variable = variableOf(file, each);
      const definition = definitionOf(variable);
      isOf &&=
        variable === undefined ||
        variable.defs.length === 0 ||
        (definition?.type === 'Parameter' &&
          contains(fn, definition.name as unknown as Node) &&
          writesTo(variable).length === 0);
    }
    return isOf;
  });
  return isOf;
}

function isMemberName(name: Node): boolean {
  const up = parentOf(name);
  return up?.type === 'MemberExpression' && up.property === name && !up.computed;
}

/** Nothing is named or called. */
function isFixed(value: Node, file: SourceFile): boolean {
  let isFixedValue = true;
  walk(file, value, (each) => {
    const up = parentOf(each);
    isFixedValue &&=
      each.type !== 'CallExpression' &&
      each.type !== 'ThisExpression' &&
      (each.type !== 'Identifier' ||
        each.name === 'undefined' ||
        (up?.type === 'Property' && up.key === each && !up.shorthand));
    return isFixedValue;
  });
  return isFixedValue;
}
