import type { TSESTree } from '@typescript-eslint/types';
import type { Node } from '../flow/graph.ts';
import { drivers } from '../model/drivers.ts';
import { isClass, type Entity } from './entities.ts';
import { withOrigin, type Origin } from './origins.ts';
import { memberOf } from './resolve-member.ts';
import { instanceOfClass, type Resolver } from './resolver.ts';
import { definitionOf, topLevelVariable, type SourceFile } from './source-file.ts';

/** What a value of this type is: types are read from the syntax, without a type checker. What is declared with it comes from there. */
export function entityOfType(resolver: Resolver, type: TSESTree.TypeNode, file: SourceFile): Entity | undefined {
  return withOrigin(valueOf(resolver, type, file), type, file);
}

function valueOf(resolver: Resolver, type: TSESTree.TypeNode, file: SourceFile): Entity | undefined {
  switch (type.type) {
    case 'TSTypeReference':
      return type.typeName.type === 'Identifier' && transparent.has(type.typeName.name) && type.typeArguments?.params[0] !== undefined
        ? entityOfType(resolver, type.typeArguments.params[0], file)
        : valueOfType(typeName(resolver, type.typeName, file), resolver, { node: type, file, holder: undefined });
    case 'TSUnionType':
      return entityOfUnion(resolver, type.types, file);
    case 'TSTypeLiteral':
      return { kind: 'shape', node: type, members: type.members, file, origin: undefined };
    case 'TSImportType':
      return type.source.type === 'Literal' && type.qualifier?.type === 'Identifier' ? driverType(String(type.source.value), type.qualifier.name, { node: type, file, holder: undefined }) : undefined;
    case 'TSTypeQuery':
      return type.exprName.type === 'Identifier' ? topLevelValue(resolver, type.exprName.name, file) : undefined;
    default:
      return undefined;
  }
}

/** Generic types whose value is, for our purposes, a value of their argument. */
const transparent: ReadonlySet<string> = new Set(['Promise', 'Readonly', 'Awaited', 'NonNullable', 'Required']);

/** `Pool | undefined` is a pool; `Pool | PoolClient` may be either, so it is unknown. */
function entityOfUnion(resolver: Resolver, types: readonly TSESTree.TypeNode[], file: SourceFile): Entity | undefined {
  const present = types.filter(({ type }) => type !== 'TSNullKeyword' && type !== 'TSUndefinedKeyword');
  const [only] = present;
  return present.length === 1 && only !== undefined ? entityOfType(resolver, only, file) : undefined;
}

/** The entity that a type's name names: a class, an interface, an export of a driver. */
function typeName(resolver: Resolver, name: TSESTree.EntityName, file: SourceFile): Entity | undefined {
  if (name.type === 'TSQualifiedName') {
    const left = typeName(resolver, name.left, file);
    return left === undefined ? undefined : memberOf(resolver, left, name.right.name);
  }
  return name.type === 'Identifier' ? topLevelValue(resolver, name.name, file) : undefined;
}

function topLevelValue(resolver: Resolver, name: string, file: SourceFile): Entity | undefined {
  const variable = topLevelVariable(file, name);
  const node = definitionOf(variable)?.node as Node | undefined;
  if (node?.type === 'TSInterfaceDeclaration') return { kind: 'shape', node, members: node.body.body, file, origin: undefined };
  if (node?.type === 'TSTypeAliasDeclaration') return entityOfType(resolver, node.typeAnnotation, file);
  if (node !== undefined && isClass(node)) return { kind: 'class', node, file };
  return variable === undefined ? undefined : resolver.entityOfVariable(variable, file);
}

function valueOfType(type: Entity | undefined, resolver: Resolver, origin: Origin): Entity | undefined {
  if (type?.kind === 'class') return instanceOfClass(resolver, type, origin);
  return type?.kind === 'driver' ? driverType(type.driver.module, type.name, origin) : type;
}

function driverType(module: string, name: string, origin: Origin): Entity | undefined {
  const driver = drivers.find((each) => each.module === module);
  if (driver === undefined) return undefined;
  if (driver.poolClasses.includes(name)) return { kind: 'pool', driver: module, origin };
  if (driver.clientTypes.includes(name)) return { kind: 'client' };
  return driver.connectionClasses.includes(name) ? { kind: 'connection' } : undefined;
}
