import type { TSESTree } from '@typescript-eslint/types';
import type { Node } from '../flow/graph.ts';
import { drivers, methods } from '../model/drivers.ts';
import { isClass, isFunction, type ClassNode, type Entity } from './entities.ts';
import type { ModuleReader } from './modules.ts';
import { eitherOf, heldBy, resultOfCall, type Origin } from './origins.ts';
import { exportOf, isModuleExports } from './resolve-export.ts';
import { memberOf, returnedBy } from './resolve-member.ts';
import { entityOfType } from './resolve-type.ts';
import { mayLeadToCheckout } from './worth-resolving.ts';
import { definitionOf, findAncestor, keyName, memberName, variableOf, writesTo, type SourceFile, type Variable } from './source-file.ts';

/** Answers what expressions stand for, across files. One resolver serves one linted file. */
export interface Resolver {
  readonly reader: ModuleReader;
  entityOf(node: Node, file: SourceFile): Entity | undefined;
  /** What a function gives back. */
  returnedBy(fn: Entity & { readonly kind: 'function' }): Entity | undefined;
  /** What a type annotation says a value is. */
  entityOfVariable(variable: Variable, file: SourceFile): Entity | undefined;
  /** The answer to a question about a name of something; unknown when it is asked again on the way to its answer, because definitions may go round in circles. */
  unlessAsked(subject: object, name: string, find: () => Entity | undefined): Entity | undefined;
  /** Answers as far as one file tells; it opens no other. */
  readonly local: Resolver;
  /** Opens only files whose text speaks of pools or clients, and files that hand on others' exports: for questions that are asked of every call. */
  readonly near: Resolver;
}

/** Chains of definitions longer than this are unknown; it also ends cycles. */
const maximalDepth = 40;

export function createResolver(reader: ModuleReader): Resolver {
  const known = new Map<Node, Entity | undefined>();
  const asked = new Map<object, Set<string>>();
  let depth = 0;
  let local: Resolver | undefined;
  let near: Resolver | undefined;
  const resolver: Resolver = {
    reader,
    get local() {
      return (local ??= createResolver({ read: () => undefined }));
    },
    get near() {
      return (near ??= createResolver({ read: (specifier, importer) => orNothing(reader.read(specifier, importer), mayLeadToCheckout) }));
    },
    entityOf(node, file) {
      if (known.has(node)) return known.get(node);
      if (depth >= maximalDepth) return undefined;
      // While a node is being resolved it is unknown to itself.
      known.set(node, undefined);
      depth++;
      const entity = entityOfExpression(resolver, node, file);
      depth--;
      known.set(node, entity);
      return entity;
    },
    returnedBy: (fn) => returnedBy(resolver, fn),
    // `let cookies: cookies.Static` sends the question back to the variable itself.
    entityOfVariable: (variable, file) => resolver.unlessAsked(variable, '', () => entityOfVariable(resolver, variable, file)),
    unlessAsked(subject, name, find) {
      const names = asked.get(subject) ?? new Set();
      if (names.has(name)) return undefined;
      asked.set(subject, names.add(name));
      const entity = find();
      names.delete(name);
      return entity;
    },
  };
  return resolver;
}

function orNothing(file: SourceFile | undefined, isWorthOpening: (file: SourceFile) => boolean): SourceFile | undefined {
  return file !== undefined && isWorthOpening(file) ? file : undefined;
}

function entityOfExpression(resolver: Resolver, node: Node, file: SourceFile): Entity | undefined {
  switch (node.type) {
    case 'Identifier':
      return entityOfName(resolver, node, file);
    case 'MemberExpression':
      return entityOfMember(resolver, node, file);
    case 'ThisExpression':
      return entityOfThis(node, file);
    case 'Super':
      return parentInstance(resolver, node, file);
    case 'NewExpression':
      return instanceOf(resolver, node, file);
    case 'CallExpression':
      return resultOf(resolver, node, file);
    case 'ObjectExpression':
      return { kind: 'object', node, file, origin: undefined };
    default:
      return entityOfWrapper(resolver, node, file);
  }
}

