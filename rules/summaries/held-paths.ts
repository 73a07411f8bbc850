import type { TSESTree } from '@typescript-eslint/types';
import type { Library } from '../model/library.ts';
import { type FunctionNode, type Node, isFunction, type CallNode } from '../syntax/node.ts';
import { declaredBy, paramsOf } from '../syntax/parameters.ts';
import {
  definitionOf,
  findAncestor,
  keyName,
  memberName,
  unwrap,
  variableOf,
  type SourceFile,
  declarationOf,
} from '../syntax/source-file.ts';

/** A connection that somebody holds, as an expression has it. */
export interface Held {
  /** Null for a driver's client. */
  readonly library: Library | null;
  /** Expressions with one of these hold one connection. */
  readonly of: unknown;
}

/** Where a function finds it: in a parameter, of its own or of a function further out, or in a member of `this`. */
export interface Given {
  /** How many functions further out; null for `this`. */
  readonly level: number | null;
  readonly index: number;
  /** The member of the parameter or of `this`; undefined for the parameter itself. */
  readonly key: string | undefined;
  readonly held: Held;
}

/** Tells what code holds: by an expression, or by a member of an expression. */
export interface HeldPaths {
  readonly at: (node: Node) => Held | undefined;
  readonly member: (object: Node, key: string) => Held | undefined;
  /** The members of an object that are held. */
  readonly keysOf: (object: Node) => readonly string[];
}

/** So many constants are followed from one to the next. */
const mostConstants = 6;

/** What a function holds that was given something. */
export function heldIn(fn: FunctionNode, given: readonly Given[], file: SourceFile): HeldPaths {
  const places = given.map((each) => ({ ...each, holds: holderOf(fn, each, file) }));
  return heldThrough(
    {
      at: (node) => places.find(({ key, holds }) => key === undefined && holds(node))?.held,
      member: (object, name) =>
        places.find(({ key, holds }) => key === name && holds(object))?.held,
      keysOf: (object) =>
        places.flatMap(({ key, holds }) => (key !== undefined && holds(object) ? [key] : [])),
    },
    file,
  );
}

/** Tells the parameter, or the name that a pattern binds its member to; or `this`. */
function holderOf(
  fn: FunctionNode,
  { level, index }: Given,
  file: SourceFile,
): (node: Node) => boolean {
  if (level === null) return (node) => unwrap(node).type === 'ThisExpression';
  let owner: FunctionNode | undefined = fn;
  for (let left = level; left > 0 && owner !== undefined; left -= 1)
    owner = findAncestor(owner, isFunction);
  const declared = declaredBy(owner && paramsOf(owner)[index]);
  const variable = variableOf(file, declared);
  return (node) => {
    const plain = unwrap(node);
    if (plain === declared) return true;
    return (
      variable !== undefined && plain.type === 'Identifier' && variableOf(file, plain) === variable
    );
  };
}

/** The same through constants, objects that are written in place, and what derives from a library's handle. */
export function heldThrough(
  { at, member, keysOf }: HeldPaths,
  file: SourceFile,
  left = mostConstants,
): HeldPaths {
  const next = (): HeldPaths => heldThrough({ at, member, keysOf }, file, left - 1);
  const heldAt = (node: Node): Held | undefined => {
    const plain = unwrap(node);
    const held = at(plain);
    if (held !== undefined || left === 0) return held;
    if (plain.type === 'Identifier') return boundAt(plain, next(), file);
    if (plain.type === 'LogicalExpression')
      return plain.operator === '&&' ? undefined : heldAt(plain.left);
    if (plain.type === 'MemberExpression') return memberAt(plain, next());
    return plain.type === 'CallExpression' ? derivedAt(plain, next()) : undefined;
  };
  return {
    at: heldAt,
    member(object, key) {
      const held = member(object, key);
      const written = left === 0 ? undefined : objectAt(object, file);
      return held ?? (written && propertyOf(written, key, next()));
    },
    keysOf(object) {
      const written = objectAt(object, file);
      return [...keysOf(object), ...(written === undefined ? [] : namesIn(written))];
    },
  };
}

