import type { TSESTree } from '@typescript-eslint/types';
import type { Node, CallNode } from '../syntax/node.ts';
import { clientProperties, methods, type Driver } from '../model/drivers.ts';
import { isKeptElsewhere, promiseOf, type Acquisition } from './acquisition.ts';
import { createAccessPathOf } from './find-access-path.ts';
import { createAccessPathTable, type AccessPath, type InternAccessPath } from './access-path.ts';
import { heldBy, isTruthy, type Fact, type Value } from './facts.ts';
import { proxied } from '../syntax/proxies.ts';
import { originalName } from '../syntax/exports.ts';
import { memberName, parentOf, unwrap, type SourceFile } from '../syntax/source-file.ts';

/** Finds access paths and reads values, for one acquisition in one file. */
export interface AccessPaths {
  /** The access path that an expression or pattern names; undefined for anything else. */
  accessPathOf(node: Node): AccessPath | undefined;
  readonly intern: InternAccessPath;
  /** What an expression evaluates to, given a fact that holds right after it was evaluated. */
  valueOf(node: Node, fact: Fact): Value | undefined;
}

export function createAccessPaths(
  file: SourceFile,
  acquisition: Acquisition,
  argumentOf: (name: Node) => Value | undefined,
): AccessPaths {
  const intern = createAccessPathTable();
  const accessPathOf = createAccessPathOf(file, intern);
  const valueOf = rememberForFact((node, fact) => {
    const plain = unwrap(node);
    const accessPath = accessPathOf(plain);
    const kept = isNegation(plain) ? undefined : heldBy(fact, accessPath);
    if (kept !== undefined) return kept;
    if (plain === promiseOf(acquisition)) return valueOfAcquire(acquisition, fact);
    if (plain.type === 'Identifier') return valueOfConstant(plain) ?? argumentOf(plain);
    if (plain.type === 'Literal') return valueOfConstant(plain);
    const read = (operand: Node): Value | undefined => valueOf(operand, fact);
    return (
      valueOfMark(plain, fact, acquisition.driver, read, intern) ??
      valueOfAwaited(plain, acquisition) ??
      valueOfAsked(plain, acquisition, fact, read) ??
      valueOfProxy(plain, acquisition.driver, read, file) ??
      valueOfCompound(plain, acquisition, read, file)
    );
  });
  return { accessPathOf, valueOf, intern };
}

/** Each expression is read once for a fact: a chain would be read again with each of its parts. */
function rememberForFact(read: AccessPaths['valueOf']): AccessPaths['valueOf'] {
  let last: { readonly fact: Fact; readonly values: Map<Node, Value | undefined> } | undefined;
  return (node, fact) => {
    if (last?.fact !== fact) last = { fact, values: new Map() };
    const { values } = last;
    if (!values.has(node)) values.set(node, read(node, fact));
    return values.get(node);
  };
}

function valueOfAcquire({ style, kept }: Acquisition, fact: Fact): Value | undefined {
  if (style === 'direct') return 'client';
  if (style === 'provider') return 'provider';
  if (kept?.isGiven === true && fact.status === 'released') return 'promise';
  return isOut(fact) && style === 'promise' ? 'promise' : undefined;
}

/** `runner.isReleased`, `trx.isCompleted()`, and `connection.promise()`, which is the same client. */
function valueOfAsked(
  node: Node,
  { driver: { tellsReleased, tellsTransaction, views }, style }: Acquisition,
  fact: Fact,
  read: (operand: Node) => Value | undefined,
): Value | undefined {
  const member = node.type === 'CallExpression' ? node.callee : node;
  const name = memberName(member);
  if (member.type !== 'MemberExpression' || name === undefined) return undefined;
  const told = ownValue(tellsReleased, name);
  const isView = views.includes(name) && node !== member;
  const isKnown = told !== undefined || name === tellsTransaction || isView;
  if (!isKnown || read(member.object) !== 'client') return undefined;
  if (isView) return 'client';
  return told === undefined ? isInTransaction(fact, style) : toldOfRelease(told, fact);
}

