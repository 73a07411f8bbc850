import { driverByUse, type Driver } from '../model/drivers.ts';
import { libraries, libraryFor } from '../model/libraries.ts';
import type { Library } from '../model/library.ts';
import { calledMember, type Request } from '../syntax/call-chain.ts';
import type { Node, CallNode } from '../syntax/node.ts';
import { isFunction } from '../syntax/node.ts';
import { parameterIndex } from '../syntax/parameters.ts';
import { memberName, parentOf, unwrap, variableOf, declarationOf } from '../syntax/source-file.ts';
import { isAt, waysTo, type Way } from '../values/handle-paths.ts';
import { handleAt } from '../values/handles.ts';
import { beginningCall, lendingCall } from '../values/library-calls.ts';
import type { Here } from '../values/resolver.ts';

/** What a request speaks to: the row of its library or driver, and the members from there to the call. */
export interface SpokenTo extends Way {
  readonly driver: Driver;
  /** Undefined for a driver's own pool or client. */
  readonly library: Library | undefined;
}

/** Every reading of a request as one of a known pool, client, or handle, those of a transaction included. */
export function spokenTo(request: Request, here: Here): readonly SpokenTo[] {
  return waysTo(request).flatMap((way) => {
    const driver = driverAt(way.handle, here);
    return driver === undefined ? [] : [{ ...way, driver, library: libraryFor(driver) }];
  });
}

function driverAt(node: Node, here: Here): Driver | undefined {
  const { file, resolver } = here;
  const plain = unwrap(node);
  const handle = handleAt(plain, file, resolver);
  if (handle !== undefined) return handle.library;
  const abstractValue = resolver.abstractValueOf(plain, file);
  switch (abstractValue?.kind) {
    case 'pool':
    case 'client':
    case 'connection':
      return abstractValue.driver;
    case 'either':
      return abstractValue.pool.driver;
    case undefined:
      return heldAt(plain, here);
    default:
      return undefined;
  }
}

/** The handle of a transaction, and what is derived from it: `tx`, `tx.manager`. */
function heldAt(node: Node, here: Here): Library | undefined {
  if (node.type === 'Identifier') return lentTo(node, here) ?? begunAs(node, here);
  if (node.type === 'CallExpression') return derivedFrom(node, here);
  if (node.type !== 'MemberExpression') return undefined;
  const enclosing = heldAt(unwrap(node.object), here);
  return enclosing?.derives.members.includes(memberName(node) ?? '') === true
    ? enclosing
    : undefined;
}

/** `tx.getRepository(User)`, `trx.withSchema('shop')` */
function derivedFrom({ callee }: CallNode, here: Here): Library | undefined {
  if (callee.type !== 'MemberExpression') return undefined;
  const enclosing = heldAt(unwrap(callee.object), here);
  return enclosing?.derives.methods.includes(memberName(callee) ?? '') === true
    ? enclosing
    : undefined;
}

/** `db.transaction(async (tx) => …)` */
function lentTo(name: Node, { file, resolver }: Here): Library | undefined {
  const fn = declarationOf(variableOf(file, name));
  if (fn === undefined || !isFunction(fn)) return undefined;
  const call = parentOf(fn);
  const lending = call?.type === 'CallExpression' ? lendingCall(call, file, resolver) : undefined;
  if (lending?.fn?.node !== fn) return undefined;
  const given = lending.gives === 'first' ? 0 : fn.params.length - 1;
  return parameterIndex(name, fn, file) === given ? lending.library : undefined;
}

/** `const trx = await knex.transaction()` */
function begunAs(name: Node, { file, resolver }: Here): Library | undefined {
  const declarator = declarationOf(variableOf(file, name));
  const value = declarator?.type === 'VariableDeclarator' ? declarator.init : null;
  const call = value?.type === 'AwaitExpression' ? unwrap(value.argument) : undefined;
  return call?.type === 'CallExpression' ? beginningCall(call, file, resolver)?.library : undefined;
}

/** A request that sends the text which it is given, or tags. */
export interface Sending {
  /** Undefined where nothing is known of what it speaks to, and its name is that of a call which sends a text. */
  readonly to: SpokenTo | undefined;
}

/** Undefined where the rows of what a request speaks to know no such call, or where it is a function of the program. */
export function sendingBy(request: Request, here: Here): Sending | undefined {
  const known = spokenTo(request, here);
  const to = known.find((each) => sendsText(each, request));
  if (to !== undefined) return { to };
  return known.length === 0 && mayBeSending(request, here) ? { to: undefined } : undefined;
}

function sendsText({ driver, library, path }: SpokenTo, { type }: Request): boolean {
  if (type === 'TaggedTemplateExpression')
    return library?.tags.some((tag) => isAt(path, tag)) === true;
  return (
    (path.length === 1 && driver.queries.includes(path[0] ?? '')) ||
    library?.texts.some((each) => isAt(path, each)) === true
  );
}

function mayBeSending(request: Request, { file, resolver }: Here): boolean {
  if (request.type === 'TaggedTemplateExpression') return false;
  const { callee } = request;
  const name = calledMember(request);
  return (
    name !== undefined &&
    sendingNames.has(name) &&
    resolver.abstractValueOf(callee, file)?.kind !== 'function'
  );
}

/** The names that rows have for calls which send a text. */
const sendingNames: ReadonlySet<string> = new Set([
  ...driverByUse.queries,
  ...libraries.flatMap(({ texts }) => texts.map((path) => path.split('.').at(-1) ?? '')),
]);
