import { methods } from '../model/drivers.ts';
import { lastEvent } from '../model/emitters.ts';
import { libraryOf } from '../model/libraries.ts';
import { calledName, nameOfFunction } from '../syntax/calls.ts';
import { excerpt } from '../syntax/excerpt.ts';
import { type Node, isFunction } from '../syntax/node.ts';
import {
  contains,
  findAncestor,
  memberName,
  parentOf,
  type SourceFile,
} from '../syntax/source-file.ts';
import { callbackOf } from '../typestate/call-semantics.ts';
import { pathTo, type State } from '../flow/explore.ts';
import type { Checkout } from '../typestate/checkout.ts';
import type { Fact } from '../typestate/facts.ts';
import { callbackGiven, releaseCode, releasersOf, workersOf } from './release-code.ts';
import { isLeftToStream } from './released-by-events.ts';
import type { Here } from '../values/resolver.ts';

/** How control leaves while the client is out. */
export interface Leaving {
  /** The statement that leaves, or what throws or rejects; null at the end of the function. */
  readonly node: Node | null;
  readonly how: 'exit' | 'throw' | 'reject';
  /** What has failed before, and was caught. */
  readonly caught?: Node | undefined;
}

/** What to do about a leak that leaves the program right: an imperative. Nothing leaves where no way releases the client. */
export function cureOf(
  checkout: Checkout,
  leaving: Leaving | undefined,
  here: Here,
  alike: readonly Checkout[],
): string {
  const { call, driver, mayBeBorrowed } = checkout.acquisition;
  const ofPromise = leaving?.how === 'throw' ? cureOfPromise(leaving.node, checkout) : undefined;
  if (ofPromise !== undefined) return ofPromise;
  if (driver.isTransaction) return cureOfTransaction(leaving, checkout);
  if (mayBeBorrowed === true)
    return 'Release it in a `finally`, unless the surrounding calls hold it';
  const code = releaseCode(checkout, leaving?.node ?? call, here, alike);
  const handover = leaving === undefined ? undefined : handoverOf(checkout);
  return leaving !== undefined && handover !== undefined
    ? cureBesideHandover(handover, leaving, code, checkout)
    : cureOfClient(leaving, code, checkout, here);
}

/** What throws beside the promise of the client leaves that promise behind. */
function cureOfPromise(
  thrower: Node | null,
  { acquisition: { joined, raced } }: Checkout,
): string | undefined {
  if (thrower === null) return undefined;
  if (raced !== undefined && contains(thrower, raced.call))
    return 'Keep the promise of the client, and release the client when it arrives late';
  return joined !== undefined && contains(thrower, joined.call)
    ? 'Await the client on its own'
    : undefined;
}

function cureOfTransaction(leaving: Leaving | undefined, checkout: Checkout): string {
  const handler = handlerAround(leaving);
  if (handler !== undefined) return `Roll back first in the \`${handler}\``;
  if (isChained(checkout))
    return 'End the chain in that handler with a commit, and roll back in its `catch`';
  if (leaving === undefined) return 'Commit it at its end, and roll back in a `catch`';
  return leaving.how === 'exit'
    ? 'Commit or roll back before this exit'
    : 'Wrap the code after this call in `try … catch` and roll back in the `catch`';
}

/** On some way somebody else has the client at the end: the operation that hands it on. A `finally` would release what that somebody uses. */
function handoverOf(checkout: Checkout): Node | undefined {
  const { exploration, releases } = checkout;
  // What a function lends that releases nothing stays with whom it was lent to.
  const isHandedOn = ({ status, wasLent }: Fact): boolean =>
    status === 'escaped' || status === 'returned' || (releases === 0 && wasLent);
  const end = exploration.states.find(
    ({ point, fact }) => point.kind === 'exit' && isHandedOn(fact) && !fact.followsImplicitThrow,
  );
  if (end === undefined) return undefined;
  const way = pathTo(end);
  const before = way.slice(
    0,
    way.findIndex(({ fact }) => isHandedOn(fact)),
  );
  const at = before.at(-1)?.point.node ?? undefined;
  return at !== undefined && contains(at, checkout.acquisition.call)
    ? (before.findLast((state) => givesClient(state, checkout))?.point.node ?? at)
    : at;
}

