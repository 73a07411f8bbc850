import type { TSESTree } from '@typescript-eslint/types';
import { type Node, isClass } from '../syntax/node.ts';
import type { Driver } from '../model/drivers.ts';
import type { AbstractValue, AllocationSite } from './abstract-values.ts';
import { withSite } from './allocation-sites.ts';
import { handleAmong, handleOfType } from './handles.ts';
import { instanceOfClass } from './instance-of-class.ts';
import type { Resolver } from './resolver.ts';
import {
  topLevelVariable,
  variableOf,
  type SourceFile,
  type Variable,
} from '../syntax/source-file.ts';

/** What a value of this type is: types are read from the syntax, without a type checker. What is declared with it comes from there. */
export function abstractValueOfType(
  resolver: Resolver,
  type: TSESTree.TypeNode,
  file: SourceFile,
): AbstractValue | undefined {
  return resolver.once(type, () => withSite(valueOf(resolver, type, file), type, file));
}

function valueOf(
  resolver: Resolver,
  type: TSESTree.TypeNode,
  file: SourceFile,
): AbstractValue | undefined {
  switch (type.type) {
    case 'TSTypeReference':
      return (
        builtInGeneric(resolver, type, file) ??
        valueOfType(typeName(resolver, type.typeName, file), resolver, {
          node: type,
          file,
          holder: undefined,
        })
      );
    case 'TSUnionType':
      return valueOfUnion(resolver, type, file);
    case 'TSArrayType':
      return { kind: 'collection', of: type.elementType, file };
    case 'TSIntersectionType':
      return valueOfIntersection(resolver, type, file);
    case 'TSTypeLiteral':
      return { kind: 'shape', node: type, file, site: undefined };
    case 'TSImportType':
      return importType(resolver, type, file);
    case 'TSTypeQuery':
      return type.exprName.type === 'Identifier'
        ? namedValue(resolver, type.exprName, file)
        : undefined;
    case 'TSFunctionType':
      return { kind: 'signature', node: type, returns: type.returnType?.typeAnnotation, file };
    case 'TSTypeOperator':
      return type.typeAnnotation === undefined
        ? undefined
        : abstractValueOfType(resolver, type.typeAnnotation, file);
    default:
      return undefined;
  }
}

/** Generic types whose value is, for our purposes, a value of their argument. */
const transparent: ReadonlySet<string> = new Set([
  'Promise',
  'PromiseLike',
  'Readonly',
  'Awaited',
  'NonNullable',
  'Required',
  'Partial',
  'Pick',
  'Omit',
]);

/** Generic types that hold values of their last argument. */
const collections: ReadonlySet<string> = new Set([
  'Map',
  'ReadonlyMap',
  'WeakMap',
  'Record',
  'Array',
  'ReadonlyArray',
]);

function builtInGeneric(
  resolver: Resolver,
  { typeName: name, typeArguments }: TSESTree.TSTypeReference,
  file: SourceFile,
): AbstractValue | undefined {
  const [first] = typeArguments?.params ?? [];
  if (name.type !== 'Identifier' || first === undefined) return undefined;
  if (transparent.has(name.name)) return abstractValueOfType(resolver, first, file);
  return collections.has(name.name)
    ? { kind: 'collection', of: typeArguments?.params.at(-1) ?? first, file }
    : undefined;
}

/** `Pool | undefined` is a pool; `Pool | PoolClient` is one or the other; of several shapes, what only one of them has is known. */
function valueOfUnion(
  resolver: Resolver,
  type: TSESTree.TSUnionType,
  file: SourceFile,
): AbstractValue | undefined {
  const present = type.types.filter(
    (each) => each.type !== 'TSNullKeyword' && each.type !== 'TSUndefinedKeyword',
  );
  const [only] = present;
  if (present.length === 1 && only !== undefined) return abstractValueOfType(resolver, only, file);
  const parts = present.map((each) => abstractValueOfType(resolver, each, file));
  const pool = parts.find((part) => part?.kind === 'pool');
  if (pool?.kind === 'pool')
    return parts.every((part) => part?.kind === 'pool' || part?.kind === 'client')
      ? { kind: 'either', pool }
      : undefined;
  const isShape = parts.some((part) => part?.kind === 'instance' || part?.kind === 'shape');
  return isShape ? { kind: 'shape', node: type, file, site: undefined } : handleAmong(parts);
}

/** A pool with more to it is a pool; shapes together have the members of all. */
function valueOfIntersection(
  resolver: Resolver,
  type: TSESTree.TSIntersectionType,
  file: SourceFile,
): AbstractValue | undefined {
  const parts = type.types.map((each) => abstractValueOfType(resolver, each, file));
  const whole = parts.find((part) => part !== undefined && part.kind !== 'shape');
  return (
    whole ??
    (parts.some((part) => part !== undefined)
      ? { kind: 'shape', node: type, file, site: undefined }
      : undefined)
  );
}

