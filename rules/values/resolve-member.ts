import type { TSESTree } from '@typescript-eslint/types';
import { isClass, isFunction, type FunctionNode, type Node } from '../syntax/node.ts';
import { methods, type Driver } from '../model/drivers.ts';
import { isSameReference, namesOf } from './assigned.ts';
import { isAlike, type AbstractValue } from './abstract-values.ts';
import { memberOfAnyName, memberOfNamed } from './assigned-values.ts';
import { nodeAt, placeOf, placeOfPart } from './apart.ts';
import { heldBy, markMade } from './allocation-sites.ts';
import { derivedFrom } from './handles.ts';
import { exportOf } from './resolve-export.ts';
import { fieldOf, staticOf } from './resolve-instance.ts';
import type { FindInFile, Resolver } from './resolver.ts';
import { abstractValueOfType } from './resolve-type.ts';
import { shapeMember } from './shape-member.ts';
import { returnedValues } from '../syntax/returned-values.ts';
import { keyName, type SourceFile } from '../syntax/source-file.ts';

/** What `object.name` stands for. */
export function memberOf(
  resolver: Resolver,
  object: AbstractValue,
  name: string,
): AbstractValue | undefined {
  switch (object.kind) {
    case 'driver':
      // `pg.Pool` after `import pg from 'pg'`, `import * as pg` or `require('pg')`.
      if (object.name === '*' || object.name === 'default') return { ...object, name };
      return staticFactory(object, name);
    case 'package':
      return {
        ...object,
        name: object.name === '*' || object.name === 'default' ? name : `${object.name}.${name}`,
      };
    case 'module':
      return exportOf(resolver, object.file, name);
    case 'object':
    case 'instance':
    case 'shape':
      return (
        heldBy(memberInFile(resolver, object, name), object.site) ??
        derivedFrom(object, name, resolver)
      );
    case 'class':
    case 'function':
    case 'array':
      return ofItself(memberInFile(resolver, object, name), object, name, resolver);
    case 'pool':
      return isMethodOf(object.driver, name)
        ? { kind: 'method', of: object, name }
        : (derivedFrom(object, name, resolver) ?? ofOwnClass(resolver, object, name));
    case 'handle':
      return derivedFrom(object, name, resolver) ?? ofOwnClass(resolver, object, name);
    case 'keeper':
      return object.of;
    default:
      return undefined;
  }
}

/** `MikroORM.init` */
function staticFactory(
  of: AbstractValue & { kind: 'driver' },
  name: string,
): AbstractValue | undefined {
  const path = `${of.name}.${name}`;
  return of.driver.poolFactories.includes(path) ? { ...of, name: path } : undefined;
}

/** What a class of the program adds to the library's that it extends: `class Database extends PrismaClient`. */
function ofOwnClass(
  resolver: Resolver,
  { ofClass }: AbstractValue & { kind: 'pool' | 'handle' },
  name: string,
): AbstractValue | undefined {
  const file = ofClass && resolver.reader.open?.(ofClass.path);
  const node = file && nodeAt(ofClass, file);
  return node && isClass(node)
    ? memberInFile(resolver, { kind: 'instance', node, file, site: undefined }, name)
    : undefined;
}

/** What a class inherits from a library's gives objects of the class itself. */
function ofItself(
  member: AbstractValue | undefined,
  object: AbstractValue,
  name: string,
  resolver: Resolver,
): AbstractValue | undefined {
  return member === undefined || member.kind === 'giver'
    ? (derivedFrom(object, name, resolver) ?? member)
    : member;
}

type InFile = Extract<
  AbstractValue,
  { readonly kind: 'object' | 'instance' | 'shape' | 'class' | 'function' | 'array' }
>;

/** A member as the file says of it in which the object, its class or its type is written. */
function memberInFile(resolver: Resolver, object: InFile, name: string): AbstractValue | undefined {
  const { kind } = object;
  const place = placeOf(object);
  const text = `${kind} ${place.type} ${place.range.join('-')}`;
  const questionOf = (each: string): readonly [question: string, find: FindInFile] => [
    `${text} . ${each}`,
    (there, file) => {
      const node = nodeAt(place, file);
      // Classes, interfaces and objects may be made of each other.
      return there.onceNamed(node, `${kind} ${each}`, () =>
        ownMember(there, { kind, node, file, site: undefined } as InFile, each),
      );
    },
  ];
  return resolver.inFile(object.file, ...questionOf(name), {
    name: text,
    membersIn: (_, file) => keysOf(nodeAt(place, file)).map(questionOf),
  });
}

