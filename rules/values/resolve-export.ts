import type { TSESTree } from '@typescript-eslint/types';
import type { Node } from '../syntax/node.ts';
import { assignedIn, isExportsObject } from './assigned.ts';
import type { AbstractValue } from './abstract-values.ts';
import { memberOfNamed, mixedInNames } from './assigned-values.ts';
import { typeOf } from './resolve-type.ts';
import type { ValueFamily, FindInFile, Resolver } from './resolver.ts';
import { oncePerTree } from '../syntax/once-per-file.ts';
import {
  keyName,
  topLevelVariable,
  type SourceFile,
  type Variable,
} from '../syntax/source-file.ts';

/** What a file exports under a name; `*` is the module itself, or what a CommonJS file puts in the module's place. */
export function exportOf(
  resolver: Resolver,
  file: SourceFile,
  name: string,
): AbstractValue | undefined {
  return resolver.inFile(file, ...questionOf(name), exported);
}

const exported: ValueFamily = {
  name: 'exports',
  membersIn: (there, file) => [...namesIn(file), ...namesMixedIn(there, file)].map(questionOf),
};

function questionOf(name: string): readonly [question: string, find: FindInFile] {
  return [
    `exports ${name}`,
    (there, file) => there.unlessAsked(file, name, () => findExport(there, file, name)),
  ];
}

/** The names that a file exports, as far as it spells them. */
const namesIn = oncePerTree((file): readonly string[] => {
  const listed = file.ast.body.flatMap((statement) => {
    if (statement.type === 'ExportDefaultDeclaration') return 'default';
    if (statement.type !== 'ExportNamedDeclaration') return [];
    return statement.declaration === null
      ? statement.specifiers.flatMap(({ exported }) => keyName(exported, false) ?? [])
      : namesDeclared(statement.declaration);
  });
  const assigned = isCommonJs(file)
    ? [...assignedIn(file).byName].flatMap(([name, writes]) =>
        writes.some(({ object }) => isExportsObject(object, file)) ? name : [],
      )
    : [];
  return [...new Set(['*', ...listed, ...assigned])];
});

function namesMixedIn(resolver: Resolver, file: SourceFile): readonly string[] {
  return isCommonJs(file)
    ? mixedInNames(resolver, (node) => isExportsObject(node, file), file)
    : [];
}

function namesDeclared(declaration: Node): readonly string[] {
  if (declaration.type === 'VariableDeclaration')
    return declaration.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? id.name : []));
  return 'id' in declaration && declaration.id?.type === 'Identifier' ? [declaration.id.name] : [];
}

function findExport(resolver: Resolver, file: SourceFile, name: string): AbstractValue | undefined {
  const replaced = replacedModule(resolver, file);
  if (name === '*') return replaced ?? { kind: 'module', file };
  if (replaced !== undefined) {
    const member = resolver.memberOf(replaced, name) ?? addedToExports(resolver, file, name);
    return member ?? (name === 'default' ? replaced : undefined);
  }
  const abstractValue = addedToExports(resolver, file, name) ?? esmExport(resolver, file, name);
  return (
    abstractValue ?? (name === 'default' && isCommonJs(file) ? { kind: 'module', file } : undefined)
  );
}

/** `module.exports = …`, wherever it stands, or `export = …`. */
function replacedModule(resolver: Resolver, file: SourceFile): AbstractValue | undefined {
  for (const statement of file.ast.body) {
    if (statement.type === 'TSExportAssignment')
      return resolver.abstractValueOf(statement.expression, file);
  }
  for (const { object, value } of assignedIn(file).byName.get('exports') ?? []) {
    // `module.exports = exports = {}` and `const self = module.exports = {}` assign further values on their way.
    if (object.type === 'Identifier' && object.name === 'module' && !isExportsObject(value, file)) {
      const abstractValue = resolver.abstractValueOf(value, file);
      if (abstractValue !== undefined) return abstractValue;
    }
  }
  return undefined;
}

/** `exports.name = …`, `self.name = …` where `self` is `module.exports`, `Object.assign(module.exports, …)`, `mixIn(module.exports)`. */
function addedToExports(
  resolver: Resolver,
  file: SourceFile,
  name: string,
): AbstractValue | undefined {
  return isCommonJs(file)
    ? memberOfNamed(resolver, (node) => isExportsObject(node, file), name, file)
    : undefined;
}

const isCommonJs = oncePerTree(
  ({ text, ast }) =>
    text.includes('exports') &&
    !ast.body.some(
      ({ type }) =>
        type === 'ExportNamedDeclaration' ||
        type === 'ExportDefaultDeclaration' ||
        type === 'ExportAllDeclaration',
    ),
);

function esmExport(resolver: Resolver, file: SourceFile, name: string): AbstractValue | undefined {
  for (const statement of file.ast.body) {
    if (statement.type === 'ExportDefaultDeclaration' && name === 'default')
      return resolver.abstractValueOf(statement.declaration, file);
    if (statement.type !== 'ExportNamedDeclaration') continue;
    const abstractValue =
      statement.declaration === null
        ? listedExport(resolver, statement, name, file)
        : declaredExport(resolver, statement.declaration, name, file);
    if (abstractValue !== undefined) return abstractValue;
  }
  return reExported(resolver, file, name);
}

/** `export { pool as db }`, with or without `from`. */
function listedExport(
  resolver: Resolver,
  statement: TSESTree.ExportNamedDeclaration,
  name: string,
  file: SourceFile,
): AbstractValue | undefined {
  const specifier = statement.specifiers.find(({ exported }) => keyName(exported, false) === name);
  if (specifier === undefined) return undefined;
  const local = keyName(specifier.local, false);
  if (local === undefined) return undefined;
  if (statement.source !== null) return resolver.importedFrom(statement.source.value, local, file);
  return valueOrType(resolver, topLevelVariable(file, local), file);
}

/** `export const pool = …`, `export function …`, `export class …`, `export interface …`. */
function declaredExport(
  resolver: Resolver,
  declaration: Node,
  name: string,
  file: SourceFile,
): AbstractValue | undefined {
  const variable = topLevelVariable(file, name);
  const isHere =
    variable?.identifiers.some(
      ({ range }) =>
        range !== undefined && declaration.range[0] <= range[0] && range[1] <= declaration.range[1],
    ) === true;
  return isHere ? valueOrType(resolver, variable, file) : undefined;
}

function valueOrType(
  resolver: Resolver,
  variable: Variable | undefined,
  file: SourceFile,
): AbstractValue | undefined {
  if (variable === undefined) return undefined;
  return (
    resolver.valueOfVariable(variable, file) ??
    (variable.defs.some(({ node }) => types.has((node as Node).type))
      ? typeOf(resolver, variable, file)
      : undefined)
  );
}

const types: ReadonlySet<string> = new Set(['TSInterfaceDeclaration', 'TSTypeAliasDeclaration']);

/** `export * from '../pool'` */
function reExported(resolver: Resolver, file: SourceFile, name: string): AbstractValue | undefined {
  for (const statement of file.ast.body) {
    if (statement.type !== 'ExportAllDeclaration') continue;
    if (statement.exported !== null) {
      if (keyName(statement.exported, false) === name)
        return resolver.importedFrom(statement.source.value, '*', file);
    } else if (name !== 'default') {
      const abstractValue = resolver.importedFrom(statement.source.value, name, file);
      if (abstractValue !== undefined && abstractValue.kind !== 'package') return abstractValue;
    }
  }
  return undefined;
}
