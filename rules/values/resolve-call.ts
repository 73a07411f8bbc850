import { membersBehind } from '../syntax/proxies.ts';
import { placeOf, replaced } from './apart.ts';
import type { TSESTree } from '@typescript-eslint/types';
import { type Node, type CallNode, isFunction } from '../syntax/node.ts';
import { drivers, type Driver } from '../model/drivers.ts';
import { libraries, libraryFor, libraryOf } from '../model/libraries.ts';
import { wrappingCalls } from '../model/wrapping-calls.ts';
import {
  poolOrHandle,
  type AbstractValue,
  type AllocationSite,
  type Reached,
} from './abstract-values.ts';
import { heldBy, resultOfCall, withSite } from './allocation-sites.ts';
import { instanceOfClass } from './instance-of-class.ts';
import { hasOption } from './connection-given.ts';
import { isPoolless } from './poolless.ts';
import { generatedExport } from './generated-modules.ts';
import { givenByList } from './elements.ts';
import { loadedModel } from './loaded-models.ts';
import { keptIn } from './resolve-collection.ts';
import { exportOf } from './resolve-export.ts';
import { givenBy } from './resolve-member.ts';
import { reachedBy, reachedByMaking } from './reached.ts';
import { overAdapter } from './injected.ts';
import type { Resolver } from './resolver.ts';
import { packageNamed } from '../project/import-paths.ts';
import { requiredModule } from '../syntax/constants.ts';
import {
  memberName,
  variableOf,
  type SourceFile,
  contains,
  findAncestor,
  unwrap,
} from '../syntax/source-file.ts';
import { isOfPromise } from '../syntax/promise-calls.ts';

/** What `new callee()` makes. */
export function instanceOf(
  resolver: Resolver,
  node: TSESTree.NewExpression,
  file: SourceFile,
): AbstractValue | undefined {
  const callee = resolver.abstractValueOf(node.callee, file);
  const site: AllocationSite = { node, file, holder: undefined };
  switch (callee?.kind) {
    case 'class':
      return instanceOfClass(resolver, callee, site);
    case 'function':
      return placeOf(callee).type === 'ArrowFunctionExpression'
        ? undefined
        : (replaced(callee, { kind: 'instance' as const, site }) as AbstractValue);
    case 'package':
      return callee;
    case undefined: {
      const behind = membersBehind(node, file);
      return behind === undefined
        ? madeCollection(node, file)
        : resolver.abstractValueOf(behind, file);
    }
    case 'driver':
      if (callee.driver.poolClasses.includes(callee.name))
        return poolOf(callee.driver, node, site, resolver);
      return callee.driver.connectionClasses.includes(callee.name)
        ? { kind: 'connection', driver: callee.driver }
        : undefined;
    default:
      return undefined;
  }
}

/** What an exported function of a driver or library gives. */
function givenByDriver(
  resolver: Resolver,
  { driver, name }: AbstractValue & { kind: 'driver' },
  node: CallNode,
  file: SourceFile,
): AbstractValue | undefined {
  const library = libraryFor(driver);
  if (library?.makers.includes(name) === true) return { kind: 'driver', driver, name: 'made' };
  const site: AllocationSite = { node, file, holder: undefined };
  const reached = library && reachedBy(node, library, file, resolver);
  if (driver.poolFactories.includes(name)) return poolOf(driver, node, site, resolver, reached);
  if (library?.byName.some((each) => each.module === driver.module && each.name === name) !== true)
    return undefined;
  return overAdapter({ kind: 'handle', library, site, ...(reached && { reached }) }, resolver);
}

/** The pool that a driver makes; without one, something of the driver's package. */
function poolOf(
  driver: Driver,
  { arguments: [options] }: TSESTree.NewExpression | CallNode,
  site: AllocationSite,
  resolver: Resolver,
  known?: Reached,
): AbstractValue {
  if (isPoolless(driver, options, site.file, resolver))
    return { kind: 'package', module: driver.module, name: '*' };
  const library = libraryFor(driver);
  const reached = known ?? (library && reachedByMaking(options, library));
  const own = libraryOf(driver) === undefined ? site : siteBelow(options, site, resolver);
  return { ...poolOrHandle(driver, own), ...(reached && { reached }) };
}

