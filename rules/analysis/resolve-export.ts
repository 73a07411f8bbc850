import type { TSESTree } from '@typescript-eslint/types';
import type { Node } from '../flow/graph.ts';
import type { Entity } from './entities.ts';
import { memberOf } from './resolve-member.ts';
import { importedFrom, type Resolver } from './resolver.ts';
import { keyName, memberName, topLevelVariable, type SourceFile } from './source-file.ts';

/** What a file exports under a name; `*` is the module itself, or what a CommonJS file puts in the module's place. */
export function exportOf(resolver: Resolver, file: SourceFile, name: string): Entity | undefined {
  const replaced = commonJsExport(resolver, file, undefined);
  if (name === '*') return replaced ?? { kind: 'module', file };
  if (replaced !== undefined) return name === 'default' ? replaced : memberOf(resolver, replaced, name);
  return commonJsExport(resolver, file, name) ?? resolver.unlessAsked(file, name, () => esmExport(resolver, file, name));
}

/** `module.exports = …` for no name, `exports.name = …` or `module.exports.name = …` for one. */
function commonJsExport(resolver: Resolver, file: SourceFile, name: string | undefined): Entity | undefined {
  for (const statement of file.ast.body) {
    if (statement.type !== 'ExpressionStatement') continue;
    for (let each: Node = statement.expression; each.type === 'AssignmentExpression'; each = each.right) {
      if (isExportTarget(each.left, name)) return resolver.entityOf(each.right, file);
    }
  }
  return undefined;
}

function isExportTarget(target: Node, name: string | undefined): boolean {
  if (target.type !== 'MemberExpression') return false;
  return name === undefined ? isModuleExports(target) : memberName(target) === name && (isModuleExports(target.object) || isNamed(target.object, 'exports'));
}

/** `module.exports` */
export function isModuleExports(node: Node): boolean {
  return node.type === 'MemberExpression' && isNamed(node.object, 'module') && memberName(node) === 'exports';
}

function isNamed(node: Node, name: string): boolean {
  return node.type === 'Identifier' && node.name === name;
}

function esmExport(resolver: Resolver, file: SourceFile, name: string): Entity | undefined {
  for (const statement of file.ast.body) {
    if (statement.type === 'ExportDefaultDeclaration' && name === 'default') return resolver.entityOf(statement.declaration, file);
    if (statement.type !== 'ExportNamedDeclaration') continue;
    const entity = statement.declaration === null ? listedExport(resolver, statement, name, file) : declaredExport(resolver, statement.declaration, name, file);
    if (entity !== undefined) return entity;
  }
  return reExported(resolver, file, name);
}

/** `export { pool as db }`, with or without `from`. */
function listedExport(resolver: Resolver, statement: TSESTree.ExportNamedDeclaration, name: string, file: SourceFile): Entity | undefined {
  const specifier = statement.specifiers.find(({ exported }) => keyName(exported, false) === name);
  if (specifier === undefined) return undefined;
  const local = keyName(specifier.local, false);
  if (local === undefined) return undefined;
  if (statement.source !== null) return importedFrom(resolver, statement.source.value, local, file);
  const variable = topLevelVariable(file, local);
  return variable === undefined ? undefined : resolver.entityOfVariable(variable, file);
}

/** `export const pool = …`, `export function …`, `export class …`. */
function declaredExport(resolver: Resolver, declaration: Node, name: string, file: SourceFile): Entity | undefined {
  const variable = topLevelVariable(file, name);
  const isHere = variable?.identifiers.some(({ range }) => range !== undefined && declaration.range[0] <= range[0] && range[1] <= declaration.range[1]) === true;
  return isHere ? resolver.entityOfVariable(variable, file) : undefined;
}

/** `export * from './pool'` */
function reExported(resolver: Resolver, file: SourceFile, name: string): Entity | undefined {
  for (const statement of file.ast.body) {
    if (statement.type !== 'ExportAllDeclaration') continue;
    if (statement.exported !== null) {
      if (keyName(statement.exported, false) === name) return importedFrom(resolver, statement.source.value, '*', file);
    } else if (name !== 'default') {
      const entity = importedFrom(resolver, statement.source.value, name, file);
      if (entity !== undefined && entity.kind !== 'package') return entity;
    }
  }
  return undefined;
}
