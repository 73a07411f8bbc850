import type { TSESTree } from '@typescript-eslint/types';
import type { Node } from '../syntax/node.ts';
import {
  definitionOf,
  keyName,
  memberName,
  topLevelVariable,
  unwrap,
  variableOf,
  type SourceFile,
  type Variable,
} from '../syntax/source-file.ts';
import type { Resolver } from '../values/resolver.ts';

/** What a name stands for, as it is written where it is declared. */
export interface Declared {
  readonly node: Node;
  readonly file: SourceFile;
}

/** Names that lead further than this are unknown. */
const furthest = 6;

/** The initial value, class, or call behind a name, of whatever file: `users` of `export const users = pgTable(…)`. */
export function declaredAt(
  node: Node,
  file: SourceFile,
  { reader }: Pick<Resolver, 'reader'>,
): Declared | undefined {
  return lookUp(node, file, reader, furthest);
}

type Reader = Resolver['reader'];

function lookUp(node: Node, file: SourceFile, reader: Reader, left: number): Declared | undefined {
  const plain = unwrap(node);
  if (left === 0) return undefined;
  if (plain.type === 'Identifier') return ofVariable(variableOf(file, plain), file, reader, left);
  if (plain.type !== 'MemberExpression') return { node: plain, file };
  const module = moduleOf(plain.object, file, reader);
  const name = memberName(plain);
  return module === undefined || name === undefined
    ? undefined
    : exported(name, module, reader, left - 1);
}

function ofVariable(
  variable: Variable | undefined,
  file: SourceFile,
  reader: Reader,
  left: number,
): Declared | undefined {
  const definition = definitionOf(variable);
  const node = definition?.node as Node | undefined;
  switch (definition?.type) {
    case 'ClassName':
      return node && { node, file };
    case 'Variable':
      return node?.type === 'VariableDeclarator' && node.id.type === 'Identifier' && node.init
        ? lookUp(node.init, file, reader, left - 1)
        : undefined;
    case 'ImportBinding': {
      const { parent } = definition as { readonly parent?: unknown };
      const module = read(parent as Node | undefined, file, reader);
      return module && node && exported(importedName(node), module, reader, left - 1);
    }
    default:
      return undefined;
  }
}

/** `import * as schema from './schema'` */
function moduleOf(node: Node, file: SourceFile, reader: Reader): SourceFile | undefined {
  const definition = definitionOf(variableOf(file, unwrap(node)));
  const specifier = definition?.node as Node | undefined;
  return definition?.type === 'ImportBinding' && specifier?.type === 'ImportNamespaceSpecifier'
    ? read(definition.parent as Node | undefined, file, reader)
    : undefined;
}

function read(
  declaration: Node | null | undefined,
  file: SourceFile,
  reader: Reader,
): SourceFile | undefined {
  return declaration?.type === 'ImportDeclaration'
    ? reader.read(declaration.source.value, file)
    : undefined;
}

function importedName(specifier: Node): string {
  if (specifier.type === 'ImportDefaultSpecifier') return 'default';
  return specifier.type === 'ImportSpecifier' ? (keyName(specifier.imported, false) ?? '') : '';
}

function exported(
  name: string,
  file: SourceFile,
  reader: Reader,
  left: number,
): Declared | undefined {
  if (left === 0) return undefined;
  for (const statement of file.ast.body) {
    const found = exportedBy(statement, name, file, reader, left);
    if (found !== undefined) return found;
  }
  return undefined;
}

function exportedBy(
  statement: TSESTree.ProgramStatement,
  name: string,
  file: SourceFile,
  reader: Reader,
  left: number,
): Declared | undefined {
  switch (statement.type) {
    case 'ExportDefaultDeclaration':
      return name === 'default' ? lookUp(statement.declaration, file, reader, left - 1) : undefined;
    case 'ExportAllDeclaration':
      return statement.exported === null
        ? elsewhere(statement.source, name, file, reader, left)
        : undefined;
    case 'ExportNamedDeclaration':
      return named(statement, name, file, reader, left);
    default:
      return undefined;
  }
}

function named(
  { declaration, specifiers, source }: TSESTree.ExportNamedDeclaration,
  name: string,
  file: SourceFile,
  reader: Reader,
  left: number,
): Declared | undefined {
  if (declaration !== null)
    return declaresName(declaration, name)
      ? ofVariable(topLevelVariable(file, name), file, reader, left - 1)
      : undefined;
  const specifier = specifiers.find((each) => keyName(each.exported, false) === name);
  const local = specifier && keyName(specifier.local, false);
  if (local === undefined) return undefined;
  return source === null
    ? ofVariable(topLevelVariable(file, local), file, reader, left - 1)
    : elsewhere(source, local, file, reader, left);
}

function declaresName(declaration: Node, name: string): boolean {
  if (declaration.type === 'VariableDeclaration')
    return declaration.declarations.some(({ id }) => id.type === 'Identifier' && id.name === name);
  return declaration.type === 'ClassDeclaration' && declaration.id?.name === name;
}

function elsewhere(
  source: TSESTree.StringLiteral,
  name: string,
  file: SourceFile,
  reader: Reader,
  left: number,
): Declared | undefined {
  const module = reader.read(source.value, file);
  return module && exported(name, module, reader, left - 1);
}
