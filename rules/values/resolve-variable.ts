import type { TSESTree } from '@typescript-eslint/types';
import { type Node, isFunction } from '../syntax/node.ts';
import type { AbstractValue } from './abstract-values.ts';
import { constantText } from '../syntax/constants.ts';
import { importedName } from '../syntax/exports.ts';
import { givenByContext } from './contextual.ts';
import { elementNamed } from './elements.ts';
import { asInjected } from './injected.ts';
import { asDeclared } from './resolve-collection.ts';
import { abstractValueOfType } from './resolve-type.ts';
import { fallbackValue } from './fallback.ts';
import type { Resolver } from './resolver.ts';
import {
  contains,
  keyName,
  parentOf,
  writesTo,
  type SourceFile,
  type Variable,
} from '../syntax/source-file.ts';

/** What a variable holds: from its import, its declaration, its annotation, or what is written to it later. */
export function valueOfVariable(
  resolver: Resolver,
  variable: Variable,
  file: SourceFile,
): AbstractValue | undefined {
  const definition = valueDefinition(variable);
  if (definition === undefined) return undefined;
  const node = definition.node as Node;
  const name = definition.name as unknown as Node;
  switch (definition.type) {
    case 'ImportBinding':
      return imported(resolver, node, definition.parent as Node | null | undefined, file);
    case 'FunctionName':
    case 'ClassName':
      return resolver.abstractValueOf(node, file);
    case 'Parameter':
      return asInjected(
        declared(resolver, name, file) ?? valueInParameter(resolver, parameterOf(name), name, file),
        name,
        file,
        resolver,
      );
    case 'Variable':
      return valueOfDeclaration(resolver, variable, node as TSESTree.VariableDeclarator, file);
    default:
      return undefined;
  }
}

/** The definition that is there at run time: overloads and types of the same name are not. */
function valueDefinition({ defs }: Variable): Variable['defs'][number] | undefined {
  if (defs.length === 1) return defs[0];
  const values = defs.filter(({ node }) => !typeNodes.has((node as Node).type));
  return values.length === 1 ? values[0] : undefined;
}

const typeNodes: ReadonlySet<string> = new Set([
  'TSDeclareFunction',
  'TSInterfaceDeclaration',
  'TSTypeAliasDeclaration',
  'TSModuleDeclaration',
]);

function imported(
  resolver: Resolver,
  specifier: Node,
  declaration: Node | null | undefined,
  file: SourceFile,
): AbstractValue | undefined {
  if (specifier.type === 'TSImportEqualsDeclaration') {
    const { moduleReference } = specifier;
    const module =
      moduleReference.type === 'TSExternalModuleReference'
        ? constantText(moduleReference.expression)
        : undefined;
    return module === undefined ? undefined : resolver.importedFrom(module, '*', file);
  }
  return declaration?.type === 'ImportDeclaration'
    ? resolver.importedFrom(declaration.source.value, importedName(specifier), file)
    : undefined;
}

/** The initial value, else whatever is written later: `let pool; pool = new Pool()`. */
function valueOfDeclaration(
  resolver: Resolver,
  variable: Variable,
  declarator: TSESTree.VariableDeclarator,
  file: SourceFile,
): AbstractValue | undefined {
  const name = variable.identifiers[0] as unknown as Node;
  const initial =
    declarator.init === null
      ? elementNamed(declarator, resolver, file)
      : resolver.abstractValueOf(declarator.init, file);
  const bound = valueInPattern(resolver, declarator.id, name, initial, file);
  if (bound !== undefined) return bound;
  for (const written of writesTo(variable)) {
    const abstractValue = resolver.abstractValueOf(written, file);
    if (abstractValue !== undefined) return abstractValue;
  }
  return undefined;
}

function declared(resolver: Resolver, name: Node, file: SourceFile): AbstractValue | undefined {
  // Where the TypeScript parser leaves an annotation out, oxlint's says null.
  if (name.type !== 'Identifier' || !name.typeAnnotation) return undefined;
  return abstractValueOfType(resolver, name.typeAnnotation.typeAnnotation, file);
}

function valueInParameter(
  resolver: Resolver,
  parameter: Node,
  name: Node,
  file: SourceFile,
): AbstractValue | undefined {
  const value =
    elementNamed(parameter, resolver, file) ?? givenByContext(parameter, resolver, file);
  return valueInPattern(resolver, parameter, name, value, file);
}

/** The parameter, as written, in which a name is declared; in a template that may be one without a function. */
function parameterOf(name: Node): Node {
  let each = name;
  for (let up = parentOf(each); up !== undefined && !isFunction(up); up = parentOf(each)) each = up;
  return each;
}

/** What `name` is bound to when `pattern` takes a value apart: `const { pool } = db`. */
function valueInPattern(
  resolver: Resolver,
  pattern: Node,
  name: Node,
  value: AbstractValue | undefined,
  file: SourceFile,
): AbstractValue | undefined {
  if (pattern === name) return asDeclared(value, () => declared(resolver, pattern, file));
  switch (pattern.type) {
    case 'AssignmentPattern':
      return valueInPattern(
        resolver,
        pattern.left,
        name,
        value ?? fallbackValue(resolver, pattern.right, file),
        file,
      );
    case 'TSParameterProperty':
      return valueInPattern(resolver, pattern.parameter, name, value, file);
    case 'ObjectPattern':
      return valueInObjectPattern(resolver, pattern, name, value, file);
    case 'ArrayPattern':
      return valueInArrayPattern(resolver, pattern, name, value, file);
    default:
      return undefined;
  }
}

function valueInObjectPattern(
  resolver: Resolver,
  pattern: TSESTree.ObjectPattern,
  name: Node,
  value: AbstractValue | undefined,
  file: SourceFile,
): AbstractValue | undefined {
  const whole =
    value ??
    (pattern.typeAnnotation
      ? abstractValueOfType(resolver, pattern.typeAnnotation.typeAnnotation, file)
      : undefined);
  for (const property of pattern.properties) {
    if (property.type !== 'Property' || !contains(property.value, name)) continue;
    const key = keyName(property.key, property.computed);
    const member =
      whole === undefined || key === undefined ? undefined : resolver.memberOf(whole, key);
    return valueInPattern(resolver, property.value, name, member, file);
  }
  return undefined;
}

function valueInArrayPattern(
  resolver: Resolver,
  pattern: TSESTree.ArrayPattern,
  name: Node,
  value: AbstractValue | undefined,
  file: SourceFile,
): AbstractValue | undefined {
  const position = pattern.elements.findIndex(
    (element) => element !== null && contains(element, name),
  );
  const element = pattern.elements[position];
  if (element === undefined || element === null || element.type === 'RestElement') return undefined;
  return valueInPattern(
    resolver,
    element,
    name,
    value === undefined ? undefined : resolver.memberOf(value, String(position)),
    file,
  );
}
