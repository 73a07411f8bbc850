import type { TSESTree } from '@typescript-eslint/types';
import { exportsOf, importedName } from '../syntax/exports.ts';
import type { Node } from '../syntax/node.ts';
import {
  definitionOf,
  memberName,
  topLevelVariable,
  unwrap,
  variableOf,
  type SourceFile,
} from '../syntax/source-file.ts';
import { type Exporter, exportersOfImport } from './exporters.ts';
import type { Resolver } from './resolver.ts';

/** Where a name that is written once for the whole program is defined. */
export interface NameDefinition {
  /** The file, or the package that exports it. */
  readonly path: string;
  /** The name there, with the members behind it: `TYPES.Db`. */
  readonly member: string;
  /** The last of these. */
  readonly name: string;
}

/** `DRIZZLE` or `TYPES.Db`, through imports and files that hand it on; whatever its value is. */
export function definitionOfName(
  node: Node,
  file: SourceFile,
  resolver: Resolver,
): NameDefinition | undefined {
  const plain = unwrap(node);
  if (plain.type === 'MemberExpression') {
    const object = definitionOfName(plain.object, file, resolver);
    const name = memberName(plain);
    return object && name !== undefined
      ? { ...object, member: `${object.member}.${name}`, name }
      : undefined;
  }
  if (plain.type !== 'Identifier') return undefined;
  const definition = definitionOf(variableOf(file, plain));
  if (definition?.type === 'ImportBinding')
    return ofImport(definition.node as unknown as TSESTree.ImportClause, file, resolver);
  return topLevelVariable(file, plain.name) === variableOf(file, plain)
    ? named(file.path, plain.name)
    : undefined;
}

function named(path: string, name: string): NameDefinition {
  return { path, member: name, name };
}

function ofImport(
  specifier: TSESTree.ImportClause,
  file: SourceFile,
  resolver: Resolver,
): NameDefinition | undefined {
  if (specifier.type !== 'ImportSpecifier' || specifier.parent.type !== 'ImportDeclaration')
    return undefined;
  const imported = { specifier: specifier.parent.source.value, name: importedName(specifier) };
  for (const exporter of exportersOfImport(imported, file, resolver)) {
    const definition = definitionAt(exporter);
    if (definition !== undefined) return definition;
  }
  return undefined;
}

function definitionAt({ from, name }: Exporter): NameDefinition | undefined {
  if (from.kind === 'import')
    return from.specifier.startsWith('.') ? undefined : named(from.specifier, name);
  const local = exportsOf(from.file).own.get(name) ?? name;
  return topLevelVariable(from.file, local)?.defs[0]?.type === 'Variable'
    ? named(from.file.path, local)
    : undefined;
}
