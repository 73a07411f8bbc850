import type { TSESTree } from '@typescript-eslint/types';
import { isFunction, type FunctionNode, type Node } from './node.ts';
import { someIn, walk } from './preorder.ts';
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
  return isTaken(
    node,
    scope,
    () => false,
    (each) => !mayLeave(each, file),
  );
}

/** The same as far as tests show that ask for what is kept: `if (!isReady) …`, `if (done.has(key)) return;`. */
export function isAskedOfKept(node: Node, scope: Node, file: SourceFile): boolean {
  return !isTaken(
    node,
    scope,
    (test) => !asksKept(test, scope, file),
    (each) =>
      each.type !== 'IfStatement' || !asksKept(each.test, scope, file) || !leaves(each, file),
  );
}

/** `isFree` says which tests decide nothing, and `isPassed` which statements before it. */
function isTaken(
  node: Node,
  scope: Node,
  isFree: (test: Node) => boolean,
  isPassed: (statement: Node) => boolean,
): boolean {
  for (
    let inner = node, up = parentOf(inner);
    up !== undefined && inner !== scope;
    inner = up, up = parentOf(up)
  ) {
    const test = testOf(up, inner);
    if (test !== undefined && !isFree(test)) return false;
    if (up.type === 'BlockStatement' && !statementsBefore(inner, up).every(isPassed)) return false;
  }
  return true;
}

function statementsBefore(statement: Node, { body }: TSESTree.BlockStatement): readonly Node[] {
  return body.filter((each) => each.range[1] <= statement.range[0]);
}

/** What decides whether a branch is evaluated; undefined where it always is, or once for each of several. */
function testOf(up: Node, branch: Node): Node | undefined {
  switch (up.type) {
    case 'IfStatement':
    case 'ConditionalExpression':
      return up.test === branch ? undefined : up.test;
    case 'LogicalExpression':
    case 'AssignmentPattern':
      return up.right === branch ? up.left : undefined;
    case 'AssignmentExpression':
      return up.right === branch && /^(?:\?\?|\|\||&&)=$/u.test(up.operator) ? up.left : undefined;
    case 'SwitchCase':
      return up.parent.discriminant;
    case 'CatchClause':
    case 'WhileStatement':
    case 'DoWhileStatement':
    case 'ForStatement':
      return up;
    default:
      return undefined;
  }
}

/** Something that was there before, and that somebody changes. */
function asksKept(test: Node, scope: Node, file: SourceFile): boolean {
  if (/^(?:Catch|While|DoWhile|For)/u.test(test.type)) return false;
  return someIn(
    file,
    test,
    (each) =>
      each.type === 'ThisExpression' ||
      (each.type === 'Identifier' && !isMemberName(each) && isKept(each, scope, file)),
  );
}

function isKept(name: Node, scope: Node, file: SourceFile): boolean {
  const variable = variableOf(file, name);
  const definition = definitionOf(variable);
  if (variable === undefined || definition === undefined)
    return name.type === 'Identifier' && name.name === 'globalThis';
  if (contains(scope, definition.name as unknown as Node))
    return initialOf(definition.node as Node).some((value) => asksKept(value, scope, file));
  return (
    writesTo(variable).length > 0 ||
    initialOf(definition.node as Node).some(({ type }) =>
      /^(?:New|Object|Array)Expression$/u.test(type),
    )
  );
}

function initialOf(declarator: Node): readonly Node[] {
  return declarator.type === 'VariableDeclarator' && declarator.init !== null
    ? [declarator.init]
    : [];
}

function leaves(statement: Node, file: SourceFile): boolean {
  return someIn(file, statement, (each) => each.type === 'ReturnStatement', isFunction);
}

function mayLeave(statement: Node, file: SourceFile): boolean {
  return someIn(
    file,
    statement,
    (each) => each.type === 'ReturnStatement' && !isRefusal(each, file),
    isFunction,
  );
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
