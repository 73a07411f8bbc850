import type { TSESTree } from '@typescript-eslint/types';
import type { ModuleReader } from '../project/modules.ts';
import type { Node } from '../syntax/node.ts';
import {
  definitionOf,
  keyName,
  memberName,
  topLevelVariable,
  unwrap,
  variableOf,
  type SourceFile,
} from '../syntax/source-file.ts';

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
  reader: ModuleReader,
): NameDefinition | undefined {
  const plain = unwrap(node);
  if (plain.type === 'MemberExpression') {
    const object = definitionOfName(plain.object, file, reader);
    const name = memberName(plain);
    return object && name !== undefined
      ? { ...object, member: `${object.member}.${name}`, name }
      : undefined;
  }
  if (plain.type !== 'Identifier') return undefined;
  const definition = definitionOf(variableOf(file, plain));
  if (definition?.type === 'ImportBinding')
    return ofImport(definition.node as unknown as TSESTree.ImportClause, file, reader);
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
  reader: ModuleReader,
): NameDefinition | undefined {
  if (specifier.type !== 'ImportSpecifier' || specifier.parent.type !== 'ImportDeclaration')
    return undefined;
  const name = keyName(specifier.imported, false);
  return name === undefined
    ? undefined
    : exported(specifier.parent.source.value, name, file, reader);
}

function exported(
  source: string,
  name: string,
  importer: SourceFile,
  reader: ModuleReader,
  depth = 0,
): NameDefinition | undefined {
  const file = reader.read(source, importer);
  if (file === undefined) return source.startsWith('.') ? undefined : named(source, name);
  if (topLevelVariable(file, name)?.defs[0]?.type === 'Variable') return named(file.path, name);
  return depth > maximalDepth ? undefined : handedOnBy(file, name, reader, depth + 1);
}

function handedOnBy(
  file: SourceFile,
  name: string,
  reader: ModuleReader,
  depth: number,
): NameDefinition | undefined {
  for (const statement of file.ast.body) {
    const [from, local] = handedOn(statement, name) ?? [];
    if (from === undefined || local === undefined) continue;
    const found = exported(from, local, file, reader, depth);
    if (found !== undefined) return found;
  }
  return undefined;
}

const maximalDepth = 5;

/** `export * from './tokens'`, `export { DRIZZLE } from './tokens'` */
function handedOn(
  statement: Node,
  name: string,
): readonly [from: string, local: string] | undefined {
  if (statement.type === 'ExportAllDeclaration')
    return statement.exported === null && statement.source.value.startsWith('.')
      ? [statement.source.value, name]
      : undefined;
  if (statement.type !== 'ExportNamedDeclaration' || statement.source === null) return undefined;
  const specifier = statement.specifiers.find((each) => keyName(each.exported, false) === name);
  const local = specifier && keyName(specifier.local, false);
  return local === undefined ? undefined : [statement.source.value, local];
}
