import { type Node, type FunctionNode, isFunction } from '../syntax/node.ts';
import { methods, type Driver } from '../model/drivers.ts';
import { isSameReference, namesOf } from './assigned.ts';
import { isAlike, type Entity } from './entities.ts';
import { memberOfNamed } from './assigned-values.ts';
import { heldBy } from './origins.ts';
import { exportOf } from './resolve-export.ts';
import { fieldOf, staticOf } from './resolve-instance.ts';
import type { Resolver } from './resolver.ts';
import { entityOfType, shapeMember } from './resolve-type.ts';
import { oncePerFile } from '../syntax/once-per-file.ts';
import { walk } from '../syntax/preorder.ts';
import { keyName, type SourceFile } from '../syntax/source-file.ts';

/** What `object.name` stands for. */
export function memberOf(resolver: Resolver, object: Entity, name: string): Entity | undefined {
  // Classes, interfaces and objects may be made of each other.
  return 'node' in object
    ? resolver.unlessAsked(object.node, `${object.kind} ${name}`, () =>
        findMember(resolver, object, name),
      )
    : findMember(resolver, object, name);
}

function findMember(resolver: Resolver, object: Entity, name: string): Entity | undefined {
  switch (object.kind) {
    case 'driver':
      // `pg.Pool` after `import pg from 'pg'`, `import * as pg` or `require('pg')`.
      return object.name === '*' || object.name === 'default' ? { ...object, name } : undefined;
    case 'package':
      return {
        ...object,
        name: object.name === '*' || object.name === 'default' ? name : `${object.name}.${name}`,
      };
    case 'module':
      return exportOf(resolver, object.file, name);
    case 'object':
      return heldBy(
        propertyOf(resolver, object, name) ?? assignedMember(resolver, object, name),
        object.origin,
      );
    case 'instance':
      return heldBy(fieldOf(resolver, object, name), object.origin);
    case 'class':
      return staticOf(resolver, object, name) ?? assignedMember(resolver, object, name);
    case 'function':
      return assignedMember(resolver, object, name);
    case 'shape':
      return heldBy(shapeMember(resolver, object, name), object.origin);
    case 'array':
      return elementOf(resolver, object, name);
    case 'pool':
      return isMethodOf(object.driver, name) ? { kind: 'method', of: object, name } : undefined;
    default:
      return undefined;
  }
}

function isMethodOf({ acquire, queries, views, takesBack }: Driver, name: string): boolean {
  return (
    name === acquire ||
    name === methods.end ||
    name === takesBack ||
    queries.includes(name) ||
    views.includes(name)
  );
}

/** The last one wins, as in JavaScript. */
function propertyOf(
  resolver: Resolver,
  { node, file }: Entity & { kind: 'object' },
  name: string,
): Entity | undefined {
  for (const property of node.properties.toReversed()) {
    if (property.type === 'SpreadElement') {
      const spread = resolver.entityOf(property.argument, file);
      const member =
        spread === undefined || spread.kind === 'package' || spread.kind === 'driver'
          ? undefined
          : memberOf(resolver, spread, name);
      if (member !== undefined) return member;
    } else if (keyName(property.key, property.computed) === name) {
      if (property.kind === 'get' && isFunction(property.value))
        return returnedBy(resolver, { node: property.value, file });
      return resolver.entityOf(property.value, file);
    }
  }
  return undefined;
}

function elementOf(
  resolver: Resolver,
  { node, file }: Entity & { kind: 'array' },
  name: string,
): Entity | undefined {
  const position = Number(name);
  const element = node.elements[position];
  const isCounted = node.elements
    .slice(0, position + 1)
    .every((each) => each?.type !== 'SpreadElement');
  return element !== undefined && element !== null && isCounted
    ? resolver.entityOf(element, file)
    : undefined;
}

/** `db.name = value` for an object, class or function that the file calls `db`, and what is copied or mixed into it. */
function assignedMember(
  resolver: Resolver,
  { node, file }: { readonly node: Node; readonly file: SourceFile },
  name: string,
): Entity | undefined {
  const names = namesOf(node);
  return names.length === 0
    ? undefined
    : memberOfNamed(
        resolver,
        (each) => names.some((known) => isSameReference(known, each, file)),
        name,
        file,
      );
}

/** What a function gives back, when all its `return`s that are known agree on a kind. */
export function returnedBy(
  resolver: Resolver,
  { node, file }: { readonly node: FunctionNode; readonly file: SourceFile },
): Entity | undefined {
  const entities = returnedValues(file, node).map((value) => resolver.entityOf(value, file));
  // A text is known only when nothing else is given back.
  const known = entities
    .filter((entity) => entity !== undefined)
    .filter(({ kind }) => kind !== 'text' || entities.length === 1);
  const [first] = known;
  if (first !== undefined) return known.every((each) => isAlike(each, first)) ? first : undefined;
  return node.returnType ? entityOfType(resolver, node.returnType.typeAnnotation, file) : undefined;
}

const returnsByFunction = oncePerFile(() => new Map<FunctionNode, readonly Node[]>());

function returnedValues(file: SourceFile, fn: FunctionNode): readonly Node[] {
  const known = returnsByFunction(file);
  const values = known.get(fn) ?? returnsIn(file, fn);
  known.set(fn, values);
  return values;
}

function returnsIn(file: SourceFile, fn: FunctionNode): readonly Node[] {
  if (fn.body.type !== 'BlockStatement') return [fn.body];
  const values: Node[] = [];
  walk(file, fn.body, (each) => {
    if (each.type === 'ReturnStatement' && each.argument !== null) values.push(each.argument);
    return !isFunction(each);
  });
  return values;
}
