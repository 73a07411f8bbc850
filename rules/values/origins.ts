import { isSamePlace, placeOf, replaced, standOf } from './apart.ts';
import type { TSESTree } from '@typescript-eslint/types';
import type { FunctionNode, Node } from '../syntax/node.ts';
import type { Entity, Origin, Reached } from './entities.ts';
import { keyName, parentOf, variableOf, type SourceFile } from '../syntax/source-file.ts';

/**
 * True only when two expressions surely stand for one pool: what is not known to be a pool is the same as nothing. For `client ?? pool`
 * the answer is about the pool, which counts when no client is given.
 */
export function isSamePool(a: Entity | undefined, b: Entity | undefined): boolean {
  const [first, second] = [poolIn(a), poolIn(b)];
  return (
    first !== undefined &&
    second !== undefined &&
    (isSameOrigin(first.origin, second.origin) ||
      isInjectedAlike(first, second) ||
      isSameExport(first, second) ||
      isReachedAlike(first.reached, second.reached))
  );
}

/** A package has one pool of its own, whoever imports it: `import { sql } from 'bun'`. */
function isSameExport(first: Pool, second: Pool): boolean {
  return (
    driverOf(first) === driverOf(second) &&
    [first, second].every(({ origin }) => placeOf(origin).type === 'Program')
  );
}

function driverOf(pool: Pool): unknown {
  return pool.kind === 'pool' ? pool.driver : pool.library;
}

/** What is only declared to be of a class is handed in, and of a class of its own a program makes one pool: `constructor(private db: Database)`. */
function isInjectedAlike(first: Pool, second: Pool): boolean {
  return (
    first.ofClass !== undefined &&
    second.ofClass !== undefined &&
    isSamePlace(first.ofClass, second.ofClass) &&
    [first, second].every(
      ({ origin }) => origin.injected !== undefined || declarations.has(placeOf(origin).type),
    )
  );
}

/** A library has one pool of each name. What is made and what a container injects may be two all the same: the container makes its own. */
function isReachedAlike(
  first: Reached | null | undefined,
  second: Reached | null | undefined,
): boolean {
  if (!first || first.name !== second?.name || first.of !== second.of) return false;
  const ways = [first.by, second.by];
  return !ways.includes('making') || (ways.includes('library') && first.by !== second.by);
}

type Pool = Extract<Entity, { readonly kind: 'pool' | 'handle' }>;

const declarations: ReadonlySet<string> = new Set(['TSTypeReference']);

function poolIn(entity: Entity | undefined): Pool | undefined {
  if (entity?.kind === 'either') return entity.pool;
  return entity?.kind === 'pool' || entity?.kind === 'handle' ? entity : undefined;
}

/**
 * Members of `this` count as the same as those of any object of the class: most such objects exist once. A file may be parsed
 * twice, or not at all, so places are compared and not nodes.
 */
function isSameOrigin(a: Origin, b: Origin): boolean {
  if (a.injected !== undefined && a.injected === b.injected) return true;
  if (!isSamePlace(placeOf(a), placeOf(b))) return false;
  return a.holder === undefined || b.holder === undefined || isSameOrigin(a.holder, b.holder);
}

/** The entity with its origin replaced, if it is of a kind that has one. */
export function withOrigin<Known extends Entity | undefined>(
  entity: Known,
  node: Node,
  file: SourceFile,
): Known {
  return hasOrigin(entity)
    ? (replaced(entity, { origin: { node, file, holder: undefined } }) as unknown as Known)
    : entity;
}

/** What a member or method of an object gives, when the object is one of possibly many. */
export function heldBy(member: Entity | undefined, holder: Origin | undefined): Entity | undefined {
  if (holder === undefined || !hasOrigin(member)) return member;
  // `return this`: it is the object itself.
  if (member.kind === 'instance' && member.origin === undefined)
    return replaced(member, { origin: holder });
  return replaced(member, { origin: below(originOf(member), holder) }) as Entity;
}

function below(origin: Origin, holder: Origin): Origin {
  return replaced(origin, {
    holder: origin.holder === undefined ? holder : below(origin.holder, holder),
  });
}

type WithOrigin = Extract<Entity, { readonly origin: Origin | undefined }>;

