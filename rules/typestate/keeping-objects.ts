import type { TSESTree } from '@typescript-eslint/types';
import { isFunction, type ClassNode, type Node } from '../syntax/node.ts';
import { someIn, walk } from '../syntax/preorder.ts';
import {
  findAncestor,
  memberName,
  parentOf,
  variableOf,
  type SourceFile,
} from '../syntax/source-file.ts';
import { useOf } from '../syntax/uses.ts';
import type { Resolver } from '../values/resolver.ts';

/**
 * Whether an object keeps a client that its constructor is given where only its own methods ask it for something: then nobody else can
 * give it back, and the object does so by itself at no time, only when one of its methods is called.
 */
export function keepsToItself(
  { callee }: TSESTree.NewExpression,
  index: number,
  from: SourceFile,
  resolver: Resolver,
): boolean {
  const abstractValue = resolver.abstractValueOf(callee, from);
  if (abstractValue?.kind !== 'class' || abstractValue.node.superClass !== null) return false;
  const { node, file } = abstractValue;
  const constructor = constructorOf(node);
  const field = constructor && fieldOf(constructor, index);
  return (
    constructor !== undefined &&
    field !== undefined &&
    !hasFunction(constructor, file) &&
    !isReferencedBare(constructor, index, file) &&
    membersOfThis(node, file).every((name) => isOnlyAsked(name, field))
  );
}

function constructorOf({ body }: ClassNode): Node | undefined {
  return body.body.find(
    (member): member is TSESTree.MethodDefinition =>
      member.type === 'MethodDefinition' && member.kind === 'constructor',
  )?.value;
}

/** `constructor(private readonly client: PoolClient)`: what others may read, they may release. */
function fieldOf(constructor: Node, index: number): string | undefined {
  const parameter = 'params' in constructor ? constructor.params[index] : undefined;
  return parameter?.type === 'TSParameterProperty' &&
    parameter.accessibility !== 'public' &&
    parameter.accessibility !== undefined &&
    parameter.parameter.type === 'Identifier'
    ? parameter.parameter.name
    : undefined;
}

function hasFunction(constructor: Node, file: SourceFile): boolean {
  return someIn(file, constructor, (node) => node !== constructor && isFunction(node));
}

/** The constructor does something with its parameter besides. */
function isReferencedBare(constructor: Node, index: number, file: SourceFile): boolean {
  const parameter = 'params' in constructor ? constructor.params[index] : undefined;
  const name = parameter?.type === 'TSParameterProperty' ? parameter.parameter : undefined;
  const variable = variableOf(file, name);
  return (variable?.references.length ?? 0) > 0;
}

/** Each `this` of a class, with what stands around it. */
function membersOfThis(node: ClassNode, file: SourceFile): readonly Node[] {
  const found: Node[] = [];
  walk(file, node.body, (each) => {
    if (each.type === 'ThisExpression') found.push(each);
    return true;
  });
  return found;
}

/** `this.other`, or `this.client.query(…)`: neither the object nor its client goes anywhere. */
function isOnlyAsked(self: Node, field: string): boolean {
  const member = parentOf(self);
  if (member?.type !== 'MemberExpression' || member.object !== self || member.computed)
    return false;
  if (memberName(member) !== field) return true;
  const use = useOf(member);
  return use.kind === 'receiver' && use.call !== null && !isListener(self);
}

/** A function inside of a method may run at any time. */
function isListener(self: Node): boolean {
  const fn = findAncestor(self, isFunction);
  const enclosing = fn && parentOf(fn);
  return enclosing?.type !== 'MethodDefinition' && enclosing?.type !== 'PropertyDefinition';
}
