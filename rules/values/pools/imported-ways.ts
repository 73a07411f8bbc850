import { dirname, resolve } from 'node:path';
import type { TSESTree } from '@typescript-eslint/types';
import { callsIn } from '../../syntax/calls.ts';
import { constantText, requiredModule } from '../../syntax/constants.ts';
import type { Node } from '../../syntax/node.ts';
import { keyName, variableOf, type SourceFile, type Variable } from '../../syntax/source-file.ts';
import type { Resolver } from '../resolver.ts';

type Way = readonly string[];

/** Who goes on with what is imported. */
interface Followers {
  readonly variable: (variable: Variable, way: Way) => void;
  readonly value: (node: Node, way: Way) => void;
  readonly exported: (way: Way) => void;
}

/** Goes on from what a file imports, requires or exports again of a module. */
export function importedWays(
  of: string,
  way: Way,
  file: SourceFile,
  { reader }: Resolver,
  followers: Followers,
): void {
  const isOf = (specifier: string | undefined): boolean =>
    specifier !== undefined &&
    (reader.read(specifier, file)?.path ?? relativePath(specifier, file, of)) === of;
  for (const statement of file.ast.body) {
    if (!('source' in statement) || statement.source === null) continue;
    if (!isOf(statement.source.value)) continue;
    if (statement.type === 'ImportDeclaration')
      for (const each of statement.specifiers) intoName(each, way, file, followers);
    else for (const next of exportedAgain(statement, way)) followers.exported(next);
  }
  for (const call of callsIn(file).calls)
    if (isOf(requiredModule(call))) followers.value(call, way);
  for (const each of callsIn(file).imports)
    if (isOf(constantText(each.source))) followers.value(each, way);
}

/** Of a file that is not saved yet. */
function relativePath(specifier: string, file: SourceFile, of: string): string | undefined {
  const path = resolve(dirname(file.path), specifier);
  return specifier.startsWith('.') && stemOf(path) === stemOf(of) ? of : undefined;
}

function stemOf(path: string): string {
  return path.replace(/\.[cm]?[jt]sx?$/u, '');
}

function intoName(
  specifier: TSESTree.ImportClause,
  way: Way,
  file: SourceFile,
  { variable }: Followers,
): void {
  const local = variableOf(file, specifier.local);
  const [first, ...rest] = way;
  const name =
    specifier.type === 'ImportSpecifier'
      ? keyName(specifier.imported, false)
      : specifier.type === 'ImportDefaultSpecifier'
        ? 'default'
        : undefined;
  if (local === undefined) return;
  if (name === first && name !== undefined) variable(local, rest);
  // A CommonJS module as a whole.
  else if (name === undefined || name === 'default') variable(local, way);
}

function exportedAgain(statement: TSESTree.ProgramStatement, way: Way): readonly Way[] {
  const [first, ...rest] = way;
  if (statement.type === 'ExportAllDeclaration')
    return statement.exported === null
      ? [way]
      : [[keyName(statement.exported, false) ?? '', ...way]];
  if (statement.type !== 'ExportNamedDeclaration') return [];
  return statement.specifiers.flatMap(({ local, exported }) =>
    keyName(local, false) === first ? [[keyName(exported, false) ?? '', ...rest]] : [],
  );
}
