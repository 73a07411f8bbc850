import { isSamePlace, placeOf, replaced, standOf } from './apart.ts';
import type { FunctionNode, Node, CallNode } from '../syntax/node.ts';
import type { AbstractValue, AllocationSite, Reached } from './abstract-values.ts';
import {
  keyName,
  parentOf,
  variableOf,
  type SourceFile,
  referencesTo,
} from '../syntax/source-file.ts';

/**
 * True only when two expressions surely stand for one pool: what is not known to be a pool is the same as nothing. For `client ?? pool`
 * the answer is about the pool, which counts when no client is given.
 */
export function isSamePool(a: AbstractValue | undefined, b: AbstractValue | undefined): boolean {
  const [first, second] = [poolIn(a), poolIn(b)];
  return (
    first !== undefined &&
    second !== undefined &&
    (isSameSite(first.site, second.site) ||
      isInjectedAlike(first, second) ||
      isSameExport(first, second) ||
      isReachedAlike(first.reached, second.reached))
  );
}

/** A package has one pool of its own, whoever imports it: `import { sql } from 'bun'`. */
function isSameExport(first: Pool, second: Pool): boolean {
  return (
    driverOf(first) === driverOf(second) &&
    [first, second].every(({ site }) => placeOf(site).type === 'Program')
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
      ({ site }) => site.injected !== undefined || declarations.has(placeOf(site).type),
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

type Pool = Extract<AbstractValue, { readonly kind: 'pool' | 'handle' }>;

const declarations: ReadonlySet<string> = new Set([
  'TSTypeReference',
  'ClassDeclaration',
  'ClassExpression',
]);

function poolIn(abstractValue: AbstractValue | undefined): Pool | undefined {
  if (abstractValue?.kind === 'either') return abstractValue.pool;
  return abstractValue?.kind === 'pool' || abstractValue?.kind === 'handle'
    ? abstractValue
    : undefined;
}

/**
 * Members of `this` count as the same as those of any object of the class: most such objects exist once. A file may be parsed
 * twice, or not at all, so places are compared and not nodes.
 */
function isSameSite(a: AllocationSite, b: AllocationSite): boolean {
  if (a.injected !== undefined && a.injected === b.injected) return true;
  if (!isSamePlace(placeOf(a), placeOf(b))) return false;
  return a.holder === undefined || b.holder === undefined || isSameSite(a.holder, b.holder);
}

/** The abstract value with its allocation site replaced, if it is of a kind that has one. */
export function withSite<Known extends AbstractValue | undefined>(
  abstractValue: Known,
  node: Node,
  file: SourceFile,
): Known {
  return hasSite(abstractValue)
    ? (replaced(abstractValue, { site: { node, file, holder: undefined } }) as unknown as Known)
    : abstractValue;
}

/** What a member or method of an object gives, when the object is one of possibly many. */
export function heldBy(
  member: AbstractValue | undefined,
  holder: AllocationSite | undefined,
): AbstractValue | undefined {
  if (holder === undefined || !hasSite(member)) return member;
  // `return this`: it is the object itself.
  if (member.kind === 'instance' && member.site === undefined)
    return replaced(member, { site: holder });
  return replaced(member, { site: below(siteOf(member), holder) }) as AbstractValue;
}

function below(site: AllocationSite, holder: AllocationSite): AllocationSite {
  return replaced(site, {
    holder: site.holder === undefined ? holder : below(site.holder, holder),
  });
}

type WithSite = Extract<AbstractValue, { readonly site: AllocationSite | undefined }>;

function hasSite(abstractValue: AbstractValue | undefined): abstractValue is WithSite {
  return abstractValue !== undefined && 'site' in abstractValue;
}

function siteOf(abstractValue: WithSite): AllocationSite {
  return abstractValue.kind === 'pool' || abstractValue.kind === 'handle'
    ? abstractValue.site
    : (abstractValue.site ?? replaced(standOf(abstractValue), { holder: undefined }));
}

/** Which of two pools an expression gives is not known; when they are different ones, the expression is the origin. */
export function eitherOf<Known extends AbstractValue>(
  first: Known,
  second: AbstractValue,
  node: Node,
  file: SourceFile,
): Known {
  return isSamePool(first, second) ? first : withSite(first, node, file);
}

/** What a call gives back: what the function makes anew for each caller belongs to the call; what it keeps or has from elsewhere is one for all. */
export function resultOfCall(
  result: AbstractValue | undefined,
  call: CallNode,
  file: SourceFile,
  fn: KnownFunction,
): AbstractValue | undefined {
  const maker = hasSite(result) ? result.site?.madeBy : undefined;
  return maker !== undefined && isSamePlace(maker, placeOf(fn))
    ? withSite(result, call, file)
    : result;
}

/** Notes of what a function gives back whether it makes that itself. */
export function markMade(
  result: AbstractValue | undefined,
  fn: KnownFunction,
): AbstractValue | undefined {
  if (!hasSite(result)) return result;
  const whole = siteOf(result);
  for (let site: AllocationSite | undefined = whole; site !== undefined; site = site.holder) {
    if (isMadeIn(site, fn))
      return replaced(result, { site: replaced(whole, { madeBy: placeOf(fn) }) }) as AbstractValue;
  }
  return result;
}

interface KnownFunction {
  readonly node: FunctionNode;
  readonly file: SourceFile;
}

/** A function makes it anew each time that it is called, so no two of its calls share it. */
export function isMadeAnew(abstractValue: AbstractValue | undefined, fn: KnownFunction): boolean {
  const pool = poolIn(abstractValue);
  return pool !== undefined && makers.has(placeOf(pool.site).type) && isMadeIn(pool.site, fn);
}

const makers: ReadonlySet<string> = new Set(['CallExpression', 'NewExpression']);

function isMadeIn(site: AllocationSite, fn: KnownFunction): boolean {
  return (
    site.file.path === fn.file.path &&
    isWithin(site.node, fn.node) &&
    !isKept(site.node, fn.node, site.file)
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
  return referencesTo(name, file).some((each) => isStored(each, fn, file));
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
