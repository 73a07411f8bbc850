import type { TSESTree } from '@typescript-eslint/types';
import {
  type ClassNode,
  type FunctionNode,
  type Node,
  isClass,
  isFunction,
  type CallNode,
} from '../syntax/node.ts';
import type { Driver } from '../model/drivers.ts';
import type { Library } from '../model/library.ts';
import { calledMember } from '../syntax/call-chain.ts';
import { isParameterName } from '../syntax/parameters.ts';
import type { Itself, Owner, Role, Shape } from '../typestate/acquisition.ts';
import { rootOf } from '../typestate/call-semantics.ts';
import type { Resolver } from '../values/resolver.ts';
import { releasesInMethod } from '../typestate/releasing.ts';
import { someIn, walk } from '../syntax/preorder.ts';
import {
  findAncestor,
  keyName,
  memberName,
  parentOf,
  unwrap,
  variableOf,
  type SourceFile,
  type Variable,
  declarationOf,
} from '../syntax/source-file.ts';

/** A class of objects that keep a client in a field and have methods that give it back. */
interface OwnerClass {
  readonly node: ClassNode;
  readonly file: SourceFile;
}

/**
 * Where the client of such an object is, and which of its methods give it back: surely, or on some of their ways; undefined where none
 * does, where the object does so by itself from its constructor on, and where an ancestor may have more of them.
 */
export function shapeOfOwner(
  { node, file }: OwnerClass,
  field: string,
  driver: Driver,
): Shape | undefined {
  if (node.superClass !== null) return undefined;
  const ends = driver.isTransaction ? driver.releases : [];
  const releasing = node.body.body.flatMap((member) => {
    const [name, fn] = methodOf(member) ?? [];
    return name !== undefined && fn !== undefined && releasesInMethod(fn, file, ends) ? [name] : [];
  });
  if (releasing.length === 0 || releasing.includes('constructor')) return undefined;
  return new Map<string, Role>([
    [field, 'client'],
    ...releasing.map((name): [string, Role] => [
      name,
      surelyGivesBack(name, node, file, driver) ? 'release' : 'ending',
    ]),
  ]);
}

const straight: ReadonlySet<string> = new Set([
  'BlockStatement',
  'TryStatement',
  'ExpressionStatement',
  'ReturnStatement',
  'AwaitExpression',
  'ChainExpression',
  'TSNonNullExpression',
]);

/** Whenever it returns, the client is back, and nothing else of the object tells so. */
function surelyGivesBack(
  name: string,
  owner: ClassNode,
  file: SourceFile,
  driver: Driver,
  seen: readonly string[] = [],
): boolean {
  const fn = owner.body.body.map(methodOf).find((method) => method?.[0] === name)?.[1];
  if (fn === undefined || seen.includes(name) || setsField(fn, file)) return false;
  let gives: Node | undefined;
  let leaves: Node | undefined;
  walk(file, fn.body, (node) => {
    if (isFunction(node)) return false;
    if (node.type === 'ReturnStatement') leaves ??= node;
    if (
      node.type === 'CallExpression' &&
      isStraight(node, fn) &&
      givesBack(node, owner, file, driver, [...seen, name])
    )
      gives ??= node;
    return true;
  });
  return gives !== undefined && (leaves === undefined || gives.range[0] <= leaves.range[1]);
}

function givesBack(
  { callee }: CallNode,
  owner: ClassNode,
  file: SourceFile,
  driver: Driver,
  seen: readonly string[],
): boolean {
  if (callee.type !== 'MemberExpression') return false;
  const name = memberName(callee) ?? '';
  return callee.object.type === 'ThisExpression'
    ? surelyGivesBack(name, owner, file, driver, seen)
    : driver.releases.includes(name);
}

/** Control comes to it unless something throws: it stands under no test, and in no handler. */
function isStraight(node: Node, fn: FunctionNode): boolean {
  for (let up = parentOf(node); up !== undefined && up !== fn; up = parentOf(up))
    if (!straight.has(up.type)) return false;
  return true;
}

function setsField(fn: FunctionNode, file: SourceFile): boolean {
  return someIn(
    file,
    fn.body,
    (node) =>
      node.type === 'AssignmentExpression' &&
      node.left.type === 'MemberExpression' &&
      node.left.object.type === 'ThisExpression',
  );
}

function methodOf(member: Node): readonly [name: string, fn: FunctionNode] | undefined {
  if (member.type !== 'MethodDefinition' && member.type !== 'PropertyDefinition') return undefined;
  const name = keyName(member.key, member.computed);
  return name !== undefined && !member.static && member.value !== null && isFunction(member.value)
    ? [name, member.value]
    : undefined;
}

/** The class that an expression names. */
export function classAt(node: Node, file: SourceFile, resolver: Resolver): OwnerClass | undefined {
  const abstractValue = resolver.abstractValueOf(node, file);
  return abstractValue?.kind === 'class' ? abstractValue : undefined;
}

