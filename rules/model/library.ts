import type { Builds } from './built.ts';
import type { Driver } from './drivers.ts';

/** A query builder or ORM: its handle lends a connection to a callback or until somebody gives it back, and takes another for each query of its own. */
export interface Library extends Driver {
  /** Its name as its makers write it. */
  readonly name: string;
  /** Calls that run a callback while they hold a connection; their promise settles after its return to the pool. */
  readonly lends: readonly Lends[];
  /** Calls that give a connection without a callback; what gives it back is in `releases`. */
  readonly begins: readonly Begins[];
  /** Calls that send a statement over a connection of their own. */
  readonly sends: readonly Sends[];
  /** Members that send a statement as the tag of a template, and nothing for the handle itself: ``sql`…` ``. */
  readonly tags: readonly Path[];
  /** Calls that send the text of a statement which they are given first. */
  readonly texts: readonly Path[];
  /** What the library fills in in such a text, or sends under another name; null where all of it reaches the server as it is written. */
  readonly fills: RegExp | null;
  /** Its queries by the statements that the server shows; null where that is not known. */
  readonly builds: Builds | null;
  /** A query is sent once somebody waits for it; else it is under way when it has been asked for. */
  readonly isLazy: boolean;
  /** Methods that send such a query, whether or not somebody waits for it. */
  readonly sentBy: readonly string[];
  /** A statement of an export of the package, and the method that sends it over the handle which it is given: ``sql`…`.execute(db)``. */
  readonly carries: { readonly made: string; readonly by: string } | null;
  /** Methods of a query that send it over a connection of its own choice: `transacting`. */
  readonly boundBy: readonly string[];
  /** Methods that may be told the connection to go over, and where: `User.create(values, { transaction })`. */
  readonly mayBind: Readonly<Record<string, Given>>;
  /** A transaction is no handle: queries have to learn of it, and nothing else can stand where a handle does. */
  readonly isTold: boolean;
  /** What a library makes that makes the handle: `pgPromise()(url)`. */
  readonly makers: readonly string[];
  /** The member of a handle that is the pool below it, and the module of that pool. */
  readonly over: { readonly member: string; readonly module: string } | null;
  /** Of which of its exports the library writes a module into the program, and what such a module imports. */
  readonly generates: { readonly exported: readonly string[]; readonly imports: RegExp } | null;
  /** Calls that the handle of a transaction has not, or refuses. */
  readonly notInside: readonly Path[];
  /** No other library calls a lending method so. */
  readonly lendsUnmistakably: boolean;
  /** A transaction that is begun inside one with a callback takes its connection, whatever handle begins it. */
  readonly joins: boolean;
  /** Queries inside a transaction with a callback go over its connection without being told: always, or once the program calls a method of this name. */
  readonly queriesJoin: 'always' | { readonly since: string } | null;
  /** The harm of a query that still runs when the callback ends; null where the end waits for it and reports its failure. */
  readonly unawaited: string | null;
  /** A callback that gives no promise leaves its transaction open until somebody ends it. */
  readonly outlivesCallback: boolean;
  /** What a statement leaves on the session stays there when its connection goes back. */
  readonly keepsSession: boolean;
  /** How it is known that the database is PostgreSQL. */
  readonly postgresql: Postgresql;
  /** What several queries at a time on the one connection come to; null where the library makes them harmless. */
  readonly together: string | null;
  /** What several transactions at a time inside one come to; null where the library runs one after the other, or where that is not known. */
  readonly nestedTogether: string | null;
  /** What leads from a handle to another one of the same pool: members, and methods by what they give. */
  readonly derives: Derives;
  /** Exported classes of handles that a transaction has as well: of these, only what is injected surely speaks to the pool. */
  readonly lendable: readonly string[];
  /** Exported types of handles of another package, which a transaction may be as well. */
  readonly lendableOf: { readonly module: string; readonly types: readonly string[] } | null;
  /** What the program's own classes extend to query the pool of the library's choice by statics and objects: `class User extends BaseEntity`. */
  readonly models: Models;
  /** Calls and decorators that reach a pool by its name. */
  readonly byName: readonly ByName[];
  /** The package whose pools these names are of: its own, unless it wraps another. */
  readonly poolsOf: string | null;
  /** Packages by which its transactions go over pools of another library: which of them a program imports says which. */
  readonly adapters: Readonly<Record<string, Adapter>>;
  /** Exported decorators that hold a connection while the method runs, and functions that do so for a callback. */
  readonly holds: readonly string[];
  /** What such a transaction is to the code that runs in it; null where only its handle goes over it. */
  readonly ambient: Ambient | null;
}

