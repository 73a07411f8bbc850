import type { TSESTree } from '@typescript-eslint/types';
import { type Node, isClass, isFunction, type ClassNode, type OwnThis } from '../syntax/node.ts';
import {
  assignedIn,
  isSameReference,
  namesOf,
  prototypeOwner,
  thisBehind,
  type MemberWrite,
} from './assigned.ts';
import { isAlike, type AbstractValue } from './abstract-values.ts';
import { placeOf } from './apart.ts';
import { firstOf } from './assigned-values.ts';
import { givenToParent } from './constructors.ts';
import { instanceOfClass } from './instance-of-class.ts';
import { asInjected } from './injected.ts';
import { asDeclared } from './resolve-collection.ts';
import { ownerOfThis } from './resolve-this.ts';
import { abstractValueOfType } from './resolve-type.ts';
import type { Resolver } from './resolver.ts';
import { keyName, type SourceFile } from '../syntax/source-file.ts';

type Owner = { readonly node: ClassNode | OwnThis; readonly file: SourceFile };

/** A field, accessor or method of an object: declared, injected through the constructor, assigned to `this`, on the prototype, inherited. */
export function fieldOf(resolver: Resolver, owner: Owner, name: string): AbstractValue | undefined {
  const declared = isClass(owner.node)
    ? declaredMember(resolver, owner.node, name, false, owner.file)
    : undefined;
  return (
    (declared && (onlyWritten(declared, owner, name, resolver) ?? declared)) ??
    firstOf(resolver, writesToThis(owner, name), owner.file) ??
    firstOf(resolver, writesToPrototype(owner, name), owner.file) ??
    inPrototypeLiteral(resolver, owner, name) ??
    inherited(resolver, owner, name, false)
  );
}

/** `private db: Pool` that one place sets to a pool from elsewhere is that pool: more than the type says. */
function onlyWritten(
  declared: AbstractValue,
  owner: Owner,
  name: string,
  resolver: Resolver,
): AbstractValue | undefined {
  if (declared.kind !== 'pool') return undefined;
  const writes = writesToThis(owner, name);
  const written = writes.length === 1 ? firstOf(resolver, writes, owner.file) : undefined;
  return written?.kind === 'pool' &&
    isAlike(written, declared) &&
    placeOf(written.site).type !== 'TSTypeReference'
    ? written
    : undefined;
}

/** A static member of a class, or a property of a function. */
export function staticOf(
  resolver: Resolver,
  owner: Owner & { readonly node: Node },
  name: string,
): AbstractValue | undefined {
  if (!isClass(owner.node)) return undefined;
  return (
    declaredMember(resolver, owner.node, name, true, owner.file) ??
    firstOf(resolver, writesToThis(owner, name, true), owner.file) ??
    inherited(resolver, owner, name, true)
  );
}

function declaredMember(
  resolver: Resolver,
  { body }: ClassNode,
  name: string,
  isStatic: boolean,
  file: SourceFile,
): AbstractValue | undefined {
  for (const member of body.body) {
    if ('static' in member && member.static !== isStatic) continue;
    const abstractValue = memberValue(resolver, member, name, file);
    if (abstractValue !== undefined) return abstractValue;
  }
  return undefined;
}

function memberValue(
  resolver: Resolver,
  member: TSESTree.ClassElement,
  name: string,
  file: SourceFile,
): AbstractValue | undefined {
  switch (member.type) {
    case 'MethodDefinition':
      if (member.kind === 'constructor')
        return parameterProperty(resolver, member.value.params, name, file);
      if (keyName(member.key, member.computed) !== name || !isFunction(member.value))
        return undefined;
      return member.kind === 'get'
        ? resolver.returnedBy({ node: member.value, file })
        : { kind: 'function', node: member.value, file };
    case 'TSAbstractMethodDefinition':
      return keyName(member.key, member.computed) === name
        ? {
            kind: 'signature',
            node: member.value,
            returns: member.value.returnType?.typeAnnotation,
            file,
          }
        : undefined;
    case 'PropertyDefinition':
    case 'AccessorProperty':
    case 'TSAbstractPropertyDefinition':
      return keyName(member.key, member.computed) === name
        ? asInjected(fieldValue(resolver, member, file), member, file, resolver)
        : undefined;
    default:
      return undefined;
  }
}

function fieldValue(
  resolver: Resolver,
  {
    value,
    typeAnnotation,
  }: {
    readonly value: Node | null;
    readonly typeAnnotation?: TSESTree.TSTypeAnnotation | undefined;
  },
  file: SourceFile,
): AbstractValue | undefined {
  const initial = value === null ? undefined : resolver.abstractValueOf(value, file);
  return asDeclared(initial, () =>
    typeAnnotation ? abstractValueOfType(resolver, typeAnnotation.typeAnnotation, file) : undefined,
  );
}

