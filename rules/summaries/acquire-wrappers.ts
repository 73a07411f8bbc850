import type { State } from '../flow/explore.ts';
import { type FunctionNode, type Node, isFunction, type CallNode } from '../syntax/node.ts';
import type { Driver } from '../model/drivers.ts';
import type { WrapperResult, Role, Shape } from '../typestate/acquisition.ts';
import type { Checkout } from '../typestate/checkout.ts';
import type { Fact } from '../typestate/facts.ts';
import type { Status } from '../typestate/protocols.ts';
import { isAmbientAt } from '../values/ambient.ts';
import type { Resolver } from '../values/resolver.ts';
import { returnedAt } from '../typestate/returned.ts';
import { isFalsy } from '../syntax/constants.ts';
import { walk } from '../syntax/preorder.ts';
import { definitionOf, unwrap, variableOf, type SourceFile } from '../syntax/source-file.ts';
import { localObject } from '../typestate/local-objects.ts';
import { isReleasedIn, partsOf, shapeOfCalled } from './made-objects.ts';
import { classOfMethod, fieldAmong, fieldOfArgument, classAt, shapeOfOwner } from './owners.ts';
import type { KnownFunction } from '../typestate/outcome.ts';

/** Says which functions give their caller a client to release. */
export interface AcquireWrappers {
  /** What every path gives on which the function returns with a client that it has just checked out; undefined when it is no getter. */
  wrapperResultOf(fn: KnownFunction): Given | undefined;
}

/** A gift, the driver whose client it is, and whether the function gives a promise of it. */
export interface Given {
  readonly wrapperResult: WrapperResult;
  /** An object of a class has the client: one that the function gives, or the one whose method it is. */
  readonly owner: 'given' | 'receiver' | null;
  readonly driver: Driver;
  readonly style: 'promise' | 'direct';
  /** It gives the client that the calls around keep, where they do. */
  readonly mayBeBorrowed: boolean;
}

/** What a function gives of the clients that are checked out in it. */
export function wrapperResultOf(
  { node, file }: KnownFunction,
  checkouts: readonly Checkout[],
  resolver: Resolver,
): Given | undefined {
  for (const checkout of checkouts) {
    const { style, driver } = checkout.acquisition;
    if (
      style === 'lent' ||
      style === 'provider' ||
      checkout.graph.root !== node ||
      !checkout.exploration.isComplete
    )
      continue;
    const given = givenBy(checkout, node, file, resolver);
    // What a callback gets comes to the caller by a promise only.
    const isAtOnce = style === 'direct' && !node.async;
    if (given === undefined) continue;
    const mayBeBorrowed =
      checkout.acquisition.mayBeBorrowed === true || mayBorrow(checkout, file, resolver);
    return { ...given, driver, style: isAtOnce ? 'direct' : 'promise', mayBeBorrowed };
  }
  return undefined;
}

function givenBy(
  checkout: Checkout,
  fn: FunctionNode,
  file: SourceFile,
  resolver: Resolver,
): Pick<Given, 'wrapperResult' | 'owner'> | undefined {
  const isOwned = checkout.acquisition.owner !== undefined;
  const isBorrowed = (value: Node): boolean => isAmbientHere(value, file, resolver);
  const plain = wrapperResultIn(checkout, isBorrowed, (value, fact) =>
    shapeOf(value, fact, checkout, file),
  );
  if (plain !== undefined) return { wrapperResult: plain, owner: isOwned ? 'given' : null };
  const made = wrapperResultIn(
    checkout,
    isBorrowed,
    (value, fact) =>
      shapeOfMade(madeAs(value, file), fact, checkout, file, resolver) ??
      shapeOfCalled(madeAs(value, file), fact, checkout, file, resolver),
  );
  if (made !== undefined) return { wrapperResult: made, owner: 'given' };
  const kept = keptIn(checkout, fn, file);
  return kept && { wrapperResult: kept, owner: 'receiver' };
}

/** A method that leaves its client in a field of its object wherever it returns. */
function keptIn(
  { storedIn, exploration, acquisition }: Checkout,
  fn: FunctionNode,
  file: SourceFile,
): Shape | undefined {
  const owner = classOfMethod(fn, file);
  const field = fieldAmong(storedIn);
  const ends = exploration.states.filter(({ point }) => point.kind === 'exit');
  return owner !== undefined &&
    field !== undefined &&
    ends.length > 0 &&
    ends.every(({ fact }) => fact.status === 'escaped')
    ? shapeOfOwner(owner, field, acquisition.driver)
    : undefined;
}

type ShapeAt = (value: Node, fact: Fact) => Shape | undefined;

