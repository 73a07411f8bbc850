import type { Here } from '../values/resolver.ts';
import { exportsOf, importedName } from '../syntax/exports.ts';
import type { Node } from '../syntax/node.ts';
import {
  definitionOf,
  memberName,
  topLevelVariable,
  unwrap,
  variableOf,
  type SourceFile,
  type Variable,
} from '../syntax/source-file.ts';
import { exportersOf } from '../values/exporters.ts';
import type { Resolver } from '../values/resolver.ts';

/** What a name stands for, as it is written where it is declared. */
export interface Declared {
  readonly node: Node;
  readonly file: SourceFile;
}

/** Names that lead further than this are unknown. */
const furthest = 6;

/** The initial value, class, or call behind a name, of whatever file: `users` of `export const users = pgTable(…)`. */
export function declaredAt(node: Node, here: Here): Declared | undefined {
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
