import type { Node } from '../syntax/node.ts';
import { assignedIn, isExportsObject } from './assigned.ts';
import type { AbstractValue } from './abstract-values.ts';
import { type Exporter, exportersOf } from './exporters.ts';
import { generatedExport } from './generated-modules.ts';
import { exportsOf } from '../syntax/exports.ts';
import { memberOfNamed, mixedInNames } from './assigned-values.ts';
import { typeOf } from './resolve-type.ts';
import type { ValueFamily, FindInFile, Resolver } from './resolver.ts';
import { oncePerTree } from '../syntax/once-per-file.ts';
import { topLevelVariable, type SourceFile, type Variable } from '../syntax/source-file.ts';

/** What a file exports under a name; `*` is the module itself, or what a CommonJS file puts in the module's place. */
export function exportOf(
  resolver: Resolver,
  file: SourceFile,
  name: string,
): AbstractValue | undefined {
  return resolver.inFile(file, `exports ${name}`, (there, home) => {
    for (const exporter of exportersOf(home, name, there)) {
      const value = valueFrom(exporter, there);
      // That a package exports the name by a star nobody knows.
      if (value !== undefined && !(exporter.isStarred && value.kind === 'package')) return value;
    }
    return undefined;
  });
}

function valueFrom({ from, name }: Exporter, resolver: Resolver): AbstractValue | undefined {
  if (from.kind === 'import') return resolver.importedFrom(from.specifier, name, from.importer);
  return (
    generatedExport(from.file, name) ?? resolver.inFile(from.file, ...questionOf(name), declared)
  );
}

const declared: ValueFamily = {
  name: 'declares',
  membersIn: (there, file) => [...namesIn(file), ...namesMixedIn(there, file)].map(questionOf),
};

function questionOf(name: string): readonly [question: string, find: FindInFile] {
  return [`declares ${name}`, (there, file) => declaredIn(there, file, name)];
}

/** The names that a file declares for others, as far as it spells them. */
const namesIn = oncePerTree((file): readonly string[] => {
  const assigned = isCommonJs(file)
    ? [...assignedIn(file).byName].flatMap(([name, writes]) =>
        writes.some(({ object }) => isExportsObject(object, file)) ? name : [],
      )
    : [];
  return [...new Set(['*', ...exportsOf(file).own.keys(), ...assigned])];
});

function namesMixedIn(resolver: Resolver, file: SourceFile): readonly string[] {
  return isCommonJs(file)
    ? mixedInNames(resolver, (node) => isExportsObject(node, file), file)
    : [];
}

/** What the file itself has to say of an export: another module may have it all the same. */
function declaredIn(resolver: Resolver, file: SourceFile, name: string): AbstractValue | undefined {
  const replaced = replacedModule(resolver, file);
  if (name === '*') return replaced ?? { kind: 'module', file };
  if (replaced !== undefined) {
    const member = resolver.memberOf(replaced, name) ?? addedToExports(resolver, file, name);
    return member ?? (name === 'default' ? replaced : undefined);
  }
  const abstractValue = addedToExports(resolver, file, name) ?? ownExport(resolver, file, name);
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

/** `export const pool = …`, `export default …`, `export { pool as db }`, `export interface …` */
function ownExport(resolver: Resolver, file: SourceFile, name: string): AbstractValue | undefined {
  const { own, byDefault } = exportsOf(file);
  const local = own.get(name);
  if (local !== undefined) return valueOrType(resolver, topLevelVariable(file, local), file);
  return name === 'default' && byDefault !== undefined
    ? resolver.abstractValueOf(byDefault, file)
    : undefined;
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
