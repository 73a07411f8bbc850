import type { TSESTree } from '@typescript-eslint/types';
import type { Tables } from '../model/built.ts';
import { calledName, callsIn } from '../syntax/calls.ts';
import { constantText } from '../syntax/constants.ts';
import { decoratorsOf } from '../syntax/decorators.ts';
import { type ClassNode, isClass, type Node, type CallNode } from '../syntax/node.ts';
import {
  keyName,
  unwrap,
  type SourceFile,
  definitionOf,
  memberName,
  topLevelVariable,
  variableOf,
  type Variable,
} from '../syntax/source-file.ts';
import type { Here, Resolver } from '../values/resolver.ts';
import { exportsOf, importedName } from '../syntax/exports.ts';
import { exportersOf } from '../values/exporters.ts';

/** A table by its name, after that of its schema where that is told, and what declares it. */
export interface NamedTable {
  readonly name: string;
  readonly declared: Declared | undefined;
}

/** The table that an expression names: a text, a table that a function made, a class of models. */
export function tableNamed(node: Node, tables: Tables, here: Here): NamedTable | undefined {
  const declared = declaredAt(node, here);
  if (declared === undefined) return undefined;
  const name = nameOf(declared, tables);
  return name === undefined ? undefined : { name, declared };
}

function nameOf({ node, file }: Declared, tables: Tables): string | undefined {
  const text = constantText(node);
  if (text !== undefined) return withoutAlias(text);
  if (isClass(node)) return nameOfClass(node, tables, file);
  if (node.type === 'NewExpression')
    return tables.makers.includes(calledName(node.callee) ?? '')
      ? inOptions(node.arguments, tables)
      : undefined;
  return node.type === 'CallExpression' ? nameMadeBy(node, tables) : undefined;
}

/** `users as u`, `users u` */
function withoutAlias(text: string): string | undefined {
  return /^\s*((?:[\w$]+\.)?[\w$-]+)(?:\s+(?:as\s+)?[\w$]+)?\s*$/iu.exec(text)?.[1];
}

/** `pgTable('users', …)`, `sequelize.define('User', attributes, options)` */
function nameMadeBy({ callee, arguments: given }: CallNode, tables: Tables): string | undefined {
  const name = calledName(callee) ?? '';
  const first = given[0] && constantText(given[0]);
  if (callee.type === 'Identifier' && tables.makers.includes(name)) return first;
  if (callee.type !== 'MemberExpression' || !tables.methods.includes(name)) return undefined;
  return (
    inOptions(given, tables) ??
    (first && hasNoOtherName(given) ? unnamed(first, tables) : undefined)
  );
}

export function nameOfClass(node: ClassNode, tables: Tables, file: SourceFile): string | undefined {
  const told =
    inStatics(node, tables) ?? inDecorators(node, tables) ?? inMethods(node, tables, file);
  if (told !== undefined) return told.name;
  return undefined;
}

/** What names a class's table, or says that it has the one of its class. */
interface Telling {
  readonly name: string | undefined;
}

function inStatics({ body }: ClassNode, { statics }: Tables): Telling | undefined {
  for (const member of body.body) {
    if (!('static' in member) || !member.static || !('key' in member)) continue;
    if (!statics.includes(keyName(member.key, member.computed) ?? '')) continue;
    const value = member.type === 'PropertyDefinition' ? member.value : returned(member);
    return { name: value ? constantText(value) : undefined };
  }
  return undefined;
}

/** `static get tableName() { return 'users'; }` */
function returned(member: Node): Node | null {
  const body = member.type === 'MethodDefinition' ? member.value.body?.body : undefined;
  const [only] = body ?? [];
  return body?.length === 1 && only?.type === 'ReturnStatement' ? only.argument : null;
}

function inDecorators(node: ClassNode, tables: Tables): Telling | undefined {
  for (const { expression } of decoratorsOf(node)) {
    const call = unwrap(expression);
    if (call.type !== 'CallExpression') continue;
    if (!tables.decorators.includes(calledName(call.callee) ?? '')) continue;
    const first = call.arguments[0] && constantText(call.arguments[0]);
    return {
      name: first ?? inOptions(call.arguments, tables) ?? ofClass(node, call.arguments, tables),
    };
  }
  return undefined;
}

/** `User.init(attributes, { tableName })` */
function inMethods(node: ClassNode, tables: Tables, file: SourceFile): Telling | undefined {
  if (tables.methods.length === 0 || node.id === null) return undefined;
  const { name } = node.id;
  const call = callsIn(file).calls.find(
    ({ callee }) =>
      callee.type === 'MemberExpression' &&
      callee.object.type === 'Identifier' &&
      callee.object.name === name &&
      tables.methods.includes(calledName(callee) ?? ''),
  );
  return (
    call && { name: inOptions(call.arguments, tables) ?? ofClass(node, call.arguments, tables) }
  );
}

function ofClass({ id }: ClassNode, given: readonly Node[], tables: Tables): string | undefined {
  return id === null || !hasNoOtherName(given) ? undefined : unnamed(id.name, tables);
}