/** `constructor(private readonly pool: Pool)` */
function parameterProperty(
  resolver: Resolver,
  params: readonly Node[],
  name: string,
  file: SourceFile,
): AbstractValue | undefined {
  for (const param of params) {
    if (param.type !== 'TSParameterProperty') continue;
    const target =
      param.parameter.type === 'AssignmentPattern' ? param.parameter.left : param.parameter;
    if (target.type === 'Identifier' && target.name === name)
      return resolver.abstractValueOf(target, file);
  }
  return undefined;
}

/** `this.name = value` in the class or constructor function, or in a method that is assigned to its prototype. */
function writesToThis(owner: Owner, name: string, isStatic = false): readonly MemberWrite[] {
  return (assignedIn(owner.file).byName.get(name) ?? []).filter(({ object }) => {
    const self = thisBehind(object, owner.file);
    const enclosing = self === undefined ? undefined : ownerOfThis(self);
    if (enclosing?.kind === 'receiver') return !isStatic && isPrototypeOf(enclosing.node, owner);
    if (enclosing?.kind === 'class')
      return enclosing.node === owner.node && enclosing.isStatic === isStatic;
    return enclosing?.kind === 'constructor' && enclosing.node === owner.node;
  });
}

function writesToPrototype(owner: Owner, name: string): readonly MemberWrite[] {
  return (assignedIn(owner.file).byName.get(name) ?? []).filter(({ object }) =>
    isPrototypeOf(object, owner),
  );
}

/** `Foo.prototype`, seen from the class or function Foo. */
function isPrototypeOf(target: Node, { node, file }: Owner): boolean {
  const named = prototypeOwner(target);
  return named !== undefined && namesOf(node).some((name) => isSameReference(name, named, file));
}

/** `Foo.prototype = { … }` and `Object.assign(Foo.prototype, { … })` */
function inPrototypeLiteral(
  resolver: Resolver,
  owner: Owner,
  name: string,
): AbstractValue | undefined {
  const { byName, copies } = assignedIn(owner.file);
  const named = (byName.get('prototype') ?? []).filter(({ object }) =>
    namesOf(owner.node).some((each) => isSameReference(each, object, owner.file)),
  );
  const literals = [
    ...named.map(({ value }) => value),
    ...copies.filter(({ object }) => isPrototypeOf(object, owner)).map(({ source }) => source),
  ];
  for (const literal of literals) {
    const abstractValue = resolver.abstractValueOf(literal, owner.file);
    const member =
      abstractValue?.kind === 'object' ? resolver.memberOf(abstractValue, name) : undefined;
    if (member !== undefined) return member;
  }
  return undefined;
}

function inherited(
  resolver: Resolver,
  owner: Owner,
  name: string,
  isStatic: boolean,
): AbstractValue | undefined {
  const parent = parentOfClass(resolver, owner);
  if (parent === undefined || (parent.kind !== 'class' && isStatic)) return undefined;
  if (parent.kind === 'class') {
    if (isStatic) return resolver.memberOf(parent, name);
    const { node, file } = owner;
    return (
      (isClass(node) ? givenToParent(resolver, { node, file }, parent, name) : undefined) ??
      resolver.memberOf(instanceOfClass(resolver, parent, undefined), name)
    );
  }
  return parent.node.type === 'ArrowFunctionExpression'
    ? undefined
    : resolver.memberOf(
        { kind: 'instance', node: parent.node, file: parent.file, site: undefined },
        name,
      );
}

/** `extends Parent`, `util.inherits(Child, Parent)`, `Child.prototype = Object.create(Parent.prototype)` */
function parentOfClass(
  resolver: Resolver,
  { node, file }: Owner,
): (AbstractValue & { kind: 'class' | 'function' }) | undefined {
  const expression = isClass(node) ? (node.superClass ?? undefined) : inheritedByCall(node, file);
  const parent = expression === undefined ? undefined : resolver.abstractValueOf(expression, file);
  return parent?.kind === 'class' || parent?.kind === 'function' ? parent : undefined;
}

function inheritedByCall(node: Node, file: SourceFile): Node | undefined {
  const { byName, calls } = assignedIn(file);
  const isNamed = (each: Node | undefined): boolean =>
    each !== undefined && namesOf(node).some((name) => isSameReference(name, each, file));
  const call = calls.find(
    ({ callee, arguments: [child] }) =>
      /(?:^|\.)inherits$/u.test(file.text.slice(...callee.range)) && isNamed(child),
  );
  if (call?.arguments[1] !== undefined) return call.arguments[1];
  const created = (byName.get('prototype') ?? []).find(({ object }) => isNamed(object))?.value;
  const parentPrototype = created?.type === 'CallExpression' ? created.arguments[0] : undefined;
  return parentPrototype === undefined ? undefined : prototypeOwner(parentPrototype);
}
