import type { TSESTree } from '@typescript-eslint/types';
import { methods } from '../../model/drivers.ts';
import { plainMembers } from '../../model/pool-life.ts';
import { requestCollections } from '../../model/request-handlers.ts';
import {
  isClass,
  isFunction,
  type ClassNode,
  type FunctionNode,
  type Node,
} from '../../syntax/node.ts';
import { walk } from '../../syntax/preorder.ts';
import {
  contains,
  definitionOf,
  findAncestor,
  keyName,
  memberName,
  parentOf,
  unwrap,
  variableOf,
  type SourceFile,
  type Variable,
  isMember,
  referencesOf,
} from '../../syntax/source-file.ts';
import { useOf } from '../../syntax/uses.ts';
import { isExportsObject } from '../assigned.ts';
import { isScript } from './lifetime.ts';
import { isNew, isWritten, keep, keepAs, lastName, lose, type Trace, type Way } from './way.ts';

/** What a function gives back is had by calling it. */
export function given(trace: Trace, fn: FunctionNode, way: Way): void {
  if (trace.within !== undefined && contains(fn, trace.within))
    return void trace.found.given.push(way);
  const called = ['()', ...way];
  if (fn.type !== 'FunctionDeclaration') trace.follow(fn, called);
  else declared(trace, fn, called);
}

/** What a declaration of a function or a class stands for. */
function declared(
  trace: Trace,
  node: TSESTree.FunctionDeclaration | TSESTree.ClassDeclaration,
  way: Way,
): void {
  if (node.parent.type === 'ExportDefaultDeclaration') exportAs(trace, ['default', ...way]);
  for (const variable of trace.file.scopes.getDeclaredVariables(node as never))
    if (variable.name === node.id?.name) followVariable(trace, variable, way);
}

export function exportAs(trace: Trace, way: Way): void {
  trace.found.exported.push(way);
  keep(trace, way);
}

/** A member of a class: its own code gets at it by `this`, others by an object. */
export function intoMember(
  trace: Trace,
  member: TSESTree.PropertyDefinition | TSESTree.MethodDefinition,
  way: Way,
): void {
  const name = keyName(member.key, member.computed);
  const owner = findAncestor(member, isClass);
  if (name === undefined || owner === undefined) lose(trace, way);
  else
    intoField(trace, { owner, name, isStatic: member.static, access: member.accessibility }, way);
}

interface Field {
  readonly owner: ClassNode;
  readonly name: string;
  readonly isStatic: boolean;
  readonly access: TSESTree.Accessibility | undefined;
}

export function intoField(trace: Trace, { owner, name, isStatic, access }: Field, way: Way): void {
  if (!isNew(trace, owner, `field ${name}`, way)) return;
  if (owner === trace.within && !isStatic) {
    trace.found.given.push([name, ...way]);
    return referenced(trace, name, way);
  }
  if (trace.held === 0) keep(trace, way);
  const isOwn = name.startsWith('#') || (access ?? accessOf(owner, name)) === 'private';
  referenced(trace, name, way);
  if (isOwn) return;
  trace.found.named.push(lastName([name, ...way]));
  const whole = isStatic ? [name, ...way] : ['new', name, ...way];
  if (owner.type === 'ClassDeclaration') declared(trace, owner, whole);
  else trace.follow(owner, whole);
}

function accessOf({ body }: ClassNode, name: string): TSESTree.Accessibility | undefined {
  return body.body
    .map((member) =>
      member.type === 'PropertyDefinition' && keyName(member.key, member.computed) === name
        ? member.accessibility
        : undefined,
    )
    .find((access) => access !== undefined);
}

/** Members of this name, of whatever object; methods of `this` only. */
function referenced(trace: Trace, name: string, way: Way): void {
  const ofThis = way[0] === '()';
  walk(trace.file, trace.file.ast, (node) => {
    if (
      isMember(node, name) &&
      !isWritten(node) &&
      (!ofThis || node.object.type === 'ThisExpression')
    )
      trace.follow(node, way);
    if (
      node.type === 'VariableDeclarator' &&
      node.id.type === 'ObjectPattern' &&
      node.init?.type === 'ThisExpression'
    )
      bind(trace, node.id, [name, ...way]);
    return true;
  });
}

