import type { TSESTree } from '@typescript-eslint/types';
import type { FunctionNode, Node, CallNode } from '../syntax/node.ts';
import {
  acquireNames,
  driverByUse,
  drivers,
  foreignDrivers,
  methods,
  type Driver,
} from '../model/drivers.ts';
import { lenderBeside } from '../model/libraries.ts';
import type { AbstractValue } from '../values/abstract-values.ts';
import type { Acquisition } from '../typestate/acquisition.ts';
import type { AcquireWrappers, Given } from './acquire-wrappers.ts';
import { inCompany } from './joined.ts';
import { callbackOf, namedCallbackOf } from '../typestate/call-semantics.ts';
import { holderOf, ownerOf } from './owners.ts';
import { oncePerTree } from '../syntax/once-per-file.ts';
import { beginningCall } from '../values/library-calls.ts';
import { requiredModule } from '../syntax/constants.ts';
import type { Resolver } from '../values/resolver.ts';
import { isDeclaredAsPool, isTestedPool } from '../values/tested-pool.ts';
import { hasUnknownParent } from '../values/unknown-parent.ts';
import { useOf } from '../syntax/uses.ts';
import { walk } from '../syntax/preorder.ts';
import { memberName, unwrap, type SourceFile } from '../syntax/source-file.ts';
import { isUsedAsPool } from './used-as-pool.ts';

/**
 * Which calls are looked at: all, all but those of getters whose client is given back at once, as in `return getClient()`, which
 * matters only to the callers of the function, or certain ones.
 */
export type Wanted = 'all' | 'kept' | ReadonlySet<CallNode>;

/** The acquires below a node. */
export function findAcquisitions(
  resolver: Resolver,
  acquireWrappers: AcquireWrappers,
  below: Node,
  file: SourceFile,
  wanted: Wanted,
): readonly Acquisition[] {
  const found: Acquisition[] = [];
  const importsOtherDriver = importsForeignDriver(file);
  walk(file, below, (node) => {
    const acquisition =
      node.type === 'CallExpression' && (typeof wanted === 'string' || wanted.has(node))
        ? (acquisitionAt(resolver, node, file, importsOtherDriver) ??
          begunAt(resolver, node, file) ??
          (wanted === 'kept' && useOf(node).kind === 'returned'
            ? undefined
            : wrapperCall(resolver, acquireWrappers, node, file)))
        : undefined;
    if (acquisition !== undefined)
      found.push(
        inCompany(acquisition, file, resolver, (call) =>
          acquisitionAt(resolver, call, file, importsOtherDriver),
        ),
      );
    return true;
  });
  return found;
}

function acquisitionAt(
  resolver: Resolver,
  call: CallNode,
  file: SourceFile,
  importsOtherDriver: boolean,
): Acquisition | undefined {
  const { callee } = call;
  if (callee.type !== 'MemberExpression' || !acquireNames.has(memberName(callee) ?? ''))
    return undefined;
  const asked = resolver.abstractValueOf(callee.object, file);
  const driver = driverAsked(asked, memberName(callee));
  if (driver === undefined) return undefined;
  const poolText = file.text.slice(...callee.object.range);
  if (driver.gives === 'client without connection')
    return isProven(asked, driver, resolver)
      ? { call, style: 'direct', driver, poolText }
      : undefined;
  const callback = callbackAt(call, file);
  // A callback that comes from elsewhere gets the client; what happens there is the other function's matter.
  if (callback === null) return undefined;
  const isAsked =
    driver.acquire === driverByUse.acquire
      ? asksPool(resolver, asked, { call, callback, file, importsOtherDriver })
      : isProven(asked, driver, resolver) && call.arguments.length < 2;
  return isAsked
    ? { call, style: callback === undefined ? 'promise' : 'callback', driver, poolText }
    : undefined;
}

/** `knex.transaction()`: the library's handle gives a connection by a promise. */
function begunAt(resolver: Resolver, call: CallNode, file: SourceFile): Acquisition | undefined {
  const begun = beginningCall(call, file, resolver);
  if (begun === undefined) return undefined;
  const { handle, library, row } = begun;
  const itself = row.gives === 'nothing' ? holderOf(call, handle, library, file) : undefined;
  return row.gives === 'nothing' && itself === undefined
    ? undefined
    : {
        call,
        style: row.gives === 'provider' ? 'provider' : 'promise',
        driver: library,
        ...(itself && { itself }),
        poolText: file.text.slice(...handle.range),
      };
}

function callbackAt(call: CallNode, file: SourceFile): FunctionNode | null | undefined {
  return call.arguments.length === 0
    ? undefined
    : (callbackOf(call) ?? namedCallbackOf(call, file));
}

/** The driver of what is asked for a client; of what is not known, the one that is recognised by the name of the call alone, or by use. */
function driverAsked(
  asked: AbstractValue | undefined,
  name: string | undefined,
): Driver | undefined {
  const pool = asked?.kind === 'either' ? asked.pool : asked;
  if (pool?.kind === 'pool' || pool?.kind === 'driver')
    return pool.driver.acquire === name ? pool.driver : undefined;
  if (pool?.kind === 'handle') return lenderOf(pool, name);
  return name === driverByUse.acquire
    ? driverByUse
    : drivers.find(({ acquire, isUnmistakable }) => acquire === name && isUnmistakable);
}