function entityOfName(resolver: Resolver, node: TSESTree.Identifier, file: SourceFile): Entity | undefined {
  const variable = variableOf(file, node);
  if (node.name === 'exports' && (variable?.defs.length ?? 0) === 0) return { kind: 'module', file };
  return variable === undefined ? undefined : entityOfVariable(resolver, variable, file);
}

function entityOfMember(resolver: Resolver, node: TSESTree.MemberExpression, file: SourceFile): Entity | undefined {
  if (isModuleExports(node)) return { kind: 'module', file };
  const name = memberName(node);
  const object = resolver.entityOf(node.object, file);
  return name === undefined || object === undefined ? undefined : memberOf(resolver, object, name);
}

function entityOfThis(node: Node, file: SourceFile): Entity | undefined {
  const owner = ownerOf(node);
  if (owner === undefined) return undefined;
  return owner.type === 'ObjectExpression' ? { kind: 'object', node: owner, file, origin: undefined } : { kind: 'instance', node: owner, file, origin: undefined };
}

/** A constant text, or a module that is imported when it is needed. */
function entityOfValue(resolver: Resolver, node: Node, file: SourceFile): Entity | undefined {
  switch (node.type) {
    case 'TemplateLiteral':
    case 'TaggedTemplateExpression':
      return { kind: 'text', node, file };
    case 'Literal':
      return typeof node.value === 'string' ? { kind: 'text', node, file } : undefined;
    case 'BinaryExpression':
      return node.operator === '+' ? { kind: 'text', node, file } : undefined;
    case 'ImportExpression':
      return node.source.type === 'Literal' && typeof node.source.value === 'string' ? importedFrom(resolver, node.source.value, '*', file) : undefined;
    default:
      return undefined;
  }
}

function entityOfWrapper(resolver: Resolver, node: Node, file: SourceFile): Entity | undefined {
  if (isFunction(node)) return { kind: 'function', node, file };
  if (isClass(node)) return { kind: 'class', node, file };
  switch (node.type) {
    case 'AwaitExpression':
      return resolver.entityOf(node.argument, file);
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSTypeAssertion':
      return resolver.entityOf(node.expression, file) ?? entityOfType(resolver, node.typeAnnotation, file);
    case 'TSNonNullExpression':
    case 'ChainExpression':
      return resolver.entityOf(node.expression, file);
    case 'AssignmentExpression':
      return resolver.entityOf(node.right, file);
    case 'LogicalExpression':
      return eitherOf(resolver.entityOf(node.right, file), resolver.entityOf(node.left, file), node, file);
    case 'ConditionalExpression':
      return eitherOf(resolver.entityOf(node.consequent, file), resolver.entityOf(node.alternate, file), node, file);
    default:
      return entityOfValue(resolver, node, file);
  }
}

/** The class or the object literal whose method `this` stands in. */
function ownerOf(node: Node): ClassNode | TSESTree.ObjectExpression | undefined {
  const method = findAncestor(node, isMethodOrClass);
  if (method === undefined || isClass(method)) return method;
  return method.parent.type === 'Property' && method.parent.parent.type === 'ObjectExpression' ? method.parent.parent : findAncestor(method, isClass);
}

/** An arrow function has the `this` of the code around it, and so, in what people write, has a callback. */
function isMethodOrClass(node: Node): node is ClassNode | TSESTree.FunctionExpression {
  return isClass(node) || (node.type === 'FunctionExpression' && node.parent.type === 'Property' && node.parent.value === node);
}

function parentInstance(resolver: Resolver, node: Node, file: SourceFile): Entity | undefined {
  const parent = findAncestor(node, isClass)?.superClass ?? undefined;
  const entity = parent === undefined ? undefined : resolver.entityOf(parent, file);
  return entity?.kind === 'class' ? instanceOfClass(resolver, entity, undefined) : undefined;
}

