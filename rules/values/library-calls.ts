import { libraries } from '../model/libraries.ts';
import type { Begins, Library } from '../model/library.ts';
import type { Node, CallNode } from '../syntax/node.ts';
import {
  calledMember,
  methodsBehind,
  settlers,
  waitFor,
  type Request,
} from '../syntax/call-chain.ts';
import { carriedStatement } from './carried-statements.ts';
import type { AbstractValue } from './abstract-values.ts';
import { handleAt as handleFor } from './handles.ts';
import { holdingBy, type Holding } from './holding.ts';
import { relationOf } from './relations.ts';
import type { HandleCall } from './handle-call.ts';
import { isAt, waysTo, type Way } from './handle-paths.ts';
import { sendsAt } from './sent-at.ts';
import { callbackGiven, type CallbackGiven } from './function-given.ts';
import { storedAt } from '../syntax/stored-requests.ts';
import { isParameterName } from '../syntax/parameters.ts';
import type { Resolver } from './resolver.ts';
import { hasOption, toldTo, type Told } from './connection-given.ts';
import { isUnknown } from './unknown-parent.ts';
import { firstCall, isMaker, possibleStarts } from './first-call.ts';
import { unwrap, type SourceFile } from '../syntax/source-file.ts';

/** A call that lends a connection to a callback. */
export interface LendingCall extends HandleCall {
  /** The index of the callback among the arguments. */
  readonly callback: CallbackGiven['index'];
  readonly fn: CallbackGiven['fn'];
  readonly opensTransaction: boolean;
  /** Which of the callback's parameters is the handle of the connection. */
  readonly gives: 'first' | 'last' | 'nothing';
}

/** `db.transaction(async (tx) => …)`, `db.transaction().execute(async (trx) => …)` */
export function lendingCall(
  call: CallNode,
  file: SourceFile,
  resolver: Resolver,
): LendingCall | undefined {
  const holding = holdingBy(call, file, resolver);
  if (holding === undefined && !mayLend(call, file, resolver)) return undefined;
  const callback = callbackGiven(call, file, resolver);
  if (callback === undefined) return undefined;
  if (holding !== undefined) return holding.isHeld ? lentBy(holding, callback) : undefined;
  const found = firstOf(readings(call, file, resolver), ([each, by]) =>
    handleAt(each, file, resolver, ({ lends }, path) =>
      lends.find((lending) => lending.by === by && isAt(path, lending.path)),
    ),
  );
  if (found === undefined) return undefined;
  const { opens, gives } = found.row;
  const { index, fn } = callback;
  const told = tellsOnly(found.told, call.arguments[index])
    ? ({ kind: 'nothing' } as const)
    : found.told;
  return { ...found, told, callback: index, fn, opensTransaction: opens, gives };
}

/** `sequelize.transaction(work)`: what stands where the options may is the callback. */
function tellsOnly(told: Told, callback: Node | undefined): boolean {
  return (
    told.kind === 'some' &&
    callback !== undefined &&
    callback.type !== 'SpreadElement' &&
    told.node === unwrap(callback)
  );
}

/** A method of a handle by its name, or a function of a library's package, whose name an import may change. */
function mayLend(call: CallNode, file: SourceFile, { reader }: Resolver): boolean {
  const name = calledMember(call);
  return name === undefined
    ? isMaker(call) && reader.leadsToHolder?.(file) !== false
    : lendingNames.has(name);
}

/** `runInTransaction(async () => …)` */
function lentBy({ handle, library }: Holding, { index, fn }: CallbackGiven): LendingCall {
  return {
    handle,
    library,
    path: [],
    mayBeLent: false,
    told: { kind: 'nothing' },
    sends: false,
    callback: index,
    fn,
    opensTransaction: true,
    gives: 'nothing',
  };
}

/** A call that takes a connection of a library's pool, in any of these ways. */
export function takingCall(
  request: Request,
  file: SourceFile,
  resolver: Resolver,
): HandleCall | undefined {
  if (request.type !== 'CallExpression') return sendingCall(request, file, resolver);
  return (
    lendingCall(request, file, resolver) ??
    connectingCall(request, file, resolver) ??
    carriedStatement(request, file, resolver) ??
    sendingCall(request, file, resolver)
  );
}