function lenderOf(
  { library }: AbstractValue & { kind: 'handle' },
  name: string | undefined,
): Driver | undefined {
  const driver = lenderBeside(library);
  return driver?.acquire === name ? driver : undefined;
}

function isProven(
  asked: AbstractValue | undefined,
  { isUnmistakable }: Driver,
  resolver: Resolver,
): boolean {
  return (
    asked?.kind === 'pool' ||
    asked?.kind === 'either' ||
    asked?.kind === 'handle' ||
    (isUnmistakable && isUnknown(resolver, asked))
  );
}

interface Connect {
  readonly call: CallNode;
  readonly callback: FunctionNode | undefined;
  readonly file: SourceFile;
  readonly importsOtherDriver: boolean;
}

function asksPool(
  resolver: Resolver,
  asked: AbstractValue | undefined,
  { call, callback, file, importsOtherDriver }: Connect,
): boolean {
  // `pg.connect(config, callback)`: until version 7 the driver kept a pool of its own for each configuration (pg 6.4 `lib/index.js`).
  if (asked?.kind === 'driver') return callback !== undefined && call.arguments.length < 3;
  if (asked?.kind === 'pool') return call.arguments.length < 2 || isFirst(callback, call);
  if (call.arguments.length > 1) return false;
  return (
    isPoolHere(resolver, asked, call, file) ||
    (isUnknown(resolver, asked) && !importsOtherDriver && isUsedAsPool(call, callback, file))
  );
}

/** A pool calls back the first thing that it is given, and does not look at the others. */
function isFirst(callback: FunctionNode | undefined, { arguments: [first] }: CallNode): boolean {
  return first !== undefined && unwrap(first) === callback;
}

/** Its interface says so, or a test around the call. */
function isPoolHere(
  resolver: Resolver,
  asked: AbstractValue | undefined,
  call: CallNode,
  file: SourceFile,
): boolean {
  return (
    asked?.kind === 'either' ||
    isDeclaredAsPool(resolver, asked) ||
    isTestedPool(resolver, call, file)
  );
}

/** What nothing says is a pool, and nothing says is none: use decides. */
function isUnknown(resolver: Resolver, abstractValue: AbstractValue | undefined): boolean {
  switch (abstractValue?.kind) {
    case undefined:
    case 'shape':
      return true;
    case 'package':
      // What a driver gives that is no pool is known.
      return (
        !foreignDrivers.has(abstractValue.module) &&
        !drivers.some(({ module }) => module === abstractValue.module)
      );
    case 'instance':
      return (
        resolver.memberOf(abstractValue, methods.acquire) === undefined &&
        hasUnknownParent(resolver, abstractValue)
      );
    default:
      return false;
  }
}

/** `await getClient()`, where the function checks a client out and returns it, or is the pool's own method by another name. */
function wrapperCall(
  resolver: Resolver,
  acquireWrappers: AcquireWrappers,
  call: CallNode,
  file: SourceFile,
): Acquisition | undefined {
  const given = givenBy(resolver.near.abstractValueOf(call.callee, file), call, acquireWrappers);
  if (given === undefined) return undefined;
  const { wrapperResult, owner, style, driver, mayBeBorrowed } = given;
  const keptBy = owner === null ? undefined : ownerOf(owner, call, file);
  if (owner === 'receiver' && (keptBy === undefined || style !== 'promise')) return undefined;
  return {
    call,
    style,
    driver,
    ...(wrapperResult === 'client' ? {} : { shape: wrapperResult }),
    ...(keptBy && { owner: keptBy }),
    ...(mayBeBorrowed && { mayBeBorrowed }),
    isFromWrapper: true,
    poolText: `${file.text.slice(...call.callee.range)}()`,
  };
}

/** What a wrapper gives, or the pool's own method by another name: `const connect = promisify(pool.connect).bind(pool)`. */
function givenBy(
  called: AbstractValue | undefined,
  { arguments: given }: CallNode,
  acquireWrappers: AcquireWrappers,
): Given | undefined {
  if (called?.kind === 'function') return acquireWrappers.wrapperResultOf(called);
  if (called?.kind !== 'method' || given.length > 0) return undefined;
  const { driver } = called.of;
  const isAcquire = called.name === driver.acquire && driver.gives !== 'client without connection';
  return isAcquire
    ? { wrapperResult: 'client', owner: null, driver, style: 'promise', mayBeBorrowed: false }
    : undefined;
}

/** A file that speaks to our pools as well may well mean one of those. */
const importsForeignDriver = oncePerTree((file) => {
  const modules = file.ast.body.flatMap(modulesOf);
  return (
    modules.some((module) => foreignDrivers.has(module)) &&
    !modules.some((module) =>
      drivers.some((driver) => driver.module === module && driver.acquire === driverByUse.acquire),
    )
  );
});

function modulesOf(statement: TSESTree.ProgramStatement): readonly string[] {
  if (statement.type === 'ImportDeclaration') return [statement.source.value];
  if (statement.type !== 'VariableDeclaration') return [];
  return statement.declarations.flatMap(({ init }) =>
    init?.type === 'CallExpression' ? (requiredModule(init) ?? []) : [],
  );
}