function instanceOf(resolver: Resolver, node: TSESTree.NewExpression, file: SourceFile): Entity | undefined {
  const callee = resolver.entityOf(node.callee, file);
  if (callee?.kind === 'class') return instanceOfClass(resolver, callee, { node, file, holder: undefined });
  if (callee?.kind === 'package') return callee;
  if (callee?.kind !== 'driver') return undefined;
  if (callee.driver.poolClasses.includes(callee.name)) return { kind: 'pool', driver: callee.driver.module, origin: { node, file, holder: undefined } };
  return callee.driver.connectionClasses.includes(callee.name) ? { kind: 'connection' } : undefined;
}

/** A class that extends a driver's pool makes pools. */
export function instanceOfClass(resolver: Resolver, { node, file }: Entity & { kind: 'class' }, origin: Origin | undefined): Entity {
  const parent = node.superClass === null ? undefined : resolver.entityOf(node.superClass, file);
  if (parent?.kind === 'driver' && parent.driver.poolClasses.includes(parent.name)) return { kind: 'pool', driver: parent.driver.module, origin: origin ?? { node, file, holder: undefined } };
  return { kind: 'instance', node, file, origin };
}

function resultOf(resolver: Resolver, node: TSESTree.CallExpression, file: SourceFile): Entity | undefined {
  const required = requiredModule(node);
  if (required !== undefined) return importedFrom(resolver, required, '*', file);
  const callee = resolver.entityOf(node.callee, file);
  switch (callee?.kind) {
    case 'driver':
      return callee.driver.poolFactories.includes(callee.name) ? { kind: 'pool', driver: callee.driver.module, origin: { node, file, holder: undefined } } : undefined;
    case 'package':
      // What a package's function gives back belongs to the package: `axios.create()`.
      return isPromisify(callee) ? promisified(resolver, node.arguments[0], file) : callee;
    case 'function':
      return heldBy(resultOfCall(returnedBy(resolver, callee), node, file, callee), receiverOrigin(resolver, node.callee, file));
    default:
      return isCheckout(resolver, node, file) ? { kind: 'client' } : undefined;
  }
}

/** Where the object comes from whose method is called. */
function receiverOrigin(resolver: Resolver, callee: Node, file: SourceFile): Origin | undefined {
  const object = callee.type === 'MemberExpression' ? resolver.entityOf(callee.object, file) : undefined;
  return object !== undefined && 'origin' in object ? object.origin : undefined;
}

/** `pool.connect()` */
function isCheckout(resolver: Resolver, { callee, arguments: given }: TSESTree.CallExpression, file: SourceFile): boolean {
  return callee.type === 'MemberExpression' && given.length === 0 && memberName(callee) === methods.acquire && resolver.entityOf(callee.object, file)?.kind === 'pool';
}

function isPromisify({ module, name }: Entity & { kind: 'package' }): boolean {
  return module === 'util' && name === 'promisify';
}

/** `promisify(exec)` does what `exec` does; `promisify(setTimeout)` is what `timers/promises` exports. */
function promisified(resolver: Resolver, original: Node | undefined, file: SourceFile): Entity | undefined {
  if (original === undefined) return undefined;
  if (original.type === 'Identifier' && original.name === 'setTimeout' && variableOf(file, original)?.defs[0] === undefined) return { kind: 'package', module: 'timers/promises', name: 'setTimeout' };
  return resolver.entityOf(original, file);
}

/** `require('module')` */
export function requiredModule({ callee, arguments: [argument] }: TSESTree.CallExpression): string | undefined {
  const isRequire = callee.type === 'Identifier' && callee.name === 'require';
  return isRequire && argument?.type === 'Literal' && typeof argument.value === 'string' ? argument.value : undefined;
}

/** What an import gives: `name` is the exported name, `*` for the whole module. */
export function importedFrom(resolver: Resolver, specifier: string, name: string, importer: SourceFile): Entity | undefined {
  const driver = drivers.find(({ module }) => module === specifier);
  if (driver !== undefined) return { kind: 'driver', driver, name };
  const file = resolver.reader.read(specifier, importer);
  if (file !== undefined) return exportOf(resolver, file, name);
  return specifier.startsWith('.') ? undefined : { kind: 'package', module: specifier.replace(/^node:/u, ''), name };
}

