import type { AccessPath } from './access-path.ts';
import type { SiteLeftover } from './leftovers.ts';
import {
  checkoutProtocol,
  step,
  transactionProtocol,
  type CheckoutEvent,
  type Status,
  type Transaction,
  type TransactionEvent,
} from './protocols.ts';

/** What an access path holds, when it matters. */
export type Value =
  | 'client'
  /** The promise of the client. */
  | 'promise'
  /** The function that gives this promise whenever it is called. */
  | 'provider'
  /** The function that releases it: `done`, `client.release`. */
  | 'release'
  /** A method of an object that has the client, which releases it on some of its ways. */
  | 'ending'
  /** An object or array with the client in it. */
  | 'collection'
  /** What an acquire wrapper gave that has the client in it: the acquisition's shape says where. */
  | 'container'
  | 'true'
  | 'false'
  | 'null'
  /** The promise of a function whose outcome is known: it fulfils, it rejects. */
  | 'fulfilled'
  | 'rejected'
  /** Something truthy. */
  | 'some'
  /** Something falsy. */
  | 'nothing'
  /** Set to something that is not known. */
  | 'any';

/** Values that only a client, its promise or provider, its release function or something around them has. */
export function isOurs(value: Value | undefined): boolean {
  return (
    value === 'client' ||
    value === 'promise' ||
    value === 'provider' ||
    value === 'release' ||
    value === 'ending' ||
    value === 'collection' ||
    value === 'container'
  );
}

export interface Holding {
  readonly accessPath: AccessPath;
  readonly value: Value;
}

/** Facts are immutable and compared by `factKey`. */
export interface Fact {
  readonly status: Status;
  /** What is known of access paths, in the order of their ids. */
  readonly accessPaths: readonly Holding[];
  readonly transaction: Transaction;
  /** What single calls left on the client. */
  readonly leftovers: readonly SiteLeftover[];
  /** The program has closed the connection itself: `client.end()`. */
  readonly isEnded: boolean;
  /** A ROLLBACK over it has failed: the connection is lost. */
  readonly isBroken: boolean;
  /** It was given to a function that we cannot see into. */
  readonly wasLent: boolean;
  /** The way here leads over an exception that hardly ever happens; where it ends is no finding. */
  readonly followsImplicitThrow: boolean;
}

/** What a new checkout begins without, and a release ends. */
export const nothingLeft: Pick<Fact, 'transaction' | 'leftovers' | 'isEnded' | 'isBroken'> = {
  transaction: 'none',
  leftovers: [],
  isEnded: false,
  isBroken: false,
};

export const initialFact: Fact = {
  status: 'none',
  accessPaths: [],
  ...nothingLeft,
  wasLent: false,
  followsImplicitThrow: false,
};

/** What holds behind an event of the checkout. */
export function checkoutEvent(fact: Fact, event: CheckoutEvent): Fact {
  const status = step(checkoutProtocol, fact.status, event);
  return status === fact.status ? fact : { ...fact, status };
}

/** What holds behind an event of the client's transaction. */
export function transactionEvent(fact: Fact, event: TransactionEvent): Fact {
  const transaction = step(transactionProtocol, fact.transaction, event);
  return transaction === fact.transaction ? fact : { ...fact, transaction };
}

/** This function answers for the client. */
export function isOut({ status }: Fact): boolean {
  return checkoutProtocol[status]['handed on'] !== undefined;
}

/** Somebody else answers for the client from here on. */
export function escape(fact: Fact): Fact {
  return checkoutEvent(fact, 'handed on');
}

/** The client was given to somebody who may have kept it. */
export function lending(fact: Fact): Fact {
  return fact.wasLent ? fact : { ...fact, wasLent: true };
}

/** The client goes back to its pool, its connection with it or not. */
export function giveToPool(fact: Fact, isKept: boolean): Fact {
  const { transaction } = transactionEvent(fact, isKept ? 'kept' : 'closed');
  return { ...checkoutEvent(fact, 'released'), ...nothingLeft, transaction };
}

export function factKey(fact: Fact): string {
  let key = protocolOf(fact);
  for (const { accessPath, value } of fact.accessPaths) key += `${accessPath.id}${value} `;
  key += '|';
  for (const each of fact.leftovers) key += textOf(each);
  return key;
}

/** The state of the client with each of the other things that are known at the same time. */
export function factParts(fact: Fact): readonly string[] {
  let state = protocolOf(fact);
  const parts: string[] = [];
  for (const { accessPath, value } of fact.accessPaths) {
    if (isOurs(value)) state += `${accessPath.id}${value} `;
    else parts.push(`${accessPath.id}${value}`);
  }
  return [state, ...[...parts, ...fact.leftovers.map(textOf)].map((part) => `${state}|${part}`)];
}

function textOf({ site, what }: SiteLeftover): string {
  return `${site}${what} `;
}

function protocolOf(fact: Fact): string {
  return `${fact.status}|${fact.transaction}|${fact.isEnded ? 'e' : ''}${fact.isBroken ? 'b' : ''}${fact.wasLent ? 'l' : ''}${fact.followsImplicitThrow ? 'u' : ''}|`;
}

/** What is known of an access path. */
export function heldBy(
  { accessPaths }: Fact,
  accessPath: AccessPath | undefined,
): Value | undefined {
  return accessPath && accessPaths.find((each) => each.accessPath === accessPath)?.value;
}

export function withAccessPath(fact: Fact, accessPath: AccessPath, value: Value | undefined): Fact {
  if (heldBy(fact, accessPath) === value) return fact;
  const others = fact.accessPaths.filter((each) => each.accessPath !== accessPath);
  if (value === undefined) return { ...fact, accessPaths: others };
  const place = others.findIndex((each) => each.accessPath.id > accessPath.id);
  const accessPaths = others.toSpliced(place === -1 ? others.length : place, 0, {
    accessPath,
    value,
  });
  return { ...fact, accessPaths };
}

const manyAccessPaths = 12;

/** Each change copies all access paths: what a long function has said of its other variables makes every step dearer. */
export function isLarge({ accessPaths }: Fact): boolean {
  return accessPaths.length > manyAccessPaths;
}

/** The properties that the program itself keeps on its client, with what they hold: they stay with it wherever it goes. */
export function clientMarks({ accessPaths }: Fact): ReadonlyMap<string, Value> {
  return new Map(
    accessPaths.flatMap(({ accessPath, value }) =>
      accessPath.kind === 'mark' ? [[accessPath.property, value] as const] : [],
    ),
  );
}

const truthiness: Readonly<Record<Value, boolean | undefined>> = {
  client: true,
  promise: true,
  provider: true,
  release: true,
  ending: true,
  collection: true,
  container: true,
  fulfilled: true,
  rejected: true,
  true: true,
  some: true,
  false: false,
  null: false,
  nothing: false,
  any: undefined,
};

/** Whether a value is truthy; undefined when it is not known. */
export function isTruthy(value: Value | undefined): boolean | undefined {
  return value === undefined ? undefined : truthiness[value];
}

/** Whether a value is null or undefined; undefined when it is not known. What is falsy and compared with null is hardly ever 0 or ''. */
export function isNullish(value: Value | undefined): boolean | undefined {
  return value === undefined || value === 'any'
    ? undefined
    : value === 'null' || value === 'nothing';
}