/** `const { trx } = options`, `const repository = manager.getRepository(User)`, and a parameter `{ trx }`. */
function boundAt(name: TSESTree.Identifier, paths: HeldPaths, file: SourceFile): Held | undefined {
  const definition = definitionOf(variableOf(file, name));
  if (definition === undefined) return undefined;
  const node = definition.node as Node;
  if (definition.type === 'Parameter')
    return isFunction(node) ? boundByParameter(node, definition.name, paths) : undefined;
  if (node.type !== 'VariableDeclarator' || node.parent.kind !== 'const' || node.init === null)
    return undefined;
  if (node.id.type === 'Identifier') return paths.at(node.init);
  const key = keyBoundTo(node.id, definition.name);
  return key === undefined
    ? undefined
    : (paths.member(node.init, key) ?? derivedMember(paths.at(node.init), key));
}

function boundByParameter(
  { params }: FunctionNode,
  name: unknown,
  paths: HeldPaths,
): Held | undefined {
  const pattern = declaredBy(params.find((each) => bindsIn(each, name)));
  const key = pattern && keyBoundTo(pattern, name);
  return pattern && key !== undefined ? paths.member(pattern, key) : undefined;
}

function bindsIn(param: Node, name: unknown): boolean {
  const pattern = declaredBy(param);
  return pattern !== undefined && keyBoundTo(pattern, name) !== undefined;
}

/** The key under which an object's pattern binds a name. */
function keyBoundTo(pattern: Node, name: unknown): string | undefined {
  if (pattern.type !== 'ObjectPattern') return undefined;
  const property = pattern.properties.find(
    (each) => each.type === 'Property' && declaredBy(each.value) === name,
  );
  return property?.type === 'Property' ? keyName(property.key, property.computed) : undefined;
}

function memberAt(node: TSESTree.MemberExpression, paths: HeldPaths): Held | undefined {
  const name = memberName(node);
  return name === undefined
    ? undefined
    : (paths.member(node.object, name) ?? derivedMember(paths.at(node.object), name));
}

/** `queryRunner.manager` */
function derivedMember(held: Held | undefined, name: string): Held | undefined {
  return held?.library?.derives.members.includes(name) === true ? held : undefined;
}

/** `manager.getRepository(User)` */
function derivedAt({ callee }: CallNode, paths: HeldPaths): Held | undefined {
  if (callee.type !== 'MemberExpression') return undefined;
  const held = paths.at(callee.object);
  return held?.library?.derives.methods.includes(memberName(callee) ?? '') === true
    ? held
    : undefined;
}

/** An object that is written in place, or that a constant is. */
function objectAt(node: Node, file: SourceFile): TSESTree.ObjectExpression | undefined {
  const plain = unwrap(node);
  if (plain.type === 'ObjectExpression') return plain;
  const made = plain.type === 'Identifier' ? constantAt(plain, file) : undefined;
  return made?.type === 'ObjectExpression' ? made : undefined;
}

/** What a constant is. */
export function constantAt(name: Node, file: SourceFile): Node | undefined {
  const node = declarationOf(variableOf(file, name));
  return node?.type === 'VariableDeclarator' &&
    node.parent.kind === 'const' &&
    node.id.type === 'Identifier' &&
    node.init !== null
    ? unwrap(node.init)
    : undefined;
}

function propertyOf(
  { properties }: TSESTree.ObjectExpression,
  key: string,
  paths: HeldPaths,
): Held | undefined {
  const property = properties.findLast(
    (each) => each.type === 'SpreadElement' || keyName(each.key, each.computed) === key,
  );
  if (property === undefined) return undefined;
  return property.type === 'Property'
    ? paths.at(property.value)
    : paths.member(property.argument, key);
}

function namesIn({ properties }: TSESTree.ObjectExpression): readonly string[] {
  return properties.flatMap((each) =>
    each.type === 'Property' ? (keyName(each.key, each.computed) ?? []) : [],
  );
}