export function intoSubclass(trace: Trace, node: ClassNode, from: Node, way: Way): void {
  const [first, name, ...rest] = way;
  if (node.superClass !== from || first !== 'new' || name === undefined) return;
  intoField(trace, { owner: node, name, isStatic: false, access: undefined }, rest);
}

/** `constructor(private readonly database: Database)`: an object of the class. */
export function intoTyped(trace: Trace, reference: Node, _node: Node, way: Way): void {
  const [first, ...rest] = way;
  const owner = first === 'new' ? annotated(reference) : undefined;
  if (owner === undefined) return;
  trace.held += 1;
  if (owner.type === 'PropertyDefinition') intoMember(trace, owner, rest);
  else if (owner.type === 'Identifier') {
    const outer = parentOf(owner);
    bind(trace, outer?.type === 'TSParameterProperty' ? outer : owner, rest);
  }
  trace.held -= 1;
}

const enclosingTypes =
  /^TS(?:UnionType|IntersectionType|TypeParameterInstantiation|TypeReference)$/u;

/** What has the type. */
function annotated(reference: Node): Node | undefined {
  let type = reference;
  for (
    let up = parentOf(type);
    up !== undefined && enclosingTypes.test(up.type);
    up = parentOf(type)
  )
    type = up;
  const annotation = parentOf(type);
  return annotation?.type === 'TSTypeAnnotation' ? parentOf(annotation) : undefined;
}

/** A pattern, or what is assigned to, gets the value. */
export function bind(trace: Trace, target: Node, way: Way): void {
  switch (target.type) {
    case 'Identifier':
      return followName(trace, target, way);
    case 'AssignmentPattern':
      return bind(trace, target.left, way);
    case 'TSParameterProperty':
      return bindField(trace, target, way);
    case 'ObjectPattern':
      return bindObject(trace, target, way);
    case 'MemberExpression':
      return bindMember(trace, target, way);
    case 'TSAsExpression':
    case 'TSNonNullExpression':
      return bind(trace, target.expression, way);
    default:
      lose(trace, way);
  }
}

function bindField(trace: Trace, param: TSESTree.TSParameterProperty, way: Way): void {
  const { parameter, accessibility } = param;
  const name = parameter.type === 'AssignmentPattern' ? parameter.left : parameter;
  const owner = findAncestor(param, isClass);
  if (name.type !== 'Identifier' || owner === undefined) return lose(trace, way);
  intoField(trace, { owner, name: name.name, isStatic: false, access: accessibility }, way);
  bind(trace, parameter, way);
}

function bindObject(trace: Trace, { properties }: TSESTree.ObjectPattern, way: Way): void {
  const [first, ...rest] = way;
  for (const each of properties) {
    if (each.type === 'RestElement') {
      bind(trace, each.argument, way);
      continue;
    }
    const name = keyName(each.key, each.computed);
    if (name === undefined || (first === undefined && !plainMembers.has(name))) lose(trace, way);
    else if (name === first) bind(trace, each.value, rest);
  }
}

function bindMember(trace: Trace, target: TSESTree.MemberExpression, way: Way): void {
  const { file } = trace;
  if (isExportsObject(target, file)) return exportAs(trace, way);
  const name = memberName(target);
  const object = unwrap(target.object);
  if (name === undefined) return lose(trace, way);
  const owner = object.type === 'ThisExpression' ? findAncestor(target, isClass) : undefined;
  if (owner !== undefined)
    return intoField(trace, { owner, name, isStatic: false, access: undefined }, way);
  if (intoRequest(trace, object, [name, ...way])) return;
  keep(trace, way);
  const variable = variableOf(file, object);
  const isExports = isExportsObject(object, file);
  if (isExports) exportAs(trace, [name, ...way]);
  if (variable !== undefined && variable.defs.length > 0)
    return followVariable(trace, variable, [name, ...way]);
  referenced(trace, name, way);
  if (!isExports) trace.found.named.push(lastName([name, ...way]));
}

/** `request.db`, `response.locals.db`, `ctx.state.db`: it lasts as long as the request. */
function intoRequest(trace: Trace, object: Node, way: Way): boolean {
  const [whole, ...collection] = pathOf(object);
  const variable = variableOf(trace.file, whole);
  if (
    variable === undefined ||
    !isArgument(variable, trace) ||
    collection.length > 1 ||
    !collection.every((each) => requestCollections.has(each))
  )
    return false;
  const [name = '', ...rest] = way;
  trace.found.attached.push(name);
  referenced(trace, name, rest);
  followVariable(trace, variable, [...collection, ...way]);
  return true;
}

