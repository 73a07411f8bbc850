import type { TSESTree } from '@typescript-eslint/types';
import { type CallNode, type ClassNode, type FunctionNode, type Node } from '../syntax/node.ts';
import { paramsOf, parameterNamed, partGiven, type NamedParameter } from '../syntax/parameters.ts';
import {
  memberName,
  parentOf,
  unwrap,
  variableOf,
  writesTo,
  type SourceFile,
  declarationOf,
} from '../syntax/source-file.ts';
import { isSamePlace, placeOf } from '../values/apart.ts';
import { constructorOf, indexOfField } from '../values/constructors.ts';
import { assignedIn } from '../values/assigned.ts';
import type { AbstractValue } from '../values/abstract-values.ts';
import { handleAt } from '../values/handles.ts';
import { ownerOfThis } from '../values/resolve-this.ts';
import type { Resolver } from '../values/resolver.ts';
import type { Place } from '../values/same-pool.ts';

interface Caller {
  readonly resolver: Resolver;
  readonly file: SourceFile;
}

/** A parameter that an object keeps of what it was made with: of its class's constructor, or of the function that made it. */
interface KeptParameter extends Omit<NamedParameter, 'fn'> {
  readonly maker: ClassNode | FunctionNode;
}

/** `this.db` of what a constructor is given, and `db` in a function inside of the one whose parameter that is. */
export function keptParameter(place: Place, resolver: Resolver): KeptParameter | undefined {
  const plain = handleBelow(place, resolver);
  if (plain.type === 'Identifier') {
    const named = isSetByCalls(plain, place.file) ? parameterNamed(plain, place.file) : undefined;
    return named && { ...named, maker: named.fn };
  }
  return plain.type === 'MemberExpression' ? inField(plain, place.file) : undefined;
}

function isSetByCalls(name: Node, file: SourceFile): boolean {
  const variable = variableOf(file, name);
  return variable !== undefined && writesTo(variable).length === 0;
}

/** `this.dataSource.manager` speaks to the pool of `this.dataSource`. */
export function handleBelow({ node, file }: Place, resolver: Resolver): Node {
  const plain = unwrap(node);
  return plain.type === 'MemberExpression' && handleAt(plain.object, file, resolver) !== undefined
    ? handleBelow({ node: plain.object, file }, resolver)
    : plain;
}

/** `this.db` in a class with `constructor(private readonly db: Knex)`, or with `this.db = db` in its constructor and nowhere else. */
function inField(member: TSESTree.MemberExpression, file: SourceFile): KeptParameter | undefined {
  const name = memberName(member);
  const self = unwrap(member.object);
  const owner = self.type === 'ThisExpression' ? ownerOfThis(self) : undefined;
  if (name === undefined || owner?.kind !== 'class' || owner.isStatic) return undefined;
  const maker = constructorOf(owner.node);
  const index = maker === undefined ? -1 : indexOfField(name, maker, file);
  const parameter = maker && paramsOf(maker)[index];
  return parameter && { maker: owner.node, parameter, index, key: null };
}

/** The pool that the object of a call was made with: `repository.add()` after `const repository = new Repository(db)`, `createRepository(db)`. */
export function givenToMaker(
  pool: Place,
  call: CallNode,
  caller: Caller,
): Place | 'unknown' | undefined {
  const receiver = receiverOf(call, caller.file);
  return receiver && givenFor(receiver, pool, caller);
}

/** An object in an object may keep what that one was made with: `services.users` after `createServices(db)`. */
function givenFor(receiver: Node, pool: Place, caller: Caller): Place | 'unknown' | undefined {
  const given = givenFirst(receiver, pool, caller);
  const around = unwrap(receiver);
  return given === undefined || given === 'unknown' || around.type !== 'MemberExpression'
    ? given
    : (givenFor(around.object, given, caller) ?? given);
}

function givenFirst(
  receiver: Node,
  pool: Place,
  { resolver, file }: Caller,
): Place | 'unknown' | undefined {
  const kept = keptParameter(pool, resolver);
  if (kept === undefined) return undefined;
  const made = siteOf(resolver.abstractValueOf(receiver, file), kept, pool.file, resolver);
  if (made === undefined || !isSetOnce(receiver, file)) return undefined;
  const argument = made.call.arguments[kept.index];
  if (argument === undefined) return defaultOf(kept, pool.file);
  const node = partGiven(argument, kept);
  return node === undefined ? 'unknown' : { node, file: made.file };
}

/** What a function is called on, or taken out of: `const { findUser } = createQueries(db)`. */
function receiverOf({ callee }: CallNode, file: SourceFile): Node | undefined {
  if (callee.type === 'MemberExpression') return callee.object;
  const definition = declarationOf(variableOf(file, callee));
  return definition?.type === 'VariableDeclarator' && definition.id.type === 'ObjectPattern'
    ? (definition.init ?? undefined)
    : undefined;
}

function defaultOf({ parameter, key }: KeptParameter, file: SourceFile): Place | 'unknown' {
  const declared = parameter.type === 'TSParameterProperty' ? parameter.parameter : parameter;
  return declared.type === 'AssignmentPattern' && key === null
    ? { node: declared.right, file }
    : 'unknown';
}

interface Made {
  readonly call: CallNode | TSESTree.NewExpression;
  readonly file: SourceFile;
}

/** The call that made an object, if that is the one which keeps the parameter. */
function siteOf(
  object: AbstractValue | undefined,
  { maker }: KeptParameter,
  file: SourceFile,
  resolver: Resolver,
): Made | undefined {
  if (object?.kind !== 'instance' && object?.kind !== 'object') return undefined;
  const call = object.site?.node;
  if (object.site === undefined || call === undefined || !isMaking(call)) return undefined;
  const made = { call, file: object.site.file };
  const by =
    call.type === 'NewExpression' ? object : resolver.abstractValueOf(call.callee, made.file);
  return isPlaced(by) && isSamePlace(placeOf(by), placeOf({ node: maker, file }))
    ? made
    : undefined;
}

function isMaking(node: Node): node is Made['call'] {
  return node.type === 'NewExpression' || node.type === 'CallExpression';
}

function isPlaced(
  value: AbstractValue | undefined,
): value is AbstractValue & { readonly kind: 'function' | 'instance' } {
  return value?.kind === 'function' || value?.kind === 'instance';
}

/** Nothing else is ever kept under the name. */
function isSetOnce(receiver: TSESTree.Node, file: SourceFile): boolean {
  const plain = unwrap(receiver);
  if (plain.type === 'MemberExpression')
    return (assignedIn(file).byName.get(memberName(plain) ?? '') ?? []).length < 2;
  if (plain.type !== 'Identifier') return true;
  const variable = variableOf(file, plain);
  const definition = declarationOf(variable);
  if (variable === undefined || definition?.type !== 'VariableDeclarator') return true;
  return (
    writesTo(variable).length <= (definition.init === null ? 1 : 0) ||
    (parentOf(definition) as TSESTree.VariableDeclaration | undefined)?.kind === 'const'
  );
}
