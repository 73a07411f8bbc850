import type { TSESTree } from '@typescript-eslint/types';
import type { ClassNode, FunctionNode, Node, OwnThis } from '../syntax/node.ts';
import type { Driver } from '../model/drivers.ts';
import { libraryOf } from '../model/libraries.ts';
import type { Library } from '../model/library.ts';
import type { NodePlace } from '../project/module-reader.ts';
import type { SourceFile } from '../syntax/source-file.ts';

/** Where a value comes from. */
export interface AllocationSite {
  /** What makes or declares it: `new Pool()`, the annotation of a parameter or field, the call of a factory. */
  readonly node: Node;
  readonly file: SourceFile;
  /** The allocation site of the object that it is a member of; undefined for a variable and for a member of `this`. */
  readonly holder: AllocationSite | undefined;
  /** The function that makes it anew for each of its callers. */
  readonly madeBy?: NodePlace;
  /** The token by which a container has it, where it is declared to be given by one. */
  readonly injected?: string;
}

/** The name by which a library knows a pool, `default` without one, and who asked for it: a container that injects it, or the program by a function or a class of the library's. */
export interface Reached {
  /** The package whose pools have these names. */
  readonly of: string;
  readonly name: string;
  readonly by: 'making' | 'injection' | 'library';
}

/** What an expression stands for, as far as the analysis cares. Nothing (`undefined`) means unknown. */
export type AbstractValue =
  /** A package that is a driver, or one of its exports. */
  | { readonly kind: 'driver'; readonly driver: Driver; readonly name: string }
  /** `allocation-sites.ts` says whether two of them are the same. */
  | {
      readonly kind: 'pool';
      readonly driver: Driver;
      readonly site: AllocationSite;
      /** The program's own class of pools that it is an object of. */
      readonly ofClass?: NodePlace;
      readonly reached?: Reached;
    }
  /** A query builder's or ORM's way to its pool: `drizzle(pool)`, `new PrismaClient()`. */
  | {
      readonly kind: 'handle';
      readonly library: Library;
      readonly site: AllocationSite;
      readonly ofClass?: NodePlace;
      /** Null where it has a name that is not known. */
      readonly reached?: Reached | null;
      /** A transaction's own handle may stand there as well. */
      readonly mayBeLent?: true;
      /** The module of the library in whose transactions it is that transaction's own handle: `host.tx`. */
      readonly currentOf?: string;
    }
  /** A client that some pool lent. */
  | { readonly kind: 'client'; readonly driver: Driver }
  /** A connection of its own, made by `new Client()`. */
  | { readonly kind: 'connection'; readonly driver: Driver }
  | { readonly kind: 'module'; readonly file: SourceFile }
  /** A package that is no driver, or an export of it (`name` is "*" for the whole). */
  | { readonly kind: 'package'; readonly module: string; readonly name: string }
  | { readonly kind: 'function'; readonly node: FunctionNode; readonly file: SourceFile }
  | { readonly kind: 'class'; readonly node: ClassNode; readonly file: SourceFile }
  /** An object of a class, or one that a constructor function makes. */
  | {
      readonly kind: 'instance';
      readonly node: ClassNode | OwnThis;
      readonly file: SourceFile;
      /** Undefined for `this`. */ readonly site: AllocationSite | undefined;
    }
  | {
      readonly kind: 'object';
      readonly node: TSESTree.ObjectExpression;
      readonly file: SourceFile;
      /** Undefined for one that exists once. */ readonly site: AllocationSite | undefined;
    }
  | { readonly kind: 'array'; readonly node: TSESTree.ArrayExpression; readonly file: SourceFile }
  /** A constant string. */
  | { readonly kind: 'text'; readonly node: Node; readonly file: SourceFile }
  /** An array, map or record by its type, which is that of its values. */
  | { readonly kind: 'collection'; readonly of: TSESTree.TypeNode; readonly file: SourceFile }
  /** A method of a driver's object that is passed around by itself: `pool.connect.bind(pool)`. */
  | {
      readonly kind: 'method';
      readonly of: AbstractValue & { kind: 'pool' };
      readonly name: string;
    }
  /** A method that gives a handle of the same pool, `dataSource.getRepository`, or an object of a class, `User.findOne`. */
  | { readonly kind: 'giver'; readonly of: AbstractValue }
  /** What has a handle, or an object of a class, for each of its members: `sequelize.models`, what `User.findAll` gives. */
  | { readonly kind: 'keeper'; readonly of: AbstractValue }
  /** A function of which only the type is known. */
  | {
      readonly kind: 'signature';
      readonly node: Node;
      readonly returns: TSESTree.TypeNode | undefined;
      readonly file: SourceFile;
    }
  /** A pool, or what is used in its place when there is one, such as a client: `client ?? pool`. */
  | { readonly kind: 'either'; readonly pool: AbstractValue & { kind: 'pool' } }
  /** A value of a type that is spelled out in the file: an interface or an object type. */
  | {
      readonly kind: 'shape';
      readonly node: Node;
      readonly file: SourceFile;
      readonly site: AllocationSite | undefined;
    };

/** What `allocation-sites.ts` tells apart, by the row of what made it. */
export function poolOrHandle(
  driver: Driver,
  site: AllocationSite,
): Extract<AbstractValue, { readonly kind: 'pool' | 'handle' }> {
  const library = libraryOf(driver);
  return library === undefined ? { kind: 'pool', driver, site } : { kind: 'handle', library, site };
}

/** Of one kind, and with pools of one database. */
export function isAlike(one: AbstractValue, other: AbstractValue): boolean {
  return (
    one.kind === other.kind &&
    (one.kind !== 'pool' || other.kind !== 'pool' || one.driver.acquire === other.driver.acquire)
  );
}