function ownValue<Each>(of: Readonly<Record<string, Each>>, name: string): Each | undefined {
  return Object.hasOwn(of, name) ? of[name] : undefined;
}

function toldOfRelease(
  [before, after]: Driver['tellsReleased'][string],
  { status }: Fact,
): Value | undefined {
  if (status === 'released') return after ?? undefined;
  return status === 'held' || status === 'unconnected' ? before : undefined;
}

/** Whoever had the client before, or was lent it, may have begun a transaction as well. */
function isInTransaction(
  { transaction, wasLent }: Fact,
  style: Acquisition['style'],
): Value | undefined {
  if (transaction === 'open') return 'true';
  return style === 'direct' && !wasLent ? 'false' : undefined;
}

function valueOfMark(
  node: Node,
  fact: Fact,
  driver: Driver,
  read: (operand: Node) => Value | undefined,
  intern: InternAccessPath,
): Value | undefined {
  const mark = node.type === 'MemberExpression' ? markOf(node, driver, read, intern) : undefined;
  return mark === undefined ? undefined : (heldBy(fact, mark) ?? 'nothing');
}

/** What an acquire wrapper gives that puts its client into something. */
function valueOfAwaited(node: Node, acquisition: Acquisition): Value | undefined {
  const { shape } = acquisition;
  if (
    node.type !== 'AwaitExpression' ||
    shape === undefined ||
    unwrap(node.argument) !== promiseOf(acquisition)
  )
    return undefined;
  return isKeptElsewhere(acquisition) ? 'some' : 'container';
}

/** A client that came back is not what the call gives where a branch leaves it out. */
function isOut({ status }: Fact): boolean {
  return status === 'pending' || status === 'held' || status === 'escaped';
}

/** Who has a proxy of the client has the client. */
function valueOfProxy(
  node: Node,
  driver: Driver,
  read: (operand: Node) => Value | undefined,
  file: SourceFile,
): Value | undefined {
  const target = node.type === 'NewExpression' ? clientProxied(node, driver, file) : undefined;
  const value = target && read(target);
  return value === 'client' ? value : undefined;
}

/** What a proxy stands for that leaves the release to its target. */
export function clientProxied(
  made: TSESTree.NewExpression,
  { releases, ends }: Driver,
  file: SourceFile,
): Node | undefined {
  return proxied(made, [...releases, ...ends], file);
}

function valueOfCompound(
  node: Node,
  acquisition: Acquisition,
  read: (operand: Node) => Value | undefined,
  file: SourceFile,
): Value | undefined {
  switch (node.type) {
    case 'AwaitExpression': {
      const value = read(node.argument);
      return value === 'promise' ? 'client' : value;
    }
    case 'AssignmentExpression':
      return read(node.operator === '=' ? node.right : node.left);
    case 'LogicalExpression':
      return ownOnly(read(node.right)) ?? ownOnly(read(node.left));
    case 'ConditionalExpression':
      return ownOnly(read(node.consequent)) ?? ownOnly(read(node.alternate));
    case 'MemberExpression':
      return valueOfMember(node, read(node.object), acquisition);
    case 'CallExpression':
      if (isBound(node) && read(node.callee.object) === 'release') return 'release';
      return read(node.callee) === 'provider' ? 'promise' : undefined;
    case 'ObjectExpression':
    case 'ArrayExpression':
      return parts(node).some((part) => ownOnly(read(part)) !== undefined) ? 'collection' : 'some';
    case 'NewExpression':
      // What is made with the client keeps it, as far as one can tell.
      return node.arguments.some((argument) => isCarried(read(argument))) ? 'collection' : 'some';
    case 'BinaryExpression':
      return valueOfQuestion(node, read, file);
    case 'UnaryExpression':
      return node.operator === '!' ? valueOfNegation(read(node.argument)) : valueOfConstant(node);
    default:
      return valueOfConstant(node);
  }
}