export interface Adapter {
  /** The package whose pools these are. */
  readonly of: string;
  /** The option that has the token by which a container injects the handle. */
  readonly token: string;
}

/** What is asked in a transaction may join it without naming it, except for what takes a connection of its own in any case. */
export interface Ambient {
  /** Whatever handle of the pool joins, or only what is asked of the library itself. */
  readonly isJoinedBy: 'handles' | 'itself';
  /** The option that tells otherwise; null where that is an argument of its own, before or behind others. */
  readonly propagation: string | null;
  /** Its values that are none of those below. */
  readonly joins: readonly string[];
  /** Its values with which a transaction inside another is apart from it. */
  readonly apart: readonly string[];
  /** Its values with which no connection is held. */
  readonly none: readonly string[];
  /** Its values with which the code leaves the transaction around it. */
  readonly leaves: readonly string[];
  /** What has the handle of the transaction, or without one that of the pool: members of what runs transactions, and decorators that inject it. */
  readonly current: { readonly members: readonly string[]; readonly decorators: readonly string[] };
}

export interface Derives {
  readonly members: readonly string[];
  readonly methods: readonly string[];
  /** Which of the members has the methods that a transaction's handle has; null where every handle has. */
  readonly alike: string | null;
  /** Members that lead from the handle of a transaction to one of the pool. */
  readonly outside?: readonly string[];
  /** Those of the methods that give another handle, whose queries do not go over the connection of this one unless an option says so. */
  readonly apart?: { readonly methods: readonly string[]; readonly unless: string };
}

export interface Models {
  /** Exported classes. */
  readonly classes: readonly string[];
  /** Exported functions that take such a class, or a pool. */
  readonly functions: readonly string[];
  /** Statics that give an object of the class. */
  readonly finds: readonly string[];
  /** Statics that give a list of them, or one in a list. */
  readonly lists: readonly string[];
  /** Methods of a handle that make such a class: `sequelize.define()`. */
  readonly madeBy: readonly string[];
  /** The static that is told the handle whose pool the class speaks to: `User.init(attributes, { sequelize })`. */
  readonly bound: { readonly method: string; readonly by: Given } | null;
  /** Statics by which the program binds classes to a pool, whatever file they are in: all that inherit it, and single ones, as for each tenant. */
  readonly binders: { readonly all: readonly string[]; readonly one: readonly string[] };
  /** The member of a handle that keeps all of them. */
  readonly keptIn: string | null;
  /** Exported types of methods that a relation gives the objects, and how those are told their connection. */
  readonly relations: Readonly<Record<string, Given>>;
  /** What the names of such methods begin with. */
  readonly verbs: Readonly<Record<string, Given>>;
}

export interface Postgresql {
  /** The module speaks to no other. */
  readonly only: boolean;
  /** The option of a handle that tells, its values, and the exported classes whose objects it may be. */
  readonly option: string;
  readonly values: readonly string[];
  readonly classes: readonly string[];
}

/** Where a call is told its connection. */
export interface Given {
  /** The position of the argument; -1 for the last one of any number. */
  readonly at: number;
  /** The option of that argument that it is; null where it is the argument itself. */
  readonly option: string | null;
}

/** What is called without a name reaches the default pool. */
interface ByName {
  readonly module: string;
  readonly name: string;
  /** The position of the argument that names the pool, or the option in the first one. */
  readonly at: number | string;
}

/** Members from the handle to the first call, `*` for any name: `query.*.findMany`, and nothing for a call of the handle itself. */
export type Path = string;

interface Takes {
  readonly path: Path;
  /** The method after that call which takes the connection: `execute` of `db.transaction().execute(work)`. */
  readonly by: string | null;
}

export interface Begins extends Takes {
  /** The option with which the connection is none of the pool's. */
  readonly unless: string | null;
  /**
   * A promise of the handle; a function that gives it, which takes a connection when it is called first, and gives the same one ever
   * after; or nothing, where what is asked for it goes over it until it is ended.
   */
  readonly gives: 'connection' | 'provider' | 'nothing';
}

export interface Lends extends Takes {
  /** Whether a transaction is open meanwhile. */
  readonly opens: boolean;
  /** Which of the callback's parameters is the handle of the connection; it gets nothing of what is ambient. */
  readonly gives: 'first' | 'last' | 'nothing';
}

interface Sends {
  readonly paths: readonly Path[];
  /** The methods that send what such a call has built; null where it is sent once somebody waits for it. */
  readonly by: readonly string[] | null;
}