/** `new Map<string, Pool>()` */
function madeCollection(
  { callee, typeArguments }: TSESTree.NewExpression,
  file: SourceFile,
): AbstractValue | undefined {
  const of = typeArguments?.params.at(-1);
  return of !== undefined &&
    callee.type === 'Identifier' &&
    /^(?:Weak)?Map$|^Array$/u.test(callee.name)
    ? { kind: 'collection', of, file }
    : undefined;
}

/** What a call gives, or what its promise fulfils with. */
export function resultOf(
  resolver: Resolver,
  node: CallNode,
  file: SourceFile,
): AbstractValue | undefined {
  const required = requiredModule(node);
  if (required !== undefined) return importedFrom(resolver, required, '*', file);
  const special = resultOfMethod(resolver, node, file);
  if (special !== undefined) return special;
  const callee = resolver.abstractValueOf(node.callee, file);
  switch (callee?.kind) {
    case 'driver':
      return givenByDriver(resolver, callee, node, file);
    case 'package':
      return resultOfPackage(resolver, callee, node, file);
    case 'function':
      return resultOfFunction(resolver, callee, node, file);
    case 'method':
      return resultOfPool(callee, node);
    case 'giver':
      return callee.of.kind === 'handle'
        ? givenByHandle(callee.of, node)
        : withSite(callee.of, node, file);
    case 'signature':
      return withSite(givenBy(resolver, callee), node, file);
    case undefined:
      return loadedModel(node, file, resolver);
    default:
      return undefined;
  }
}

/** `em.fork({ keepTransactionContext: true })` may have the connection of a transaction. */
function givenByHandle(handle: AbstractValue & { kind: 'handle' }, call: CallNode): AbstractValue {
  const { apart } = handle.library.derives;
  return apart !== undefined && hasOption(call, apart.unless)
    ? { ...handle, mayBeLent: true }
    : handle;
}

/** `pool.connect()` gives a client, `pool.promise()` the pool itself. */
function resultOfPool(
  { of, name }: AbstractValue & { kind: 'method' },
  call: CallNode,
): AbstractValue | undefined {
  if (of.driver.views.includes(name)) return of;
  const isAsked =
    name === of.driver.acquire && (call.arguments.length === 0 || of.driver.gives !== 'promise');
  return isAsked ? { kind: 'client', driver: of.driver } : undefined;
}

/** `fn.bind(object)` is `fn`; `Promise.all([a, b])` gives both. */
function resultOfMethod(
  resolver: Resolver,
  node: CallNode,
  file: SourceFile,
): AbstractValue | undefined {
  const { callee } = node;
  const [argument] = node.arguments;
  if (callee.type !== 'MemberExpression') return undefined;
  const name = memberName(callee);
  if (name === 'get' && argument !== undefined) return keptIn(resolver, callee.object, node, file);
  const listed = givenByList(node, resolver, file);
  if (listed !== undefined) return listed;
  if (name === 'bind') return boundFunction(resolver.abstractValueOf(callee.object, file));
  return isOfPromise(node, 'all', 'resolve') && argument !== undefined
    ? resolver.abstractValueOf(argument, file)
    : undefined;
}

function boundFunction(bound: AbstractValue | undefined): AbstractValue | undefined {
  return bound?.kind === 'function' || bound?.kind === 'method' ? bound : undefined;
}

function resultOfFunction(
  resolver: Resolver,
  fn: AbstractValue & { kind: 'function' },
  call: CallNode,
  file: SourceFile,
): AbstractValue | undefined {
  const result = resolver.returnedBy(fn);
  const receiver =
    call.callee.type === 'MemberExpression'
      ? resolver.abstractValueOf(call.callee.object, file)
      : undefined;
  // `return this` gives the object itself, whose class may be a descendant of the method's.
  if (result?.kind === 'instance' && result.site === undefined && receiver?.kind === 'instance')
    return receiver;
  return heldBy(
    resultOfCall(result, call, file, fn),
    receiver !== undefined && 'site' in receiver ? receiver.site : undefined,
  );
}

