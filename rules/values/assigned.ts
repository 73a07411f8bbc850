import type { TSESTree } from '@typescript-eslint/types';
import { type Node, isClass, type CallNode } from '../syntax/node.ts';
import { oncePerTree } from '../syntax/once-per-file.ts';
import { walk } from '../syntax/preorder.ts';
import {
  findAncestor,
  keyName,
  memberName,
  parentOf,
  unwrap,
  variableOf,
  type SourceFile,
  declarationOf,
  isMember,
} from '../syntax/source-file.ts';

/** `object.name = value`, in whatever way it is written. */
export interface MemberWrite {
  readonly object: Node;
  readonly value: Node;
  /** What the value, a function, gives back is the member. */
  readonly isGetter: boolean;
}

/** The name under which writes to a key are found that is not known: `pools[key] = value`, `pools.set(key, value)`. */
export const anyMember = '[]';

interface Assigned {
  readonly byName: ReadonlyMap<string, readonly MemberWrite[]>;
  /** `Object.assign(object, source)` with a source that is not written out. */
  readonly copies: readonly { readonly object: Node; readonly source: Node }[];
  /** `mixIn(object)` at the top level. */
  readonly calls: readonly CallNode[];
}

/** What a file assigns to members of objects; it is gone through once. */
export const assignedIn = oncePerTree(index);

function index(file: SourceFile): Assigned {
  const byName = new Map<string, MemberWrite[]>();
  const copies: { object: Node; source: Node }[] = [];
  const calls: CallNode[] = [];
  const add = (name: string, write: MemberWrite): void => {
    byName.set(name, [...(byName.get(name) ?? []), write]);
  };
  walk(file, file.ast, (node) => {
    if (node.type === 'AssignmentExpression' && node.left.type === 'MemberExpression')
      add(memberName(node.left) ?? anyMember, {
        object: node.left.object,
        value: node.right,
        isGetter: false,
      });
    if (node.type !== 'CallExpression' || node.arguments.length === 0) return true;
    if (isSetter(node))
      add(anyMember, { object: node.callee.object, value: node.arguments[1], isGetter: false });
    else if (isCallOf(node, 'assign')) copies.push(...copiesOf(node));
    else if (isCallOf(node, 'defineProperty')) addDefined(node, add);
    else if (isStatementOfFile(node)) calls.push(node);
    return true;
  });
  return { byName, copies, calls };
}

function isSetter(node: CallNode): node is CallNode & {
  callee: TSESTree.MemberExpression;
  arguments: [Node, Node];
} {
  return (
    node.callee.type === 'MemberExpression' &&
    node.arguments.length === 2 &&
    memberName(node.callee) === 'set'
  );
}

function isStatementOfFile(node: Node): boolean {
  const up = parentOf(node);
  return up?.type === 'ExpressionStatement' && parentOf(up)?.type === 'Program';
}

function copiesOf({ arguments: [object, ...sources] }: CallNode): Assigned['copies'] {
  return object === undefined
    ? []
    : sources.map((source) => ({
        object,
        source: source.type === 'SpreadElement' ? source.argument : source,
      }));
}

/** `Object.assign(…)` and the like. */
function isCallOf({ callee }: CallNode, name: string): boolean {
  return (
    callee.type === 'MemberExpression' &&
    callee.object.type === 'Identifier' &&
    callee.object.name === 'Object' &&
    memberName(callee) === name
  );
}

/** `Object.defineProperty(object, 'name', { get() { … } })` */
function addDefined(
  { arguments: [object, key, descriptor] }: CallNode,
  add: (name: string, write: MemberWrite) => void,
): void {
  if (object === undefined || key?.type !== 'Literal' || descriptor?.type !== 'ObjectExpression')
    return;
  for (const property of descriptor.properties) {
    if (property.type !== 'Property') continue;
    const role = keyName(property.key, property.computed);
    if (role === 'value' || role === 'get')
      add(String(key.value), { object, value: property.value, isGetter: role === 'get' });
  }
}

