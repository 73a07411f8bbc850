import { drivers, type Driver } from '../model/drivers.ts';
import { libraries, libraryFor } from '../model/libraries.ts';
import type { Library } from '../model/library.ts';
import { type ClassNode, type Node, isClass } from '../syntax/node.ts';
import { walk } from '../syntax/preorder.ts';
import type { SourceFile } from '../syntax/source-file.ts';
import { nodeAt, placeOf, replaced } from './apart.ts';
import { binderOf, isBoundOnce } from './binders.ts';
import {
  poolOrHandle,
  type AbstractValue,
  type AllocationSite,
  type Reached,
} from './abstract-values.ts';
import { poolsOf, poolsOfAt } from './adapters.ts';
import { parentsOf, type Parent } from './mixed-in.ts';
import { injectionAt, reachedByModels } from './reached.ts';
import type { Resolver } from './resolver.ts';

export type Handle = AbstractValue & { readonly kind: 'handle' };

/**
 * What an abstract value is to a library: a data source is a pool and a handle, a class of models speaks to the pool by its statics and by
 * its objects, and an object of a class of repositories is a repository.
 */
export function handleOf(value: AbstractValue | undefined, resolver: Resolver): Handle | undefined {
  switch (value?.kind) {
    case 'handle':
      return value;
    case 'pool':
      return ofPool(value);
    case 'class':
      return ofClass(value, 'models', resolver);
    case 'instance':
      return ofClass(value, 'models', resolver) ?? ofObject(value, resolver);
    default:
      return undefined;
  }
}

/** What an expression is to a library: of what its package exports, the classes of its models as well. */
export function handleAt(node: Node, file: SourceFile, resolver: Resolver): Handle | undefined {
  const value = resolver.abstractValueOf(node, file);
  if (value?.kind !== 'driver') return handleOf(value, resolver);
  const library = libraryFor(value.driver);
  if (library === undefined) return undefined;
  const { classes, functions } = library.models;
  return [...classes, ...functions].includes(value.name)
    ? {
        kind: 'handle',
        library,
        site: { node: file.ast, file, holder: undefined },
        reached: byDefault(library),
      }
    : undefined;
}

/** A handle of the same pool that a member of it is, or that a method of it gives; of a class of models, an object. */
export function derivedFrom(
  value: AbstractValue,
  name: string,
  resolver: Resolver,
): AbstractValue | undefined {
  const handle = handleOf(value, resolver);
  if (handle === undefined) return undefined;
  const { derives, models, over } = handle.library;
  const member = handleAsMember(handle, name, resolver);
  if (member !== undefined) return member;
  if (derives.methods.includes(name))
    return { kind: 'giver', of: value.kind === 'class' ? value : handle };
  if (over?.member === name && handle.mayBeLent !== true) return poolBelow(handle, over);
  return value.kind === 'class' || value.kind === 'handle'
    ? modelFrom(value, name, models)
    : undefined;
}

/** `host.tx`, `manager.connection`, `dataSource.manager` */
function handleAsMember(handle: Handle, name: string, resolver: Resolver): Handle | undefined {
  const { ambient, derives } = handle.library;
  if (ambient?.current.members.includes(name) === true) return currentFrom(handle, resolver);
  if (derives.outside?.includes(name) === true) return ofPoolItself(handle);
  return derives.members.includes(name) ? handle : undefined;
}

/** `host.tx`: the handle of the transaction around, or of the pool. */
function currentFrom(host: Handle, resolver: Resolver): Handle | undefined {
  const { library, site, reached } = host;
  const module = poolsOfAt(library, site.file, resolver);
  const own = libraries.find((each) => each.module === module);
  return (
    own && {
      kind: 'handle',
      library: own,
      site,
      mayBeLent: true,
      currentOf: library.module,
      ...(reached !== undefined && { reached }),
    }
  );
}

/** `manager.connection`: whatever transaction the manager is of, that is the data source. */
function ofPoolItself({ mayBeLent: _, currentOf: __, ...handle }: Handle): Handle {
  return handle;
}