/** The names of the members that an object or a class spells. */
function keysOf(node: Node): readonly string[] {
  const members =
    node.type === 'ObjectExpression' ? node.properties : isClass(node) ? node.body.body : [];
  return members.flatMap((member) =>
    'key' in member ? (keyName(member.key, member.computed) ?? []) : [],
  );
}

function ownMember(resolver: Resolver, object: InFile, name: string): AbstractValue | undefined {
  switch (object.kind) {
    case 'object':
      return propertyOf(resolver, object, name) ?? assignedMember(resolver, object, name);
    case 'instance':
      return fieldOf(resolver, object, name);
    case 'shape':
      return shapeMember(resolver, object, name);
    case 'class':
      return staticOf(resolver, object, name) ?? assignedMember(resolver, object, name);
    case 'function':
      return assignedMember(resolver, object, name);
    case 'array':
      return elementOf(resolver, object, name);
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
  { node, file }: AbstractValue & { kind: 'object' },
  name: string,
): AbstractValue | undefined {
  for (const property of node.properties.toReversed()) {
    if (property.type === 'SpreadElement') {
      const spread = resolver.abstractValueOf(property.argument, file);
      const member =
        spread === undefined || spread.kind === 'package' || spread.kind === 'driver'
          ? undefined
          : memberOf(resolver, spread, name);
      if (member !== undefined) return member;
    } else if (keyName(property.key, property.computed) === name) {
      if (property.kind === 'get' && isFunction(property.value))
        return resolver.returnedBy({ node: property.value, file });
      return resolver.abstractValueOf(property.value, file);
    }
  }
  return undefined;
}

function elementOf(
  resolver: Resolver,
  { node, file }: AbstractValue & { kind: 'array' },
  name: string,
): AbstractValue | undefined {
  const position = Number(name);
  const element = node.elements[position];
  const isCounted = node.elements
    .slice(0, position + 1)
    .every((each) => each?.type !== 'SpreadElement');
  return element !== undefined && element !== null && isCounted
    ? resolver.abstractValueOf(element, file)
    : undefined;
}

/** `db.name = value` for an object, class or function that the file calls `db`, and what is copied or mixed into it. */
function assignedMember(
  resolver: Resolver,
  { node, file }: { readonly node: Node; readonly file: SourceFile },
  name: string,
): AbstractValue | undefined {
  const names = namesOf(node);
  if (names.length === 0) return undefined;
  const isNamed = (each: Node): boolean =>
    names.some((known) => isSameReference(known, each, file));
  return memberOfNamed(resolver, isNamed, name, file) ?? memberOfAnyName(resolver, isNamed, file);
}

/** What a function gives back, when all its `return`s that are known agree on a kind. */
export function returnedBy(resolver: Resolver, fn: KnownFunction): AbstractValue | undefined {
  const place = placeOf(fn);
  return resolver.inFile(fn.file, `${place.range.join('-')} returns`, (there, file) => {
    const node = nodeAt(place, file) as FunctionNode;
    return markMade(returnedIn(there, { node, file }), { node, file });
  });
}

interface KnownFunction {
  readonly node: FunctionNode;
  readonly file: SourceFile;
}

function returnedIn(resolver: Resolver, { node, file }: KnownFunction): AbstractValue | undefined {
  const values = returnedValues(file, node).map((value) => resolver.abstractValueOf(value, file));
  // A text is known only when nothing else is given back.
  const known = values
    .filter((abstractValue) => abstractValue !== undefined)
    .filter(({ kind }) => kind !== 'text' || values.length === 1);
  const [first] = known;
  if (first !== undefined) return known.every((each) => isAlike(each, first)) ? first : undefined;
  return node.returnType
    ? abstractValueOfType(resolver, node.returnType.typeAnnotation, file)
    : undefined;
}

/** What a call of a function gives back of which only the type is known. */
export function givenBy(
  resolver: Resolver,
  signature: AbstractValue & { kind: 'signature' },
): AbstractValue | undefined {
  const place = placeOfPart(signature, 'returns');
  return (
    place &&
    resolver.inFile(signature.file, `type ${place.range.join('-')}`, (there, file) =>
      abstractValueOfType(there, nodeAt(place, file) as TSESTree.TypeNode, file),
    )
  );
}