function importType(
  resolver: Resolver,
  { source, qualifier }: TSESTree.TSImportType,
  file: SourceFile,
): AbstractValue | undefined {
  if (source.type !== 'Literal' || qualifier?.type !== 'Identifier') return undefined;
  return valueOfTypeName(resolver, [qualifier.name], String(source.value), source, file);
}

/** What a value is whose type is spelled as a path of names, in the module that is given or in the file's own scope. */
function valueOfTypeName(
  resolver: Resolver,
  [first = '', ...rest]: readonly string[],
  module: string | undefined,
  at: Node,
  file: SourceFile,
): AbstractValue | undefined {
  const start =
    module === undefined
      ? typeOf(resolver, topLevelVariable(file, first), file)
      : resolver.importedFrom(module, first, file);
  const type = rest.reduce<AbstractValue | undefined>(
    (abstractValue, name) =>
      abstractValue === undefined ? undefined : resolver.memberOf(abstractValue, name),
    start,
  );
  return withSite(valueOfType(type, resolver, { node: at, file, holder: undefined }), at, file);
}

/** The abstract value that a type's name names: a class, an interface, an export of a driver. */
function typeName(
  resolver: Resolver,
  name: TSESTree.EntityName,
  file: SourceFile,
): AbstractValue | undefined {
  if (name.type === 'TSQualifiedName') {
    const left = typeName(resolver, name.left, file);
    return left === undefined ? undefined : resolver.memberOf(left, name.right.name);
  }
  return name.type === 'Identifier'
    ? typeOf(resolver, variableOf(file, name) ?? topLevelVariable(file, name.name), file)
    : undefined;
}

/** What the type of a name stands for; a name may be both a type and a value. */
export function typeOf(
  resolver: Resolver,
  variable: Variable | undefined,
  file: SourceFile,
): AbstractValue | undefined {
  for (const { node: definition } of variable?.defs ?? []) {
    const node = definition as Node;
    if (node.type === 'TSInterfaceDeclaration') return interfaceValue(resolver, node, file);
    if (node.type === 'TSTypeAliasDeclaration')
      return abstractValueOfType(resolver, node.typeAnnotation, file);
    if (node.type === 'TSTypeParameter')
      return node.constraint ? abstractValueOfType(resolver, node.constraint, file) : undefined;
    if (isClass(node)) return { kind: 'class', node, file };
  }
  return variable === undefined ? undefined : resolver.valueOfVariable(variable, file);
}

function namedValue(
  resolver: Resolver,
  name: TSESTree.Identifier,
  file: SourceFile,
): AbstractValue | undefined {
  const variable = variableOf(file, name) ?? topLevelVariable(file, name.name);
  return variable === undefined ? undefined : resolver.valueOfVariable(variable, file);
}

/** An interface that extends a pool is one. */
function interfaceValue(
  resolver: Resolver,
  node: TSESTree.TSInterfaceDeclaration,
  file: SourceFile,
): AbstractValue {
  const parents = node.extends.map((heritage) => heritageValue(resolver, heritage, file));
  const pool = parents.find((parent) => parent?.kind === 'pool' || parent?.kind === 'client');
  return pool ?? { kind: 'shape', node, file, site: undefined };
}

/** What an interface extends. */
export function heritageValue(
  resolver: Resolver,
  { expression }: TSESTree.TSInterfaceHeritage,
  file: SourceFile,
): AbstractValue | undefined {
  return resolver.once(expression, () => {
    const isMember =
      expression.type === 'MemberExpression' &&
      expression.property.type === 'Identifier' &&
      expression.object.type === 'Identifier';
    const names =
      expression.type === 'Identifier'
        ? [expression.name]
        : isMember
          ? [
              file.text.slice(...expression.object.range),
              file.text.slice(...expression.property.range),
            ]
          : [];
    return names.length === 0
      ? undefined
      : valueOfTypeName(resolver, names, undefined, expression, file);
  });
}

function valueOfType(
  type: AbstractValue | undefined,
  resolver: Resolver,
  site: AllocationSite,
): AbstractValue | undefined {
  if (type?.kind === 'class') return instanceOfClass(resolver, type, site);
  return type?.kind === 'driver' ? driverType(type.driver, type.name, site, resolver) : type;
}

function driverType(
  driver: Driver,
  name: string,
  site: AllocationSite,
  resolver: Resolver,
): AbstractValue | undefined {
  const handle = handleOfType(driver, name, site, resolver);
  if (handle !== undefined) return handle;
  if (driver.clientTypes.includes(name)) return { kind: 'client', driver };
  return driver.connectionClasses.includes(name) ? { kind: 'connection', driver } : undefined;
}
