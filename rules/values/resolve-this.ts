import type { TSESTree } from '@typescript-eslint/types';
import { type Node, isClass, type ClassNode, type OwnThis } from '../syntax/node.ts';
import { prototypeOwner } from './assigned.ts';
import type { AbstractValue } from './abstract-values.ts';
import { instanceOfClass } from './instance-of-class.ts';
import type { Resolver } from './resolver.ts';
import { memberName, parentOf, type SourceFile } from '../syntax/source-file.ts';

/** What `this` is: an object of the class or constructor around it, a class, an object literal, an object that got the function. */
export function valueOfThis(
  resolver: Resolver,
  node: Node,
  file: SourceFile,
): AbstractValue | undefined {
  const owner = ownerOfThis(node);
  switch (owner?.kind) {
    case 'class':
      return ofClass(resolver, owner, file);
    case 'object':
      return (
        prototypeValue(resolver, owner.node, file) ?? {
          kind: 'object',
          node: owner.node,
          file,
          site: undefined,
        }
      );
    case 'receiver':
      return (
        instanceOfPrototype(resolver, owner.node, file) ??
        resolver.abstractValueOf(owner.node, file)
      );
    case 'constructor':
      return { kind: 'instance', node: owner.node, file, site: undefined };
    default:
      return undefined;
  }
}

/** An object of a class that extends a library's handle is that handle: `class Database extends PrismaClient`. */
function ofClass(
  resolver: Resolver,
  { node, isStatic }: Owner & { kind: 'class' },
  file: SourceFile,
): AbstractValue {
  const known = { node, file, site: undefined };
  if (isStatic) return { kind: 'class', ...known };
  if (node.superClass === null) return { kind: 'instance', ...known };
  const own = instanceOfClass(resolver, { kind: 'class', ...known }, undefined);
  return own.kind === 'handle' ? own : { kind: 'instance', ...known };
}

type Owner =
  | { readonly kind: 'class'; readonly node: ClassNode; readonly isStatic: boolean }
  | { readonly kind: 'object'; readonly node: TSESTree.ObjectExpression }
  /** The function was assigned to a member of this. */
  | { readonly kind: 'receiver'; readonly node: Node }
  | { readonly kind: 'constructor'; readonly node: OwnThis };

export function ownerOfThis(node: Node): Owner | undefined {
  for (let each = parentOf(node); each !== undefined; each = parentOf(each)) {
    if (each.type === 'PropertyDefinition' || each.type === 'StaticBlock')
      return enclosingClass(each, each.type === 'StaticBlock' || each.static);
    if (
      each.type === 'FunctionDeclaration' ||
      (each.type === 'FunctionExpression' && !keepsThis(each))
    )
      return ownerOfFunction(each);
  }
  return undefined;
}

/** A callback has, in what people write, the `this` of the code around it: it is bound, or the library sees to it. */
function keepsThis(fn: Node): boolean {
  const up = parentOf(fn);
  if (up?.type === 'CallExpression' && up.callee !== fn) return true;
  const call = up !== undefined && memberName(up) === 'bind' ? parentOf(up) : undefined;
  return call?.type === 'CallExpression' && call.arguments[0]?.type === 'ThisExpression';
}

function ownerOfFunction(fn: OwnThis): Owner {
  const up = parentOf(fn);
  switch (up?.type) {
    case 'MethodDefinition':
    case 'PropertyDefinition':
      return enclosingClass(up, up.static) ?? { kind: 'constructor', node: fn };
    case 'Property':
      return up.parent.type === 'ObjectExpression'
        ? { kind: 'object', node: up.parent }
        : { kind: 'constructor', node: fn };
    case 'AssignmentExpression':
      return up.left.type === 'MemberExpression'
        ? { kind: 'receiver', node: up.left.object }
        : { kind: 'constructor', node: fn };
    default:
      return { kind: 'constructor', node: fn };
  }
}

function enclosingClass(member: Node, isStatic: boolean): Owner | undefined {
  const node = parentOf(parentOf(member) ?? member);
  return node !== undefined && isClass(node) ? { kind: 'class', node, isStatic } : undefined;
}

/** `Foo.prototype = { … }` and `Object.assign(Foo.prototype, { … })` */
function prototypeValue(
  resolver: Resolver,
  literal: Node,
  file: SourceFile,
): AbstractValue | undefined {
  const up = parentOf(literal);
  const target =
    up?.type === 'AssignmentExpression'
      ? up.left
      : up?.type === 'CallExpression'
        ? up.arguments[0]
        : undefined;
  return target === undefined || target === literal
    ? undefined
    : instanceOfPrototype(resolver, target, file);
}

/** An object that has `Foo.prototype` as its prototype. */
function instanceOfPrototype(
  resolver: Resolver,
  target: Node,
  file: SourceFile,
): AbstractValue | undefined {
  const owner = prototypeOwner(target);
  const value = owner === undefined ? undefined : resolver.abstractValueOf(owner, file);
  if (value?.kind !== 'class' && value?.kind !== 'function') return undefined;
  if (value.node.type === 'ArrowFunctionExpression') return undefined;
  return { kind: 'instance', node: value.node, file: value.file, site: undefined };
}