function hasOrigin(entity: Entity | undefined): entity is WithOrigin {
  return entity !== undefined && 'origin' in entity;
}

function originOf(entity: WithOrigin): Origin {
  return entity.kind === 'pool' || entity.kind === 'handle'
    ? entity.origin
    : (entity.origin ?? replaced(standOf(entity), { holder: undefined }));
}

/** Which of two pools an expression gives is not known; when they are different ones, the expression is the origin. */
export function eitherOf<Known extends Entity>(
  first: Known,
  second: Entity,
  node: Node,
  file: SourceFile,
): Known {
  return isSamePool(first, second) ? first : withOrigin(first, node, file);
}

/** What a call gives back: what the function makes anew for each caller belongs to the call; what it keeps or has from elsewhere is one for all. */
export function resultOfCall(
  result: Entity | undefined,
  call: TSESTree.CallExpression,
  file: SourceFile,
  fn: KnownFunction,
): Entity | undefined {
  const maker = hasOrigin(result) ? result.origin?.madeBy : undefined;
  return maker !== undefined && isSamePlace(maker, placeOf(fn))
    ? withOrigin(result, call, file)
    : result;
}

/** Notes of what a function gives back whether it makes that itself. */
export function markMade(result: Entity | undefined, fn: KnownFunction): Entity | undefined {
  if (!hasOrigin(result)) return result;
  const whole = originOf(result);
  for (let origin: Origin | undefined = whole; origin !== undefined; origin = origin.holder) {
    if (isMadeIn(origin, fn))
      return replaced(result, { origin: replaced(whole, { madeBy: placeOf(fn) }) }) as Entity;
  }
  return result;
}

interface KnownFunction {
  readonly node: FunctionNode;
  readonly file: SourceFile;
}

/** A function makes it anew each time that it is called, so no two of its calls share it. */
export function isMadeAnew(entity: Entity | undefined, fn: KnownFunction): boolean {
  const pool = poolIn(entity);
  return pool !== undefined && makers.has(placeOf(pool.origin).type) && isMadeIn(pool.origin, fn);
}

const makers: ReadonlySet<string> = new Set(['CallExpression', 'NewExpression']);

function isMadeIn(origin: Origin, fn: KnownFunction): boolean {
  return (
    origin.file.path === fn.file.path &&
    isWithin(origin.node, fn.node) &&
    !isKept(origin.node, fn.node, origin.file)
  );
}

function isWithin(inner: Node, outer: Node): boolean {
  return outer.range[0] <= inner.range[0] && inner.range[1] <= outer.range[1];
}

/** Parents that hand on what they are given. */
const transparent: ReadonlySet<string> = new Set([
  'AwaitExpression',
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'LogicalExpression',
  'ConditionalExpression',
  'SequenceExpression',
]);

/** `this.pool ??= new Pool()`, or the same by way of a local variable: the value outlives the function, and the next call finds it. */
function isKept(made: Node, fn: FunctionNode, file: SourceFile): boolean {
  if (isStored(made, fn, file)) return true;
  const name = declaredAs(made);
  const variable = name === undefined ? undefined : variableOf(file, name);
  return (
    variable?.references.some(({ identifier }) =>
      isStored(identifier as unknown as Node, fn, file),
    ) === true
  );
}

function receiverOf(value: Node): { up: Node | undefined; node: Node } {
  let node = value;
  let up = parentOf(node);
  while (up !== undefined && transparent.has(up.type)) {
    node = up;
    up = parentOf(node);
  }
  return { up, node };
}

function isStored(value: Node, fn: FunctionNode, file: SourceFile): boolean {
  const { up, node } = receiverOf(value);
  if (up?.type !== 'AssignmentExpression' || up.right !== node) return false;
  if (up.left.type === 'MemberExpression')
    return keyName(up.left.property, up.left.computed) !== undefined;
  const declared = variableOf(file, up.left)?.identifiers[0] as unknown as Node | undefined;
  return declared !== undefined && !isWithin(declared, fn);
}

function declaredAs(made: Node): Node | undefined {
  const { up } = receiverOf(made);
  if (up?.type === 'VariableDeclarator') return up.id;
  return up?.type === 'AssignmentExpression' ? up.left : undefined;
}