/** What a package's function gives back belongs to the package: `axios.create()`. */
function resultOfPackage(
  resolver: Resolver,
  callee: AbstractValue & { kind: 'package' },
  { arguments: [first] }: CallNode,
  file: SourceFile,
): AbstractValue | undefined {
  if (isPromisify(callee)) return promisified(resolver, first, file);
  const wrapped = isWrapping(callee) && first ? resolver.abstractValueOf(first, file) : undefined;
  return wrapped?.kind === 'function' ? wrapped : callee;
}

/** `cache(load)` */
function isWrapping({ module, name }: AbstractValue & { kind: 'package' }): boolean {
  return wrappingCalls.some((each) => each.module === module && each.name === name);
}

function isPromisify({ module, name }: AbstractValue & { kind: 'package' }): boolean {
  return module === 'util' && name === 'promisify';
}

/** `promisify(exec)` does what `exec` does; `promisify(setTimeout)` is what `timers/promises` exports. */
function promisified(
  resolver: Resolver,
  original: Node | undefined,
  file: SourceFile,
): AbstractValue | undefined {
  if (original === undefined) return undefined;
  if (
    original.type === 'Identifier' &&
    original.name === 'setTimeout' &&
    variableOf(file, original)?.defs[0] === undefined
  )
    return { kind: 'package', module: 'timers/promises', name: 'setTimeout' };
  return resolver.abstractValueOf(original, file);
}

/** What an import gives: `name` is the exported name, `*` for the whole module. */
export function importedFrom(
  resolver: Resolver,
  specifier: string,
  name: string,
  importer: SourceFile,
): AbstractValue | undefined {
  const named = resolver.reader.packageFor?.(specifier, importer) ?? packageNamed(specifier);
  const driver =
    drivers.find(({ module }) => module === named) ??
    libraries.find(({ module }) => module === named);
  if (driver?.pools.includes(name) === true)
    return poolOrHandle(driver, { node: importer.ast, file: importer, holder: undefined });
  if (driver !== undefined) return { kind: 'driver', driver, name };
  const file = resolver.reader.read(specifier, importer);
  const generated = file && generatedExport(file, name);
  if (generated !== undefined) return generated;
  if (file !== undefined) return exportOf(resolver, file, name);
  return specifier.startsWith('.') ? undefined : { kind: 'package', module: named, name };
}

/** `drizzle(pool)`, `new Kysely({ dialect: new PostgresDialect({ pool }) })`: a handle over a pool that is there for the whole program is a way to that one. */
function siteBelow(
  given: Node | undefined,
  own: AllocationSite,
  resolver: Resolver,
): AllocationSite {
  const pools = given === undefined ? [] : poolsIn(unwrap(given), own.file, resolver);
  const [pool] = pools;
  return pool !== undefined && pools.length === 1 && isShared(pool.site, own) ? pool.site : own;
}

/** What a function makes for the handle comes and goes with it. */
function isShared(pool: AllocationSite, own: AllocationSite): boolean {
  return (
    placeOf(pool).path !== own.file.path ||
    (!contains(own.node, pool.node) && findAncestor(pool.node, isFunction) === undefined)
  );
}

/** The pools and handles in what a library is given, as far as that is written in place. */
function poolsIn(
  node: Node,
  file: SourceFile,
  resolver: Resolver,
): readonly Extract<AbstractValue, { readonly kind: 'pool' | 'handle' }>[] {
  const abstractValue = resolver.abstractValueOf(node, file);
  if (abstractValue?.kind === 'pool' || abstractValue?.kind === 'handle') return [abstractValue];
  const parts =
    node.type === 'ObjectExpression'
      ? node.properties.flatMap((each) => (each.type === 'Property' ? each.value : []))
      : node.type === 'NewExpression'
        ? node.arguments
        : [];
  return parts.flatMap((each) => poolsIn(unwrap(each), file, resolver));
}