/** A call that begins, and takes its connection at once. */
function connectingCall(
  call: CallNode,
  file: SourceFile,
  resolver: Resolver,
): HandleCall | undefined {
  const begun = beginningCall(call, file, resolver);
  return begun?.row.gives === 'provider' ? undefined : begun;
}

/** `await knex.transaction()`, `await db.startTransaction().execute()`: a connection that stays until somebody gives it back. */
export function beginningCall(
  call: CallNode,
  file: SourceFile,
  resolver: Resolver,
): (HandleCall & { readonly row: Begins }) | undefined {
  const name = calledMember(call);
  if (name === undefined || !beginningNames.has(name)) return undefined;
  if (!call.arguments.every((argument) => isNoFunction(argument, file, resolver))) return undefined;
  return firstOf(readings(call, file, resolver), ([first, by]) =>
    handleAt(first, file, resolver, ({ begins }, path) =>
      begins.find(
        (each) => each.by === by && isAt(path, each.path) && !hasOption(call, each.unless),
      ),
    ),
  );
}

/** The call that speaks to the handle, with the method after it: what `this.getDb().transaction()` calls may be a part of either. */
function readings(
  call: CallNode,
  file: SourceFile,
  resolver: Resolver,
): readonly (readonly [first: CallNode, by: string | null])[] {
  const first = firstCall(call, handles(file, resolver));
  return first === call
    ? [[call, null]]
    : [
        [call, null],
        [first, calledMember(call) ?? ''],
      ];
}