function poolBelow(
  { site }: Handle,
  { module }: NonNullable<Library['over']>,
): AbstractValue | undefined {
  const below = [...drivers, ...libraries].find((each) => each.module === module);
  return below && poolOrHandle(below, site);
}

/** `User.findOne`, `sequelize.define`, `sequelize.models` */
function modelFrom(
  value: (AbstractValue & { kind: 'class' }) | Handle,
  name: string,
  { finds, lists, madeBy, keptIn }: Library['models'],
): AbstractValue | undefined {
  const object: AbstractValue =
    value.kind === 'class'
      ? replaced(value, { kind: 'instance' as const, site: undefined })
      : value;
  if (finds.includes(name)) return { kind: 'giver', of: object };
  if (lists.includes(name)) return { kind: 'giver', of: { kind: 'keeper', of: object } };
  if (value.kind === 'class') return undefined;
  if (keptIn === name) return { kind: 'keeper', of: value };
  return madeBy.includes(name) ? { kind: 'giver', of: value } : undefined;
}

function ofPool({ driver, site, reached }: AbstractValue & { kind: 'pool' }): Handle | undefined {
  const library = libraryFor(driver);
  return library && { kind: 'handle', library, site, ...(reached && { reached }) };
}

/** `private users: UsersRepository`: of a class that extends a library's, where it is injected. */
function ofObject(
  value: AbstractValue & { kind: 'instance' },
  resolver: Resolver,
): Handle | undefined {
  const handle = ofClass(value, 'lendable', resolver);
  return value.site === undefined || handle === undefined
    ? handle
    : asDeclared(handle, value.site, resolver);
}

/** What is declared with an exported type of a driver or library. */
export function handleOfType(
  driver: Driver,
  name: string,
  site: AllocationSite,
  resolver: Resolver,
): AbstractValue | undefined {
  const library = libraryFor(driver);
  if (driver.poolClasses.includes(name)) {
    const reached = library && reachedByType(site, library, resolver);
    return { ...poolOrHandle(driver, site), ...(reached && { reached }) };
  }
  const lent = library && lendableAs(library, name);
  return lent && asDeclared({ kind: 'handle', ...lent, site }, site, resolver);
}

/** `Kysely<DB> | Transaction<DB>`, `NodePgDatabase | PgliteDatabase`: one library's handle, or something in its place. */
export function handleAmong(
  parts: readonly (AbstractValue | undefined)[],
): AbstractValue | undefined {
  const handles = parts.filter((part) => part?.kind === 'handle');
  const [first] = handles;
  return first !== undefined &&
    handles.every(({ library }) => library.name === first.library.name) &&
    parts.every((part) => part === undefined || part.kind === 'handle')
    ? { ...first, mayBeLent: true }
    : undefined;
}

/** The library whose handle a type is that a transaction's is as well. */
function lendableAs(
  library: Library,
  name: string,
): Pick<Handle, 'library' | 'reached'> | undefined {
  if (library.lendable.includes(name)) return { library };
  const { lendableOf } = library;
  const other = lendableOf?.types.includes(name)
    ? libraries.find(({ module }) => module === lendableOf.module)
    : undefined;
  const reached = other && reachedByModels(other);
  return other && { library: other, ...(reached && { reached }) };
}

function reachedByType(
  { node, file }: AllocationSite,
  library: Library,
  resolver: Resolver,
): Reached | null | undefined {
  return library.byName.length > 0
    ? injectionAt(node, library, file, resolver)?.reached
    : reachedByModels(library);
}

/** What a type says of a handle: it is the pool's where it is injected; elsewhere a transaction's may be given. */
function asDeclared(handle: Handle, site: AllocationSite, resolver: Resolver): Handle {
  const { node, file } = site;
  const injection = injectionAt(node, handle.library, file, resolver);
  const reached = handle.reached === undefined ? injection?.reached : handle.reached;
  return {
    ...(replaced(handle, { site }) as Handle),
    ...(reached !== undefined && { reached }),
    ...(injection === undefined && { mayBeLent: true }),
  };
}

