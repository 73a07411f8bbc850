import type { Node } from '../syntax/node.ts';
import type { Driver } from '../model/drivers.ts';

/** A call that checks a client out of a pool. */
export interface Acquisition {
  /** The call, or for a client that is lent to a callback, the call that the callback is given to. */
  readonly call: Node;
  /** A promise of the client, a callback `(error, client, done)`, the client at once, a function that gives the client when it is called first, and ever after, or a client that the caller holds and will release. */
  readonly style: 'promise' | 'callback' | 'direct' | 'provider' | 'lent';
  readonly driver: Driver;
  /** Where the client is in what an acquire wrapper gives; undefined when that is the client itself. */
  readonly shape?: Shape;
  /** The promise is one of several that are waited for together: `Promise.all([pool.connect(), load()])`. */
  readonly joined?: Joined;
  /** The promise is raced against others: when one of these is first, nobody gets the client from the race. */
  readonly raced?: Raced;
  /** An object of a class has the client, and this shape; it may well do so for as long as the program runs. */
  readonly owner?: Owner;
  /** It may be the client that the calls around keep and release: who knows which it is may release its own only. */
  readonly mayBeBorrowed?: true;
  /** The client is what was asked for it, until it is released: `await em.begin()`. */
  readonly itself?: Itself;
  /** A callback had the client, and it has gone back when the promise fulfils: who has it still. */
  readonly kept?: Kept;
  /** Who lent the client gives it back itself when the callback has ended. */
  readonly lender?: GivesBack;
  /** The client comes from a function of the program, `take()`, not from the pool itself. */
  readonly isFromWrapper?: true;
  /** The pool as the source names it, or the function that gives the client. */
  readonly poolText: string;
}

/** After which ends of its callback a function gives the client back that it has lent, whatever the callback did. */
export interface GivesBack {
  readonly onReturn: boolean;
  readonly onThrow: boolean;
}

interface Joined {
  /** The call whose promise gives the client. */
  readonly call: Node;
  /** Others of the promises are of clients as well, one of which may fail to come. */
  readonly besideOthers: boolean;
  /** Another of the promises may reject, so that nobody gets the client. */
  readonly mayLose: boolean;
}

interface Raced {
  /** The call that gives what the first of them gives. */
  readonly call: Node;
  /** What comes of the race where another one is first: a failure, or nothing that is a client. */
  readonly otherwise: readonly ('rejected' | 'null')[];
}

/** A handle that outlives its connection. */
export interface Kept {
  /** Variables that the callback set to it. */
  readonly names: readonly Node[];
  /** The call gives what the callback gave, and that was the handle. */
  readonly isGiven: boolean;
}

/** Where the object is: `unit` of `await unit.begin()`; null where the call gives it. */
export interface Owner {
  readonly clientOwner: Node | null;
  /** Whether this function made it and has it to itself, so that nobody else can end what it began. */
  readonly answers: 'here' | 'somebody';
}

/** A handle that goes over a connection of the pool at times. */
export interface Itself {
  readonly handle: Node;
  /** Who has to see to its end: this function, those that do so on some way, or whoever gave it to this function. */
  readonly answers: 'here' | 'somebody' | 'caller';
}

/** What a part of an object is to the client in it: the client, what surely gives it back, or what may do so. */
export type Role = 'client' | 'release' | 'ending';

/** What stands where in an object or array with a client in it: `{ client, release }`, `[client, done]`; keys of arrays are indices. */
export type Shape = ReadonlyMap<string, Role>;

/** What an acquire wrapper gives its caller to answer for: the client itself, or something with the client in it. */
export type WrapperResult = 'client' | Shape;

/** The call does not give the client: what it is called on keeps it. */
export function isKeptElsewhere({ owner, itself }: Acquisition): boolean {
  return itself !== undefined || (owner !== undefined && owner.clientOwner !== null);
}

/** The call whose promise gives the client. */
export function promiseOf({ call, joined }: Acquisition): Node {
  return joined?.call ?? call;
}

/** What gives the client gives it in an array. */
export function isInList({ shape = new Map() }: Acquisition): boolean {
  return shape.size > 0 && [...shape.keys()].every(isIndex);
}

export function isIndex(key: string): boolean {
  return /^\d+$/u.test(key);
}