function valueOfMember(
  node: TSESTree.MemberExpression,
  object: Value | undefined,
  { driver: { releases }, shape }: Acquisition,
): Value | undefined {
  // `pair[0]`: an element has no access path of its own.
  if (object === 'container' && node.computed) return shape?.get(memberName(node) ?? '');
  if (object === 'client') return releases.includes(memberName(node) ?? '') ? 'release' : undefined;
  if (object === 'null' && node.optional) return 'null';
  return object === 'collection' && isAskedToRelease(node, releases) ? 'client' : undefined;
}

/** `session.client.release()`: what a thing around the client has that can be released is the client. */
function isAskedToRelease(node: Node, releases: readonly string[]): boolean {
  const up = parentOf(node);
  if (
    up?.type === 'TSAsExpression' ||
    up?.type === 'TSNonNullExpression' ||
    up?.type === 'ChainExpression'
  )
    return isAskedToRelease(up, releases);
  return (
    up?.type === 'MemberExpression' && up.object === node && releases.includes(memberName(up) ?? '')
  );
}

function isCarried(value: Value | undefined): boolean {
  return value === 'client' || value === 'collection';
}

/** `client.release.bind(client)` */
function isBound(node: CallNode): node is CallNode & { callee: TSESTree.MemberExpression } {
  return memberName(node.callee) === 'bind';
}

function valueOfNegation(value: Value | undefined): Value | undefined {
  const isTrue = isTruthy(value);
  return isTrue === undefined ? undefined : isTrue ? 'false' : 'true';
}

function valueOfQuestion(
  node: TSESTree.BinaryExpression,
  read: (operand: Node) => Value | undefined,
  file: SourceFile,
): Value | undefined {
  if (node.operator === 'instanceof')
    return read(node.left) === 'client' ? asksForClass(node, file) : undefined;
  return read(node.right) === 'client' && asksForMember(node) ? 'true' : undefined;
}

/**
 * The access path of a property that the program itself put on its client. On a client fresh from the pool such a property is taken as
 * not set; names that start with an underscore, and the driver's own, are not known.
 */
export function markOf(
  node: TSESTree.MemberExpression,
  { properties }: Driver,
  read: (operand: Node) => Value | undefined,
  intern: InternAccessPath,
): AccessPath | undefined {
  const name = memberName(node);
  return name === undefined ||
    name.startsWith('_') ||
    clientProperties.has(name) ||
    properties.includes(name) ||
    read(node.object) !== 'client'
    ? undefined
    : intern({ kind: 'mark', property: name });
}

/** `client instanceof Pool` */
function asksForClass({ right }: TSESTree.BinaryExpression, file: SourceFile): Value | undefined {
  const name = right.type === 'MemberExpression' ? memberName(right) : originalName(right, file);
  return name === 'Pool'
    ? 'false'
    : name === 'Client' || name === 'PoolClient'
      ? 'true'
      : undefined;
}

const clientMembers: ReadonlySet<string> = new Set(Object.values(methods));

/** `'release' in client` */
function asksForMember({ operator, left }: TSESTree.BinaryExpression): boolean {
  return operator === 'in' && left.type === 'Literal' && clientMembers.has(String(left.value));
}

/** Which branch gave the value is not known here; only ours can come from just one of them. */
function ownOnly(value: Value | undefined): Value | undefined {
  return value === 'client' ||
    value === 'container' ||
    value === 'promise' ||
    value === 'provider' ||
    value === 'release' ||
    value === 'collection'
    ? value
    : undefined;
}

function parts(node: Node): readonly Node[] {
  if (node.type === 'ArrayExpression') return node.elements.filter((element) => element !== null);
  return node.type === 'ObjectExpression'
    ? node.properties.map((property) =>
        property.type === 'Property' ? property.value : property.argument,
      )
    : [];
}

export function valueOfConstant(node: Node): Value | undefined {
  if (node.type === 'Identifier') return node.name === 'undefined' ? 'null' : undefined;
  if (node.type === 'UnaryExpression' && node.operator === 'void') return 'null';
  if (node.type !== 'Literal') return undefined;
  if (node.value === null) return 'null';
  return typeof node.value === 'boolean' ? `${node.value}` : undefined;
}

function isNegation(node: Node): boolean {
  return node.type === 'BinaryExpression' && node.operator.startsWith('!');
}
