import { libraries, libraryFor } from '../model/libraries.ts';
import type { Ambient, Library } from '../model/library.ts';
import { calledMember } from '../syntax/call-chain.ts';
import { type FunctionNode, type Node, isFunction, type CallNode } from '../syntax/node.ts';
import { decoratorsOf } from '../syntax/decorators.ts';
import { parentOf, unwrap, type SourceFile } from '../syntax/source-file.ts';
import { constantText } from '../syntax/constants.ts';
import { isPropagation, optionIn, optionsOf, textOrMember } from './reached.ts';
import type { Resolver } from './resolver.ts';

/** A decorator or function of a library that holds a connection while the code that it is given runs. */
export interface Holding {
  /** `@Transactional()`, `runInTransaction(async () => …)` */
  readonly call: CallNode;
  /** What stands for the pool: the call itself, or `host` of `host.withTransaction(async () => …)`. */
  readonly handle: Node;
  readonly library: Library;
  /** Whether a connection is held meanwhile. */
  readonly isHeld: boolean;
  /** It takes a connection of its own inside a transaction, too. */
  readonly isApart: boolean;
  /** The code runs outside of the transaction around it. */
  readonly leaves: boolean;
}

/** What a call of such a function or decorator comes to; undefined where its propagation does not show. */
export function holdingBy(node: Node, file: SourceFile, resolver: Resolver): Holding | undefined {
  const call = unwrap(node);
  if (call.type !== 'CallExpression') return undefined;
  const holder = holderOf(call, file, resolver);
  if (holder === undefined) return undefined;
  const { library } = holder;
  const { ambient } = library;
  if (ambient === null) return { call, ...holder, isHeld: true, isApart: true, leaves: false };
  const propagation = propagationOf(call, ambient);
  if (propagation === undefined) return undefined;
  return {
    call,
    ...holder,
    isHeld: !ambient.none.includes(propagation),
    isApart: ambient.apart.includes(propagation),
    leaves: ambient.leaves.includes(propagation),
  };
}

function holderOf(
  call: CallNode,
  file: SourceFile,
  resolver: Resolver,
): Pick<Holding, 'handle' | 'library'> | undefined {
  const runner = runnerOf(call, file, resolver);
  if (runner !== undefined) return runner;
  // It is asked of every call of a file.
  if (resolver.reader.leadsToHolder?.(file) === false) return undefined;
  const value = resolver.abstractValueOf(call.callee, file);
  const library = value?.kind === 'driver' ? libraryFor(value.driver) : undefined;
  return library !== undefined && value?.kind === 'driver' && library.holds.includes(value.name)
    ? { handle: call, library }
    : undefined;
}

/** `host` of `host.withTransaction(async () => …)` */
function runnerOf(
  call: CallNode,
  file: SourceFile,
  resolver: Resolver,
): Pick<Holding, 'handle' | 'library'> | undefined {
  const { callee } = call;
  const name = calledMember(call) ?? '';
  if (callee.type !== 'MemberExpression' || !runners.has(name)) return undefined;
  const value = resolver.abstractValueOf(callee.object, file);
  return value?.kind === 'handle' && runsBy(name, value.library)
    ? { handle: callee.object, library: value.library }
    : undefined;
}

/** `withTransaction`, whose callback gets nothing. */
function runsBy(name: string, { lends }: Library): boolean {
  return lends.some(({ path, gives }) => gives === 'nothing' && path === name);
}

const runners: ReadonlySet<string> = new Set(
  libraries.flatMap(({ lends }) =>
    lends.flatMap(({ path, gives }) => (gives === 'nothing' ? path : [])),
  ),
);

/** What a call says of the transaction around it; undefined where that does not show. */
function propagationOf(call: CallNode, ambient: Ambient): string | undefined {
  if (ambient.propagation !== null)
    return optionIn(optionsOf(call), ambient.propagation, 'default');
  const others = call.arguments.map((each) => unwrap(each)).filter(({ type }) => !isPlain(type));
  const found = others
    .map((each) => textOrMember(each))
    .find((text) => isPropagation(text, ambient));
  return (
    found ?? (others.every((each) => constantText(each) !== undefined) ? 'default' : undefined)
  );
}

/** A function or options that are spelled out. */
function isPlain(type: Node['type']): boolean {
  return type === 'ObjectExpression' || type.endsWith('FunctionExpression');
}

/** What holds a connection while a method runs. */
export function enclosingHolding(
  fn: FunctionNode,
  file: SourceFile,
  resolver: Resolver,
): Holding | undefined {
  const method = parentOf(fn);
  if (method?.type !== 'MethodDefinition') return undefined;
  for (const { expression } of decoratorsOf(method)) {
    const holding = holdingBy(expression, file, resolver);
    if (holding !== undefined) return holding;
  }
  return undefined;
}

/** The libraries whose transactions are around code, as far as the functions around it tell. */
export function enclosingAmbient(
  node: Node,
  file: SourceFile,
  resolver: Resolver,
): readonly Library[] {
  const found: Library[] = [];
  for (let each = parentOf(node); each !== undefined; each = parentOf(each)) {
    if (!isFunction(each)) continue;
    const up = parentOf(each);
    const holding = enclosingHolding(each, file, resolver) ?? (up && holdingBy(up, file, resolver));
    if (holding?.isHeld === true && holding.library.ambient !== null) found.push(holding.library);
  }
  return found;
}
