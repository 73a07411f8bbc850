import type { TSESTree } from '@typescript-eslint/types';
import type { FunctionNode, Node } from '../flow/graph.ts';
import { isFunction, type ClassNode, type Entity } from './entities.ts';
import { heldBy } from './origins.ts';
import { exportOf } from './resolve-export.ts';
import { instanceOfClass, type Resolver } from './resolver.ts';
import { entityOfType } from './resolve-type.ts';
import { keyName, memberName, walk, type SourceFile } from './source-file.ts';

/** What `object.name` stands for. */
export function memberOf(resolver: Resolver, object: Entity, name: string): Entity | undefined {
  switch (object.kind) {
    case 'driver':
      // `pg.Pool` after `import pg from 'pg'`, `import * as pg` or `require('pg')`.
      return object.name === '*' || object.name === 'default' ? { ...object, name } : undefined;
    case 'package':
      return { ...object, name: object.name === '*' || object.name === 'default' ? name : `${object.name}.${name}` };
    case 'module':
      return exportOf(resolver, object.file, name);
    case 'object':
      return heldBy(propertyOf(resolver, object, name), object.origin);
    case 'instance':
      return heldBy(fieldOf(resolver, object, name, false), object.origin);
    case 'class':
      return fieldOf(resolver, object, name, true);
    case 'shape':
      return heldBy(shapeMember(resolver, object, name), object.origin);
    default:
      return undefined;
  }
}

function propertyOf(resolver: Resolver, { node, file }: Entity & { kind: 'object' }, name: string): Entity | undefined {
  for (const property of node.properties) {
    if (property.type !== 'Property' || keyName(property.key, property.computed) !== name) continue;
    if (property.kind === 'get' && isFunction(property.value)) return returnedBy(resolver, { node: property.value, file });
    return resolver.entityOf(property.value, file);
  }
  return undefined;
}

function shapeMember(resolver: Resolver, { members, file }: Entity & { kind: 'shape' }, name: string): Entity | undefined {
  for (const member of members) {
    if (member.type === 'TSPropertySignature' && keyName(member.key, member.computed) === name && member.typeAnnotation) {
      return entityOfType(resolver, member.typeAnnotation.typeAnnotation, file);
    }
  }
  return undefined;
}

type Owner = { readonly node: ClassNode; readonly file: SourceFile };

/** A field, accessor or method of a class, declared, injected through the constructor, or assigned to `this`. */
function fieldOf(resolver: Resolver, owner: Owner, name: string, isStatic: boolean): Entity | undefined {
  for (const member of owner.node.body.body) {
    if ('static' in member && member.static !== isStatic) continue;
    const entity = memberEntity(resolver, member, name, owner.file);
    if (entity !== undefined) return entity;
  }
  return (isStatic ? undefined : assignedToThis(resolver, owner, name)) ?? inherited(resolver, owner, name, isStatic);
}

function memberEntity(resolver: Resolver, member: TSESTree.ClassElement, name: string, file: SourceFile): Entity | undefined {
  if (member.type === 'MethodDefinition') {
    if (member.kind === 'constructor') return parameterProperty(resolver, member.value.params, name, file);
    if (keyName(member.key, member.computed) !== name || !isFunction(member.value)) return undefined;
    return member.kind === 'get' ? returnedBy(resolver, { node: member.value, file }) : { kind: 'function', node: member.value, file };
  }
  if (member.type !== 'PropertyDefinition' || keyName(member.key, member.computed) !== name) return undefined;
  const value = member.value === null ? undefined : resolver.entityOf(member.value, file);
  return value ?? (member.typeAnnotation ? entityOfType(resolver, member.typeAnnotation.typeAnnotation, file) : undefined);
}

/** `constructor(private readonly pool: Pool)` */
function parameterProperty(resolver: Resolver, params: readonly Node[], name: string, file: SourceFile): Entity | undefined {
  for (const param of params) {
    if (param.type !== 'TSParameterProperty') continue;
    const target = param.parameter.type === 'AssignmentPattern' ? param.parameter.left : param.parameter;
    if (target.type === 'Identifier' && target.name === name) return resolver.entityOf(target, file);
  }
  return undefined;
}

const assignmentsByClass = new WeakMap<ClassNode, ReadonlyMap<string, readonly Node[]>>();

function assignedToThis(resolver: Resolver, { node, file }: Owner, name: string): Entity | undefined {
  const assignments = assignmentsByClass.get(node) ?? assignmentsIn(node, file);
  assignmentsByClass.set(node, assignments);
  for (const value of assignments.get(name) ?? []) {
    const entity = resolver.entityOf(value, file);
    if (entity !== undefined) return entity;
  }
  return undefined;
}

/** What each field of `this` is set to anywhere in the class, by the field's name. */
function assignmentsIn(node: ClassNode, file: SourceFile): ReadonlyMap<string, readonly Node[]> {
  const found = new Map<string, Node[]>();
  walk(file, node.body, (each) => {
    if (each.type !== 'AssignmentExpression' || each.left.type !== 'MemberExpression' || each.left.object.type !== 'ThisExpression') return true;
    const name = memberName(each.left);
    if (name !== undefined) found.set(name, [...(found.get(name) ?? []), each.right]);
    return true;
  });
  return found;
}

function inherited(resolver: Resolver, { node, file }: Owner, name: string, isStatic: boolean): Entity | undefined {
  const parent = node.superClass === null ? undefined : resolver.entityOf(node.superClass, file);
  if (parent?.kind !== 'class') return undefined;
  return resolver.unlessAsked(node, name, () => memberOf(resolver, isStatic ? parent : instanceOfClass(resolver, parent, undefined), name));
}

/** What a function gives back, when all its `return`s that are known agree on a kind. */
export function returnedBy(resolver: Resolver, { node, file }: { readonly node: FunctionNode; readonly file: SourceFile }): Entity | undefined {
  const entities = returnedValues(file, node).map((value) => resolver.entityOf(value, file));
  // A text is known only when nothing else is given back.
  const known = entities.filter((entity) => entity !== undefined).filter(({ kind }) => kind !== 'text' || entities.length === 1);
  const [first] = known;
  if (first !== undefined) return known.every(({ kind }) => kind === first.kind) ? first : undefined;
  return node.returnType ? entityOfType(resolver, node.returnType.typeAnnotation, file) : undefined;
}

function returnedValues(file: SourceFile, fn: FunctionNode): readonly Node[] {
  if (fn.body.type !== 'BlockStatement') return [fn.body];
  const values: Node[] = [];
  walk(file, fn.body, (each) => {
    if (each.type === 'ReturnStatement' && each.argument !== null) values.push(each.argument);
    return !isFunction(each);
  });
  return values;
}