/** `resolve(client)`, long before the promise around it is returned. */
function givesClient({ point: { node }, fact }: State<Fact>, checkout: Checkout): boolean {
  return (
    node?.type === 'CallExpression' &&
    node.arguments.some((each) => checkout.valueOf(each, fact) === 'client')
  );
}

function cureBesideHandover(
  { loc: { start } }: Node,
  leaving: Leaving,
  code: string | undefined,
  checkout: Checkout,
): string {
  const handler = handlerAround(leaving) ?? (leaving.caught === undefined ? undefined : 'catch');
  if (handler !== undefined)
    return `${callOf(code)} first in the \`${handler}\`, unless line ${start.line} has handed the client on`;
  if (leaving.how !== 'throw' || checkout.acquisition.style === 'callback')
    return `${callOf(code)} on this path: only line ${start.line} hands the client on`;
  const release = `{ ${withError(code, checkout)}; throw error; }`;
  return isChained(checkout)
    ? `End the chain in that handler with \`.catch(${code?.startsWith('await ') ? 'async ' : ''}(error) => ${release})\`: line ${start.line} hands the client on`
    : `Wrap the code up to line ${start.line}, which hands the client on, in \`try … catch (error) ${release}\``;
}

/** `client.release(error)`, which closes the connection of a client that has failed. */
function withError(code: string | undefined, { acquisition }: Checkout): string {
  const plain = code ?? 'client.release()';
  return acquisition.driver.closesByArgument && !plain.startsWith('await ')
    ? plain.replace(/\(\)$/u, '(error)')
    : plain;
}

function cureOfClient(
  leaving: Leaving | undefined,
  code: string | undefined,
  checkout: Checkout,
  here: Here,
): string {
  if (isLeftToStream(checkout, here.file))
    return `${callOf(code)} when the stream emits '${lastEvent}', which comes last in every case`;
  if (checkout.acquisition.style === 'callback')
    return cureOfCallback(leaving, code, checkout, here.file) + forOneStatement(leaving, checkout);
  return (
    cureOfExit(leaving, code, checkout) ??
    cureByWay(leaving, code, checkout, here) ??
    cureInTry(code, checkout, here) + forOneStatement(leaving, checkout)
  );
}

/** Where a `try` around all that comes after the checkout would be too much, too early or too late. */
function cureOfExit(
  leaving: Leaving | undefined,
  code: string | undefined,
  checkout: Checkout,
): string | undefined {
  if (isInQuery(leaving?.node ?? null, checkout))
    return `${callOf(code)} on every path of the callback, error branches included`;
  const handler = handlerAround(leaving);
  if (handler !== undefined) return inHandler[handler];
  if (leaving?.how === 'reject') return `${callOf(code)} on this path, too`;
  if (isChained(checkout))
    return code === undefined
      ? 'End the chain in that handler with a `.finally()` that releases the client'
      : `End the chain in that handler with \`.finally(() => ${code.replace(/^await /u, '')})\``;
  return leaving?.how === 'exit' && isInLaterTry(leaving.node, checkout)
    ? 'Release in a `finally` of this `try`'
    : undefined;
}

const inHandler = {
  catch: 'Release in a `finally`, which also runs when the `catch` throws',
  finally: 'Release first in the `finally`, or wrap what may throw in its own `try … finally`',
} as const;

/** Where success and failure release each by a function of its own, what throws goes the way of failures; one of these that throws itself releases in its own `finally`. */
function cureByWay(
  leaving: Leaving | undefined,
  code: string | undefined,
  checkout: Checkout,
  here: Here,
): string | undefined {
  const thrower = leaving?.how === 'throw' ? leaving.node : null;
  const releasers = thrower === null ? new Set<Node>() : releasersOf(checkout, here);
  const around = thrower === null ? undefined : findAncestor(thrower, isFunction);
  if (thrower === null || releasers.size < 2) return undefined;
  if (around === undefined || around === checkout.graph.root)
    return `Wrap line ${thrower.loc.start.line} in \`try … catch (error) { ${withError(code, checkout)}; throw error; }\``;
  const name = releasers.has(around) ? nameOfFunction(around) : null;
  return name?.type === 'Identifier'
    ? `Release it in a \`finally\` of \`${name.name}()\``
    : undefined;
}