function inOptions(given: readonly Node[], { options }: Tables): string | undefined {
  const properties = optionsIn(given);
  const values = options.flatMap((option) =>
    properties.filter((property) => nameOfProperty(property) === option),
  );
  return values.map(({ value }) => constantText(value)).find((text) => text !== undefined);
}

function optionsIn(given: readonly Node[]): readonly TSESTree.Property[] {
  const last = given.at(-1);
  return last?.type === 'ObjectExpression'
    ? last.properties.flatMap((property) => (property.type === 'Property' ? property : []))
    : [];
}

function nameOfProperty({ key, computed }: TSESTree.Property): string | undefined {
  return keyName(key, computed);
}

/** Options that make a library call a table otherwise than its class, and a spread that may have any. */
const renaming: ReadonlySet<string> = new Set([
  'modelName',
  'freezeTableName',
  'underscored',
  'name',
  'tableName',
]);

function hasNoOtherName(given: readonly Node[]): boolean {
  const last = given.at(-1);
  return (
    !optionsIn(given).some((property) => renaming.has(nameOfProperty(property) ?? '')) &&
    !(
      last?.type === 'ObjectExpression' &&
      last.properties.some(({ type }) => type === 'SpreadElement')
    )
  );
}

/** A name that a library makes otherwise is that of no table, so that nothing is found. */
function unnamed(name: string, { unnamed: how }: Tables): string | undefined {
  switch (how) {
    case 'underscored':
      return name.replace(/(?<=[a-z\d])(?=[A-Z])/gu, '_').toLowerCase();
    case 'plural':
      return /[^aeiou]y$/u.test(name)
        ? name.replace(/y$/u, 'ies')
        : `${name}${/(?:s|x|ch|sh)$/u.test(name) ? 'es' : 's'}`;
    case 'same':
      return name;
    case null:
      return undefined;
  }
}

/** What a name stands for, as it is written where it is declared. */
interface Declared {
  readonly node: Node;
  readonly file: SourceFile;
}

/** Names that lead further than this are unknown. */
const furthest = 6;

/** The initial value, class, or call behind a name, of whatever file: `users` of `export const users = pgTable(…)`. */
function declaredAt(node: Node, here: Here): Declared | undefined {
  return lookUp(node, here, furthest);
}

function lookUp(node: Node, here: Here, left: number): Declared | undefined {
  const { file, resolver } = here;
  const plain = unwrap(node);
  if (left === 0) return undefined;
  if (plain.type === 'Identifier') return ofVariable(variableOf(file, plain), here, left);
  if (plain.type !== 'MemberExpression') return { node: plain, file };
  const module = moduleOf(plain.object, here);
  const name = memberName(plain);
  return module === undefined || name === undefined
    ? undefined
    : exported(name, module, resolver, left - 1);
}

function ofVariable(
  variable: Variable | undefined,
  here: Here,
  left: number,
): Declared | undefined {
  const { file, resolver } = here;
  const definition = definitionOf(variable);
  const node = definition?.node as Node | undefined;
  switch (definition?.type) {
    case 'ClassName':
      return node && { node, file };
    case 'Variable':
      return node?.type === 'VariableDeclarator' && node.id.type === 'Identifier' && node.init
        ? lookUp(node.init, here, left - 1)
        : undefined;
    case 'ImportBinding': {
      const { parent } = definition as { readonly parent?: unknown };
      const module = read(parent as Node | undefined, here);
      return module && node && exported(importedName(node), module, resolver, left - 1);
    }
    default:
      return undefined;
  }
}

/** `import * as schema from './schema'` */
function moduleOf(node: Node, here: Here): SourceFile | undefined {
  const { file } = here;
  const definition = definitionOf(variableOf(file, unwrap(node)));
  const specifier = definition?.node as Node | undefined;
  return definition?.type === 'ImportBinding' && specifier?.type === 'ImportNamespaceSpecifier'
    ? read(definition.parent as Node | undefined, here)
    : undefined;
}

function read(
  declaration: Node | null | undefined,
  { file, resolver }: Here,
): SourceFile | undefined {
  return declaration?.type === 'ImportDeclaration'
    ? resolver.reader.read(declaration.source.value, file)
    : undefined;
}

function exported(
  name: string,
  module: SourceFile,
  resolver: Resolver,
  left: number,
): Declared | undefined {
  if (left === 0) return undefined;
  for (const exporter of exportersOf(module, name, resolver)) {
    const found =
      exporter.from.kind === 'module'
        ? ofExport(exporter.name, { file: exporter.from.file, resolver }, left - 1)
        : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function ofExport(name: string, here: Here, left: number): Declared | undefined {
  const { file } = here;
  const { own, byDefault } = exportsOf(file);
  const local = own.get(name);
  if (local !== undefined) return ofVariable(topLevelVariable(file, local), here, left);
  return name === 'default' && byDefault !== undefined ? lookUp(byDefault, here, left) : undefined;
}