function ofClass(
  value: AbstractValue & { kind: 'class' | 'instance' },
  role: 'models' | 'lendable',
  resolver: Resolver,
): Handle | undefined {
  const place = placeOf(value);
  const found = resolver.inFile(
    value.file,
    `${place.range.join('-')} is of ${role}`,
    (there, file) => {
      const node = nodeAt(place, file);
      // Classes may extend each other.
      return isClass(node)
        ? there.onceNamed(node, role, () => handleOfClass(node, role, file, there))
        : undefined;
    },
  );
  return found?.kind === 'handle' ? found : undefined;
}

function handleOfClass(
  node: ClassNode,
  role: 'models' | 'lendable',
  file: SourceFile,
  resolver: Resolver,
): Handle | undefined {
  if (node.superClass === null) return undefined;
  for (const parent of parentsOf(node.superClass, file, resolver)) {
    const found =
      parent.kind === 'class'
        ? ofChild(node, parent, role, file, resolver)
        : ofOwn(node, parent, role, file, resolver);
    if (found !== undefined) return found;
  }
  return undefined;
}

function ofChild(
  node: ClassNode,
  parent: Parent & { readonly kind: 'class' },
  role: 'models' | 'lendable',
  file: SourceFile,
  resolver: Resolver,
): Handle | undefined {
  const inherited = ofClass(parent, role, resolver);
  return (
    inherited && {
      ...inherited,
      ...ownOf(node, file),
      ...(role === 'models' && boundTo(node, inherited.library, file, resolver)),
    }
  );
}

function ofOwn(
  node: ClassNode,
  parent: Parent & { readonly kind: 'driver' },
  role: 'models' | 'lendable',
  file: SourceFile,
  resolver: Resolver,
): Handle | undefined {
  const library = extended(parent, role);
  if (library === undefined) return undefined;
  const own: Handle = { kind: 'handle', library, ...ownOf(node, file) };
  if (role === 'models') {
    const reached = isBoundOnce(library, file, resolver) ? byDefault(library) : null;
    return { ...own, reached, ...boundTo(node, library, file, resolver) };
  }
  const reached = givenToSuper(node, file, resolver);
  return { ...own, ...(reached !== undefined && { reached }) };
}

function ownOf(node: ClassNode, file: SourceFile): Required<Pick<Handle, 'site' | 'ofClass'>> {
  return { site: { node, file, holder: undefined }, ofClass: placeOf({ node, file }) };
}

function extended(
  { driver, name }: AbstractValue & { kind: 'driver' },
  role: 'models' | 'lendable',
): Library | undefined {
  const library = libraryFor(driver);
  return library && classesOf(library, role).includes(name) ? library : undefined;
}

/** The handle whose pool a class says that it speaks to, as far as that is known. */
function boundTo(
  node: ClassNode,
  library: Library,
  file: SourceFile,
  resolver: Resolver,
): Pick<Handle, 'site' | 'reached'> | undefined {
  const named = binderOf(node, library, file);
  const handle = named && resolver.abstractValueOf(named, file);
  return handle?.kind === 'handle'
    ? { site: handle.site, ...(handle.reached !== undefined && { reached: handle.reached }) }
    : undefined;
}

function byDefault(library: Library): Reached {
  return { of: poolsOf(library), name: 'default', by: 'library' };
}

function classesOf(library: Library, role: 'models' | 'lendable'): readonly string[] {
  return role === 'models' ? library.models.classes : library.lendable;
}

/** `super(User, dataSource.createEntityManager())`; null where what is given does not tell. */
function givenToSuper(
  node: ClassNode,
  file: SourceFile,
  resolver: Resolver,
): Reached | null | undefined {
  let reached: Reached | null | undefined;
  walk(file, node.body, (each) => {
    if (each.type === 'CallExpression' && each.callee.type === 'Super')
      reached =
        each.arguments
          .map((argument) => handleOf(resolver.abstractValueOf(argument, file), resolver))
          .find((handle) => handle !== undefined)?.reached ?? null;
    return reached === undefined;
  });
  return reached;
}