/** `response` and `locals` of `response.locals` */
function pathOf(node: Node): readonly [whole: Node | undefined, ...names: string[]] {
  if (node.type !== 'MemberExpression') return [node];
  const [whole, ...names] = pathOf(unwrap(node.object));
  return [whole, ...names, memberName(node) ?? ''];
}

function isArgument({ identifiers }: Variable, { within, isOfRequest }: Trace): boolean {
  return (
    isOfRequest &&
    within !== undefined &&
    isFunction(within) &&
    within.params.some((param) => param === (identifiers[0] as unknown as Node))
  );
}

function followName(trace: Trace, name: Node, way: Way): void {
  const variable = variableOf(trace.file, name);
  if (variable === undefined || variable.defs.length === 0) {
    keep(trace, way);
    trace.found.named.push(trace.file.text.slice(...name.range));
  } else {
    if (isOuter(variable, name, trace)) trace.found.isOutliving = true;
    followVariable(trace, variable, way);
  }
}

/** It is there before what it is followed within, or another function's. */
function isOuter({ identifiers: [declared] }: Variable, name: Node, { within }: Trace): boolean {
  const own = declared as unknown as Node | undefined;
  if (own === undefined || (within !== undefined && contains(within, own))) return false;
  return (
    (within !== undefined && contains(within, name)) ||
    findAncestor(own, isFunction) !== findAncestor(name, isFunction)
  );
}

export function followVariable(trace: Trace, variable: Variable, way: Way): void {
  const [name] = variable.identifiers;
  if (name === undefined || !isNew(trace, name, 'variable', way)) return;
  const maker = findAncestor(name as unknown as Node, isFunction);
  if (maker === undefined && !way.includes('new') && way[0] !== '()')
    trace.found.isOutliving = true;
  if (isKeeping(variable, trace.file)) keepAs(trace, way);
  if (isExported(variable)) exportAs(trace, [variable.name, ...way]);
  for (const { identifier, init } of variable.references) {
    const node = identifier as unknown as Node;
    if (init !== true) followReference(trace, node, way);
    if (trace.isForLife) capture(trace, node, maker);
  }
}

/** Who has a function that uses it has it as well, and does not get at it. */
function capture(trace: Trace, use: Node, maker: FunctionNode | undefined): void {
  const fn = findAncestor(use, isFunction);
  if (fn === undefined || fn === maker || !isNew(trace, fn, 'captured', [])) return;
  if (fn.type === 'FunctionDeclaration') declared(trace, fn, ['*']);
  else trace.follow(fn, ['*']);
  capture(trace, fn, maker);
}

function followReference(trace: Trace, node: Node, way: Way): void {
  const up = parentOf(node);
  if (up?.type === 'AssignmentExpression' && up.left === node && up.operator === '=') return;
  trace.follow(node, way);
}

/** It lives as long as the program, or other functions use it later, and nobody else gets it. */
function isKeeping(variable: Variable, file: SourceFile): boolean {
  const [name] = variable.identifiers;
  if (name === undefined || isScript(file)) return false;
  const maker = findAncestor(name as unknown as Node, isFunction);
  if (maker === undefined) return true;
  const uses = referencesOf(variable);
  return (
    !uses.some((use) => isEnded(use) || useOf(use).kind === 'returned') &&
    uses.some((use) => findAncestor(use, isFunction) !== maker)
  );
}

const endings: ReadonlySet<string> = new Set([methods.end, 'destroy', 'close']);

function isEnded(use: Node): boolean {
  const up = parentOf(use);
  return up?.type === 'MemberExpression' && up.object === use && endings.has(memberName(up) ?? '');
}

function isExported(variable: Variable): boolean {
  const definition = definitionOf(variable);
  // What declares a parameter is its function.
  if (definition?.type === 'Parameter') return false;
  const node = definition?.node as Node | undefined;
  const declaration = node?.type === 'VariableDeclarator' ? node.parent : node;
  return declaration !== undefined && parentOf(declaration)?.type === 'ExportNamedDeclaration';
}