function firstOf<Each, Found>(
  all: readonly Each[],
  find: (each: Each) => Found | undefined,
): Found | undefined {
  for (const each of all) {
    const found = find(each);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Options, and not a callback that has a name. */
function isNoFunction(argument: Node, file: SourceFile, resolver: Resolver): boolean {
  const plain = unwrap(argument);
  return (
    plain.type === 'ObjectExpression' ||
    plain.type === 'Literal' ||
    (plain.type === 'Identifier' && plain.name === 'undefined') ||
    resolver.abstractValueOf(plain, file)?.kind === 'object' ||
    handleFor(plain, file, resolver) !== undefined
  );
}

/** `await db.select().from(users)`, ``await sql`SELECT 1` ``: a statement that goes over a connection of its own. */
function sendingCall(
  request: Request,
  file: SourceFile,
  resolver: Resolver,
): HandleCall | undefined {
  if (request !== firstCall(request, handles(file, resolver))) return undefined;
  const behind = methodsBehind(request);
  const found = handleAt(request, file, resolver, (library, path) =>
    sendsAt(library, path, request, behind) && isSent(request, behind, library)
      ? library
      : undefined,
  );
  if (found !== undefined) return { ...found, sends: true };
  return request.type === 'CallExpression' ? relationCall(request, file, resolver) : undefined;
}

/** Somebody waits for it, or a method after it sends it. */
function isSent(request: Request, behind: readonly string[], { sentBy }: Library): boolean {
  return waitFor(request) !== 'dropped' || sentBy.some((name) => behind.includes(name));
}

/** `user.getPosts()`, which the class only declares: `declare getPosts: HasManyGetAssociationsMixin<Post>`. */
function relationCall(
  call: CallNode,
  file: SourceFile,
  resolver: Resolver,
): HandleCall | undefined {
  const { callee } = call;
  const name = calledMember(call);
  if (callee.type !== 'MemberExpression' || name === undefined) return undefined;
  const relation = relationOf(resolver.abstractValueOf(callee.object, file), name, resolver);
  return relation && isSent(call, methodsBehind(call), relation.library)
    ? {
        handle: callee.object,
        library: relation.library,
        path: [name],
        mayBeLent: false,
        told: toldTo(call, relation.given, file),
        sends: true,
      }
    : undefined;
}

/** `dataSource.query(text, [], runner)`, `users.createQueryBuilder('user', runner)`: whatever may be a connection is one. */
export function isBound(
  request: Request,
  name: string,
  library: Library,
  file: SourceFile,
): boolean {
  return toldBy(request, name, library, file).kind === 'some';
}

function toldBy(request: Request, name: string, { mayBind }: Library, file: SourceFile): Told {
  const given = Object.hasOwn(mayBind, name) ? mayBind[name] : undefined;
  return given === undefined || request.type !== 'CallExpression'
    ? { kind: 'nothing' }
    : toldTo(request, given, file);
}

/** A query that waited in a variable, and the request that built it. */
export interface SentLater extends HandleCall {
  readonly request: Request;
  /** It was under way before it was waited for. */
  readonly isStarted: boolean;
}

/** The stored queries that are sent where a node stands: `await query`, `Promise.all(queries)`. */
export function sentLaterAt(
  node: Node,
  file: SourceFile,
  resolver: Resolver,
): readonly SentLater[] {
  return storedAt(node, file).flatMap(({ request, behind, isWaited, asked }) => {
    const isSettled = behind.some((name) => settlers.has(name));
    for (const each of possibleStarts(request, handles(file, resolver))) {
      const methods = [...methodsBehind(each), ...behind];
      const isElsewhere = ({ boundBy }: Library): boolean =>
        boundBy.some((name) => asked.includes(name));
      const found = handleAt(each, file, resolver, (library, path) =>
        sendsAt(library, path, each, methods) &&
        !isElsewhere(library) &&
        // A method that sends it is a node of its own.
        isWaited !== (isSettled || isSentBy(library, behind))
          ? library
          : undefined,
      );
      if (found === undefined) continue;
      const isStarted = !found.library.isLazy && !isSentBy(found.library, behind);
      return [{ ...found, request: each, isStarted }];
    }
    return [];
  });
}

/** Some method of a query sends it: `execute`. */
function isSentBy({ sends, sentBy }: Library, methods: readonly string[]): boolean {
  return methods.some(
    (name) => sentBy.includes(name) || sends.some(({ by }) => by?.includes(name)),
  );
}

const beginningNames: ReadonlySet<string> = new Set(
  libraries.flatMap(({ begins }) => begins.map(({ path, by }) => by ?? path)),
);

const lendingNames: ReadonlySet<string> = new Set(
  libraries.flatMap(({ lends }) => lends.map(({ path, by }) => by ?? path.split('.').at(-1) ?? '')),
);

/** Libraries that are recognised by their calls alone. */
const toldByCalls = libraries.filter(({ lendsUnmistakably }) => lendsUnmistakably);

type Spoken = Way & Pick<HandleCall, 'library' | 'mayBeLent'>;

/**
 * The handle that a call speaks to, and the row of its library for that call: of the library that an expression is known to belong
 * to; where nothing is known of any, of one that is recognised by its calls.
 */
function handleAt<Row>(
  call: Request,
  file: SourceFile,
  resolver: Resolver,
  rowOf: (library: Library, path: readonly string[]) => Row | undefined,
): (HandleCall & { readonly row: Row }) | undefined {
  const ways = waysTo(call);
  const values = ways.map(({ handle }) => resolver.abstractValueOf(handle, file));
  // The program's own method is none of the library's, whatever it is a method of.
  if (values[0]?.kind === 'function') return undefined;
  const ofLibraries = values.flatMap((value, index) => known(ways[index], value, file, resolver));
  const told = (way: Way, index: number): readonly Spoken[] =>
    isUnknown(values[index], resolver) &&
    isName(unwrap(way.handle)) &&
    !isParameterName(unwrap(way.handle), file)
      ? toldByCalls.map((library) => ({ ...way, library, mayBeLent: false }))
      : [];
  for (const { handle, path, library, mayBeLent } of ofLibraries.length > 0
    ? ofLibraries
    : ways.flatMap(told)) {
    const row = rowOf(library, path);
    if (row !== undefined) {
      const told = toldBy(call, path.at(-1) ?? '', library, file);
      return { handle, library, path, row, mayBeLent, told, sends: false };
    }
  }
  return undefined;
}

function known(
  way: Way | undefined,
  value: AbstractValue | undefined,
  file: SourceFile,
  resolver: Resolver,
): readonly Spoken[] {
  const handle = way && handleFor(way.handle, file, resolver);
  if (way === undefined || handle === undefined) return [];
  const mayBeLent =
    !handle.library.isTold &&
    (handle.mayBeLent === true ||
      (value?.kind === 'handle' && isParameterName(unwrap(way.handle), file)));
  return [{ ...way, library: handle.library, mayBeLent }];
}

function handles(file: SourceFile, resolver: Resolver): (node: Node) => boolean {
  return (node) => handleFor(node, file, resolver) !== undefined;
}

function isName({ type }: Node): boolean {
  return type === 'Identifier' || type === 'MemberExpression';
}