/** The class whose method a function is; undefined for a static one, and for any other function. */
export function classOfMethod(fn: FunctionNode, file: SourceFile): OwnerClass | undefined {
  const member = parentOf(fn);
  const node = member === undefined ? undefined : findAncestor(member, isClass);
  return node !== undefined && member !== undefined && methodOf(member) !== undefined
    ? { node, file }
    : undefined;
}

/** `client` of `this.client`, the one field of an object that all of these are; undefined where there is another. */
export function fieldAmong(targets: ReadonlySet<Node>): string | undefined {
  const names = new Set(
    [...targets].map((target) =>
      target.type === 'MemberExpression' && target.object.type === 'ThisExpression'
        ? memberName(target)
        : undefined,
    ),
  );
  const [name] = names;
  return names.size === 1 ? name : undefined;
}

/** The field in which a constructor keeps its argument: `constructor(private readonly client: PoolClient)`, `this.client = client`. */
export function fieldOfArgument({ node, file }: OwnerClass, index: number): string | undefined {
  const constructor = node.body.body.find(
    (member): member is TSESTree.MethodDefinition =>
      member.type === 'MethodDefinition' && member.kind === 'constructor',
  )?.value;
  const parameter = constructor?.params[index];
  if (constructor === undefined || parameter === undefined) return undefined;
  if (parameter.type === 'TSParameterProperty')
    return parameter.parameter.type === 'Identifier' ? parameter.parameter.name : undefined;
  return parameter.type === 'Identifier' && constructor.body
    ? fieldSetTo(parameter, constructor.body, file)
    : undefined;
}

function fieldSetTo(
  parameter: TSESTree.Identifier,
  body: Node,
  file: SourceFile,
): string | undefined {
  let field: string | undefined;
  walk(file, body, (node) => {
    if (node.type === 'AssignmentExpression' && isSame(node.right, parameter, file))
      field ??= fieldAmong(new Set([node.left]));
    return field === undefined && !isFunction(node);
  });
  return field;
}

function isSame(name: Node, parameter: Node, file: SourceFile): boolean {
  const plain = unwrap(name);
  return plain.type === 'Identifier' && variableOf(file, plain) === variableOf(file, parameter);
}

/** Where the object is that has the client once it has been asked: `unit` of `unit.begin()`; undefined where it has no name. */
export function ownerOf(
  owner: 'given' | 'receiver',
  call: CallNode,
  file: SourceFile,
): Owner | undefined {
  if (owner === 'given') return { clientOwner: null, answers: 'here' };
  const { callee } = call;
  const object = callee.type === 'MemberExpression' ? unwrap(callee.object) : undefined;
  if (object === undefined || !isNamed(object)) return undefined;
  const isOwn = isMadeFor(variableOf(file, object), rootOf(call, file));
  return { clientOwner: object, answers: isOwn ? 'here' : 'somebody' };
}

/** `unit`, `this`, `this.unit` */
function isNamed(object: Node): boolean {
  return object.type === 'MemberExpression'
    ? !object.computed && isNamed(unwrap(object.object))
    : object.type === 'Identifier' || object.type === 'ThisExpression';
}

/** An object that a function makes and has to itself, where it is only ever asked for members: nobody else can release what it keeps. */
function isMadeFor(variable: Variable | undefined, root: Node): boolean {
  return (
    variable !== undefined &&
    madeIn(root, declarationOf(variable))?.type === 'NewExpression' &&
    isOnlyAsked(variable)
  );
}

/** What goes over a connection once it has been asked to begin; undefined where it has no name. */
export function holderOf(
  call: CallNode,
  handle: Node,
  { derives: { apart } }: Library,
  file: SourceFile,
): Itself | undefined {
  const plain = unwrap(handle);
  if (plain.type === 'MemberExpression') return { handle: plain, answers: 'somebody' };
  if (plain.type !== 'Identifier') return undefined;
  if (isParameterName(plain, file)) return { handle: plain, answers: 'caller' };
  const variable = variableOf(file, plain);
  const made = madeIn(rootOf(call, file), declarationOf(variable));
  const isOwn =
    made?.type === 'CallExpression' &&
    apart?.methods.includes(calledMember(made) ?? '') === true &&
    variable !== undefined &&
    isOnlyAsked(variable);
  return { handle: plain, answers: isOwn ? 'here' : 'somebody' };
}

function isOnlyAsked({ references }: Variable): boolean {
  return references.every(
    ({ identifier, init }) => init === true || isAskedForMember(identifier as unknown as Node),
  );
}

/** What a variable of the function itself begins with: `const unit = new Unit()`. */
function madeIn(root: Node, definition: Node | undefined): Node | undefined {
  return definition?.type === 'VariableDeclarator' &&
    definition.init !== null &&
    findAncestor(definition, isFunction) === root
    ? unwrap(definition.init)
    : undefined;
}

function isAskedForMember(name: Node): boolean {
  const up = parentOf(name);
  return up?.type === 'MemberExpression' && up.object === name;
}