/** An acquire wrapper that sometimes returns something else, such as a client kept for later, leaves open who releases it. */
function wrapperResultIn(
  checkout: Checkout,
  isBorrowed: (value: Node) => boolean,
  shapeAt: ShapeAt,
): WrapperResult | undefined {
  const wrapperResults = checkout.exploration.states
    .filter(({ point }) => point.kind === 'exit')
    .map((state) => wrapperResultAt(state, checkout, isBorrowed, shapeAt));
  const given = wrapperResults.filter((wrapperResult) => wrapperResult !== 'nothing');
  const [first] = given;
  return first !== undefined && given.every((wrapperResult) => isSame(wrapperResult, first))
    ? first
    : undefined;
}

const without: ReadonlySet<Status> = new Set(['none', 'unconnected', 'released']);

function wrapperResultAt(
  state: State<Fact>,
  checkout: Checkout,
  isBorrowed: (value: Node) => boolean,
  shapeAt: ShapeAt,
): WrapperResult | 'nothing' | undefined {
  const { status } = state.fact;
  if (status === 'returned') return checkout.acquisition.shape ?? 'client';
  const value = returnedAt(state, checkout.graph);
  // An acquire wrapper that may fail says so: it gives null, or nothing at all.
  if (without.has(status))
    return value === null || isFalsy(value) || isBorrowed(value) ? 'nothing' : undefined;
  // It came too late for a race, and is lost here.
  if (status === 'pending' && checkout.acquisition.raced !== undefined) return 'nothing';
  return status === 'escaped' && value !== null ? shapeAt(unwrap(value), state.fact) : undefined;
}

/** On some way the function gives what the calls around keep. */
function mayBorrow(
  { exploration, graph }: Checkout,
  file: SourceFile,
  resolver: Resolver,
): boolean {
  return exploration.states.some((state) => {
    const isNothingOurs = state.point.kind === 'exit' && state.fact.status === 'none';
    const value = isNothingOurs ? returnedAt(state, graph) : null;
    return value !== null && isAmbientHere(value, file, resolver);
  });
}

/** `storage.getStore() ?? …`, by a name as well: what else it may be is told by what was checked out. */
function isAmbientHere(value: Node, file: SourceFile, resolver: Resolver): boolean {
  const made = unwrap(madeAs(unwrap(value), file) ?? value);
  const part = made.type === 'LogicalExpression' ? made.left : made;
  return isAmbientAt(unwrap(part), file, resolver);
}

function shapeOf(value: Node, fact: Fact, checkout: Checkout, file: SourceFile): Shape | undefined {
  const shape = new Map<string, Role>();
  const members = localObject(value, file) ?? partsOf(value);
  for (const [key, part] of members) {
    const role = roleOf(part, fact, checkout, file);
    if (role !== undefined) shape.set(key, role);
  }
  // Without a way to release it, the object answers for the client itself.
  return [...shape.values()].length > 0 ? shape : undefined;
}

/** `new Lease(client)`, by its own name or that of a variable. */
function madeAs(value: Node, file: SourceFile): Node | null {
  const definition =
    value.type === 'Identifier' ? definitionOf(variableOf(file, value))?.node : value;
  const node = definition as Node | undefined;
  return node?.type === 'VariableDeclarator' ? node.init : (node ?? null);
}

function shapeOfMade(
  made: Node | null,
  fact: Fact,
  checkout: Checkout,
  file: SourceFile,
  resolver: Resolver,
): Shape | undefined {
  if (made?.type !== 'NewExpression') return undefined;
  const index = made.arguments.findIndex(
    (argument) => checkout.valueOf(argument, fact) === 'client',
  );
  const owner = index === -1 ? undefined : classAt(made.callee, file, resolver);
  const field = owner && fieldOfArgument(owner, index);
  return owner !== undefined && field !== undefined
    ? shapeOfOwner(owner, field, checkout.acquisition.driver)
    : undefined;
}

function roleOf(part: Node, fact: Fact, checkout: Checkout, file: SourceFile): Role | undefined {
  const value = checkout.valueOf(part, fact);
  if (value === 'client' || value === 'release') return value;
  const plain = checkout.closureOf(part) ?? unwrap(part);
  return isFunction(plain) && releases(plain, fact, checkout, file) ? 'release' : undefined;
}

/** `() => client.release()` */
function releases(
  fn: Node & { readonly body: Node },
  fact: Fact,
  checkout: Checkout,
  file: SourceFile,
): boolean {
  let found = false;
  walk(file, fn.body, (node) => {
    if (node.type === 'CallExpression') found ||= isRelease(node, fact, checkout, file);
    return !found;
  });
  return found;
}

function isRelease(call: CallNode, fact: Fact, checkout: Checkout, file: SourceFile): boolean {
  const { releases } = checkout.acquisition.driver;
  return (
    checkout.valueOf(call.callee, fact) === 'release' ||
    call.arguments.some(
      (given) =>
        checkout.valueOf(given, fact) === 'client' && isReleasedIn(call, given, releases, file),
    )
  );
}

function isSame(one: WrapperResult | undefined, other: WrapperResult): boolean {
  if (one === undefined || typeof one === 'string' || typeof other === 'string')
    return one === other;
  return one.size === other.size && [...one].every(([key, role]) => other.get(key) === role);
}