function cureInTry(code: string | undefined, checkout: Checkout, here: Here): string {
  const { call } = checkout.acquisition;
  const taking = call.type === 'CallExpression' ? calledName(call.callee) : undefined;
  const [worker] = workersOf(checkout, here);
  return code === undefined || taking === undefined
    ? 'Wrap the code after the checkout in `try … finally` and release in the `finally`'
    : `Wrap the code after \`${taking}()\` in \`try … finally { ${code} }\`${worker === undefined ? '' : `, and release no longer in ${excerpt(worker, here.file).replace(/`$/u, '()`')}`}`;
}

/** What a callback got of a client that is not there cannot be released: `done` only does nothing then. */
function cureOfCallback(
  leaving: Leaving | undefined,
  code: string | undefined,
  checkout: Checkout,
  file: SourceFile,
): string {
  const { driver } = checkout.acquisition;
  const callback = callbackGiven(checkout, file);
  if (code === undefined)
    return driver.closesByArgument
      ? 'Let the callback take `(error, client, done)`, and call `done()` on every path of it'
      : 'Let the callback take the client, and release it on every path that has one';
  const isDone = callback?.params[2] !== undefined;
  const node = leaving?.how === 'throw' ? leaving.node : null;
  if (node !== null && callback?.async === true && findAncestor(node, isFunction) === callback)
    return `Wrap the code after the error check in \`try … finally { ${code} }\``;
  return `${callOf(code)} on every path of the callback${isDone ? '' : ' that has a client'}, error branches included`;
}

/** The shorter alternative, for clients of a pool: wrapper functions have no `query()`. */
function forOneStatement(leaving: Leaving | undefined, { acquisition }: Checkout): string {
  const { driver, isFromWrapper, poolText } = acquisition;
  const isOfPool =
    isFromWrapper !== true &&
    libraryOf(driver) === undefined &&
    driver.queries.includes(methods.query);
  return leaving === undefined && isOfPool
    ? `, or use \`${poolText}.query()\` for a single statement`
    : '';
}

function callOf(code: string | undefined): string {
  return code === undefined ? 'Release it' : `Call \`${code}\``;
}

/** `pool.connect().then(…)` */
function isChained({ acquisition: { call } }: Checkout): boolean {
  return memberName(parentOf(call)) === 'then';
}

/** In a callback of a query that nothing waits for: what stands around it is through long before. */
function isInQuery(exit: Node | null, { acquisition: { call } }: Checkout): boolean {
  const fn = exit === null ? undefined : findAncestor(exit, isFunction);
  const query = fn && parentOf(fn);
  if (fn === undefined || contains(fn, call) || query?.type !== 'CallExpression') return false;
  const awaiting = findAncestor(
    query,
    (each): each is Node => each.type === 'AwaitExpression' || contains(each, call),
  );
  return callbackOf(query) === fn && awaiting?.type !== 'AwaitExpression';
}

/** Where what throws stands in a `catch` or `finally`, the `try` that one would ask for is there already. */
function handlerAround(leaving: Leaving | undefined): 'catch' | 'finally' | undefined {
  const thrower = leaving?.how === 'throw' ? leaving.node : null;
  const inner =
    thrower &&
    findAncestor(
      thrower,
      (each): each is Node => isFunction(each) || each.type === 'CatchClause' || isFinalizer(each),
    );
  if (!inner || isFunction(inner)) return undefined;
  return inner.type === 'CatchClause' ? 'catch' : 'finally';
}

function isFinalizer(node: Node): boolean {
  return node.parent?.type === 'TryStatement' && node.parent.finalizer === node;
}

/** The block of a `try` after the call is left, whose handlers do not run then. */
function isInLaterTry(exit: Node | null, { acquisition: { call } }: Checkout): boolean {
  const enclosing =
    exit && findAncestor(exit, (each) => each.type === 'TryStatement' || isFunction(each));
  return (
    enclosing?.type === 'TryStatement' &&
    enclosing.finalizer === null &&
    enclosing.range[0] > call.range[1] &&
    contains(enclosing.block, exit ?? enclosing)
  );
}