/** The expressions that name what a node makes: `const db = {}`, `module.exports = class {}`, `function db() {}`. */
export function namesOf(made: Node): readonly Node[] {
  if (made.type === 'FunctionDeclaration' || made.type === 'ClassDeclaration')
    return made.id === null ? [] : [made.id];
  const names: Node[] = [];
  let node: Node = made;
  for (let up = parentOf(node); up !== undefined; up = parentOf(node)) {
    if (up.type === 'AssignmentExpression' && up.right === node) names.push(up.left);
    else if (up.type === 'VariableDeclarator') return [...names, up.id];
    else if (!handsOn.has(up.type)) return names;
    node = up;
  }
  return names;
}

const handsOn: ReadonlySet<string> = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'LogicalExpression',
]);

/** `module.exports`, `exports`, or a variable that stands for them: `const self = module.exports = {}`. */
export function isExportsObject(node: Node, file: SourceFile, depth = 0): boolean {
  const plain = unwrap(node);
  if (plain.type === 'MemberExpression')
    return memberName(plain) === 'exports' && isGlobalNamed(plain.object, 'module', file);
  if (plain.type === 'AssignmentExpression')
    return isExportsObject(plain.left, file, depth) || isExportsObject(plain.right, file, depth);
  if (plain.type !== 'Identifier') return false;
  if (isGlobalNamed(plain, 'exports', file)) return true;
  const init = initialOf(plain, file);
  return init !== undefined && depth < 3 && isExportsObject(init, file, depth + 1);
}

function isGlobalNamed(node: Node, name: string, file: SourceFile): boolean {
  return (
    node.type === 'Identifier' &&
    node.name === name &&
    (variableOf(file, node)?.defs.length ?? 0) === 0
  );
}

export function initialOf(identifier: Node, file: SourceFile): Node | undefined {
  const node = declarationOf(variableOf(file, identifier));
  return node?.type === 'VariableDeclarator' && node.id.type === 'Identifier'
    ? (node.init ?? undefined)
    : undefined;
}

/** `this`, or a variable that keeps it: `const self = this`. */
export function thisBehind(node: Node, file: SourceFile): Node | undefined {
  if (node.type === 'ThisExpression') return node;
  const initial = node.type === 'Identifier' ? initialOf(node, file) : undefined;
  return initial?.type === 'ThisExpression' ? initial : undefined;
}

/** Whether two expressions are the same name: one variable, or the same plain members of it. */
export function isSameReference(a: Node, b: Node, file: SourceFile): boolean {
  const [first, second] = [unwrap(a), unwrap(b)];
  if (first.type === 'Identifier' && second.type === 'Identifier')
    return first.name === second.name && isSameVariable(first, second, file);
  if (first.type === 'ThisExpression' && second.type === 'ThisExpression')
    return isSameThis(first, second);
  if (first.type !== 'MemberExpression' || second.type !== 'MemberExpression')
    return isExportsObject(first, file) && isExportsObject(second, file);
  const name = memberName(first);
  return (
    name !== undefined &&
    name === memberName(second) &&
    isSameReference(first.object, second.object, file)
  );
}

/** A class has a variable for itself besides the one around it, by one and the same name. */
function isSameVariable(a: Node, b: Node, file: SourceFile): boolean {
  const [first, second] = [variableOf(file, a), variableOf(file, b)];
  return (
    first === second || (first !== undefined && first.identifiers[0] === second?.identifiers[0])
  );
}

function isSameThis(a: Node, b: Node): boolean {
  const owner = findAncestor(a, isClass);
  return owner !== undefined && owner === findAncestor(b, isClass);
}

/** `Foo.prototype` gives the expression `Foo`. */
export function prototypeOwner(node: Node): Node | undefined {
  return isMember(node, 'prototype') ? node.object : undefined;
}