function entityOfVariable(resolver: Resolver, variable: Variable, file: SourceFile): Entity | undefined {
  const definition = definitionOf(variable);
  if (definition === undefined) return undefined;
  const node = definition.node as Node;
  switch (definition.type) {
    case 'ImportBinding':
      return importedFrom(resolver, String((definition.parent as TSESTree.ImportDeclaration).source.value), importedName(node), file);
    case 'FunctionName':
    case 'ClassName':
      return resolver.entityOf(node, file);
    case 'Parameter':
      return declared(resolver, definition.name as unknown as Node, file) ?? entityInPattern(resolver, parameterOf(definition.name as unknown as Node), definition.name as unknown as Node, undefined, file);
    case 'Variable':
      return entityOfDeclaration(resolver, variable, node as TSESTree.VariableDeclarator, file);
    default:
      return undefined;
  }
}

function importedName(specifier: Node): string {
  if (specifier.type === 'ImportDefaultSpecifier') return 'default';
  if (specifier.type !== 'ImportSpecifier') return '*';
  return keyName(specifier.imported, false) ?? '*';
}

/** The initial value, else whatever is written later: `let pool; pool = new Pool()`. */
function entityOfDeclaration(resolver: Resolver, variable: Variable, declarator: TSESTree.VariableDeclarator, file: SourceFile): Entity | undefined {
  const name = variable.identifiers[0] as unknown as Node;
  const initial = declarator.init === null ? undefined : resolver.entityOf(declarator.init, file);
  const bound = entityInPattern(resolver, declarator.id, name, initial, file);
  if (bound !== undefined) return bound;
  for (const written of writesTo(variable)) {
    const entity = resolver.entityOf(written, file);
    if (entity !== undefined) return entity;
  }
  return undefined;
}

function declared(resolver: Resolver, name: Node, file: SourceFile): Entity | undefined {
  // Where the TypeScript parser leaves an annotation out, oxlint's says null.
  if (name.type !== 'Identifier' || !name.typeAnnotation) return undefined;
  return entityOfType(resolver, name.typeAnnotation.typeAnnotation, file);
}

/** The parameter, as written, in which a name is declared. */
function parameterOf(name: Node): Node {
  let each = name;
  while (each.parent !== undefined && !isFunction(each.parent)) each = each.parent;
  return each;
}

/** What `name` is bound to when `pattern` takes a value apart: `const { pool } = db`. */
function entityInPattern(resolver: Resolver, pattern: Node, name: Node, value: Entity | undefined, file: SourceFile): Entity | undefined {
  if (pattern === name) return value ?? declared(resolver, pattern, file);
  switch (pattern.type) {
    case 'AssignmentPattern':
      return entityInPattern(resolver, pattern.left, name, value ?? resolver.entityOf(pattern.right, file), file);
    case 'TSParameterProperty':
      return entityInPattern(resolver, pattern.parameter, name, value, file);
    case 'ObjectPattern':
      return entityInObjectPattern(resolver, pattern, name, value, file);
    default:
      return undefined;
  }
}

function entityInObjectPattern(resolver: Resolver, pattern: TSESTree.ObjectPattern, name: Node, value: Entity | undefined, file: SourceFile): Entity | undefined {
  const whole = value ?? (pattern.typeAnnotation ? entityOfType(resolver, pattern.typeAnnotation.typeAnnotation, file) : undefined);
  for (const property of pattern.properties) {
    if (property.type !== 'Property' || !contains(property.value, name)) continue;
    const key = keyName(property.key, property.computed);
    const member = whole === undefined || key === undefined ? undefined : memberOf(resolver, whole, key);
    return entityInPattern(resolver, property.value, name, member, file);
  }
  return undefined;
}

function contains(outer: Node, inner: Node): boolean {
  return outer.range[0] <= inner.range[0] && inner.range[1] <= outer.range[1];
}
