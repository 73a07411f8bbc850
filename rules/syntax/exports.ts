import type { TSESTree } from '@typescript-eslint/types';
import type { Node } from './node.ts';
import { oncePerTree } from './once-per-file.ts';
import {
  definitionOf,
  keyName,
  parentOf,
  topLevelVariable,
  variableOf,
  type SourceFile,
} from './source-file.ts';

/** A name of another module; `*` is the module itself. */
export interface ImportedName {
  readonly specifier: string;
  readonly name: string;
}

/** What the statements of a module export: ECMAScript, "Source Text Module Records". */
export interface Exports {
  /** For each name that the module itself declares, what it is called there; nothing for an expression. */
  readonly own: ReadonlyMap<string, string | undefined>;
  /** `export default …` */
  readonly byDefault: Node | undefined;
  /** `export { a as b } from './x'`, `export * as x from './x'`, `import { a } from './x'; export { a }` */
  readonly handedOn: ReadonlyMap<string, ImportedName>;
  /** `export * from './x'` */
  readonly stars: readonly string[];
}

export const exportsOf = oncePerTree((file): Exports => {
  const own = new Map<string, string | undefined>();
  const handedOn = new Map<string, ImportedName>();
  const byDefault = file.ast.body.find(
    (each) => each.type === 'ExportDefaultDeclaration',
  )?.declaration;
  if (byDefault !== undefined && byDefault.type !== 'Identifier') own.set('default', undefined);
  for (const [name, local] of localNames(file, byDefault)) {
    const imported = importedAs(file, local);
    if (imported === undefined) own.set(name, local);
    else handedOn.set(name, imported);
  }
  const stars = new Set<string>();
  for (const statement of file.ast.body) {
    if (statement.type === 'ExportAllDeclaration' && statement.exported === null)
      stars.add(statement.source.value);
    else for (const [name, imported] of handedOnBy(statement)) handedOn.set(name, imported);
  }
  return { own, byDefault, handedOn, stars: [...stars] };
});

type Names = readonly (readonly [name: string, local: string])[];

/** What is exported of the module's own scope. */
function localNames(file: SourceFile, byDefault: Node | undefined): Names {
  const named = file.ast.body.flatMap((statement) =>
    statement.type === 'ExportNamedDeclaration' && statement.source === null
      ? [
          ...declaredBy(statement, file).map((name) => [name, name] as const),
          ...listedBy(statement),
        ]
      : [],
  );
  return byDefault?.type === 'Identifier' ? [['default', byDefault.name], ...named] : named;
}

function handedOnBy(
  statement: TSESTree.ProgramStatement,
): readonly (readonly [name: string, imported: ImportedName])[] {
  if (statement.type === 'ExportAllDeclaration')
    return [
      [
        keyName(statement.exported as Node, false) ?? '',
        { specifier: statement.source.value, name: '*' },
      ],
    ];
  if (statement.type !== 'ExportNamedDeclaration' || statement.source === null) return [];
  const specifier = statement.source.value;
  return listedBy(statement).map(([name, local]) => [name, { specifier, name: local }] as const);
}

function declaredBy(
  { declaration }: TSESTree.ExportNamedDeclaration,
  { scopes }: SourceFile,
): readonly string[] {
  if (declaration === null) return [];
  if (declaration.type !== 'VariableDeclaration')
    return 'id' in declaration && declaration.id?.type === 'Identifier'
      ? [declaration.id.name]
      : [];
  return scopes.getDeclaredVariables(declaration as never).map(({ name }) => name);
}

function listedBy({ specifiers }: TSESTree.ExportNamedDeclaration): Names {
  return specifiers.flatMap(({ exported, local }) => {
    const [name, inside] = [keyName(exported, false), keyName(local, false)];
    return name === undefined || inside === undefined ? [] : [[name, inside] as const];
  });
}

/** What a name of the module is imported as. */
function importedAs(file: SourceFile, local: string): ImportedName | undefined {
  const definition = definitionOf(topLevelVariable(file, local));
  if (definition?.type !== 'ImportBinding') return undefined;
  const { parent } = definition as { readonly parent?: unknown };
  const declaration = parent as Node | null | undefined;
  return declaration?.type === 'ImportDeclaration'
    ? { specifier: declaration.source.value, name: importedName(definition.node as Node) }
    : undefined;
}

/** The name by which an import takes something of another module. */
export function importedName(specifier: Node): string {
  if (specifier.type === 'ImportDefaultSpecifier') return 'default';
  return specifier.type === 'ImportSpecifier' ? (keyName(specifier.imported, false) ?? '*') : '*';
}

/**
 * What a name of a file is called where that comes from: `Pool` of `import { Pool as P }` and of `const { Pool: P } = require('pg')`. A
 * name that the file does not declare is its own; undefined for what the file itself makes.
 */
export function originalName(name: Node, file: SourceFile): string | undefined {
  if (name.type !== 'Identifier') return undefined;
  const variable = variableOf(file, name);
  const definition = definitionOf(variable);
  if (definition === undefined) return (variable?.defs.length ?? 0) === 0 ? name.name : undefined;
  if (definition.type === 'ImportBinding') return importedName(definition.node as Node);
  const property = parentOf(definition.name as unknown as Node);
  return definition.type === 'Variable' && property?.type === 'Property'
    ? keyName(property.key, property.computed)
    : undefined;
}

/** Whether a file may export what its statements do not list: `exports.name = …`, `export = …`. */
export function mayAssignExports({ text, ast }: SourceFile): boolean {
  return text.includes('exports') || ast.body.some(({ type }) => type === 'TSExportAssignment');
}
