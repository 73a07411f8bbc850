import type { Cell } from './cell.ts';

/** What is known of one acquisition on one way to a point. */
export type Status =
  /** Not acquired, or the acquire failed. */
  | 'none'
  /** Checked out, and its connection is taken when it is first used. */
  | 'unconnected'
  /** Asked for; the promise has not settled. */
  | 'pending'
  | 'held'
  | 'released'
  /** Given back to the caller, who is responsible from then on. */
  | 'returned'
  /** Handed to somebody else who is responsible from then on. */
  | 'escaped'
  /** Acquired once more before the first client came back. */
  | 'lost';

/** What a cell holds, when it matters. */
export type Value =
  | 'client'
  /** The promise of the client. */
  | 'promise'
  /** The function that releases it: `done`, `client.release`. */
  | 'release'
  /** An object or array with the client in it. */
  | 'bag'
  /** What a getter gave that has the client in it: the acquisition's shape says where. */
  | 'parcel'
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

/** Values that only a client, its promise, its release function or something around them has. */
export function isOurs(value: Value | undefined): boolean {
  return (
    value === 'client' ||
    value === 'promise' ||
    value === 'release' ||
    value === 'bag' ||
    value === 'parcel'
  );
}

export interface Holding {
  readonly cell: Cell;
  readonly value: Value;
}

/** Facts are immutable and compared by `factKey`. */
export interface Fact {
  readonly status: Status;
  /** What is known of cells, in the order of their ids. */
  readonly cells: readonly Holding[];
  /** A transaction was begun on the client and not ended; once it is released, that it went back so. */
  readonly inTransaction: boolean;
  /** A ROLLBACK failed and no transaction has been begun or ended since; once it is released, that it went back so. */
  readonly failedRollback: boolean;
  /** Indices of the statements whose session state is still on the client. */
  readonly dirty: readonly number[];
  /** What else is to be known of statements that left session state: see `session.ts`. */
  readonly notes: readonly string[];
  /** The index of a query that was started and that nobody has waited for yet. */
  readonly inFlight: number | null;
  /** The program has closed the connection itself: `client.end()`. */
  readonly isEnded: boolean;
  /** Sites of the listeners that were put on the client during this checkout and not taken off. */
  readonly listening: readonly number[];
  /** It was given to a function that we cannot see into. */
  readonly wasLent: boolean;
  /** The way here leads over an exception that hardly ever happens; where it ends is no finding. */
  readonly isUnlikely: boolean;
}

/** What a new checkout begins without, and a release ends. */
export const nothingLeft: Pick<
  Fact,
  'inTransaction' | 'failedRollback' | 'dirty' | 'notes' | 'isEnded' | 'listening'
> = {
  inTransaction: false,
  failedRollback: false,
  dirty: [],
  notes: [],
  isEnded: false,
  listening: [],
};

export const initialFact: Fact = {
  status: 'none',
  cells: [],
  ...nothingLeft,
  inFlight: null,
  wasLent: false,
  isUnlikely: false,
};

export function factKey(fact: Fact): string {
  let key = protocolOf(fact);
  for (const { cell, value } of fact.cells) key += `${cell.id}${value} `;
  return `${key}|${fact.inFlight ?? ''}|${fact.dirty.join()}|${fact.notes.join()}|${fact.listening.join()}`;
}

/** The state of the client with each of the other things that are known at the same time. */
export function factParts(fact: Fact): readonly string[] {
  let state = protocolOf(fact);
  const parts: string[] = [];
  for (const { cell, value } of fact.cells) {
    if (isOurs(value)) state += `${cell.id}${value} `;
    else parts.push(`${cell.id}${value}`);
  }
  for (const site of fact.dirty) parts.push(`dirty ${site}`);
  for (const site of fact.listening) parts.push(`listening ${site}`);
  if (fact.inFlight !== null) parts.push(`in flight ${fact.inFlight}`);
  return [state, ...[...parts, ...fact.notes].map((part) => `${state}|${part}`)];
}

function protocolOf(fact: Fact): string {
  return `${fact.status}${fact.inTransaction ? 't' : ''}${fact.failedRollback ? 'r' : ''}${fact.isEnded ? 'e' : ''}${fact.wasLent ? 'l' : ''}${fact.isUnlikely ? 'u' : ''}|`;
}

/** What is known of a cell. */
export function heldBy({ cells }: Fact, cell: Cell | undefined): Value | undefined {
  return cell && cells.find((each) => each.cell === cell)?.value;
}

export function withCell(fact: Fact, cell: Cell, value: Value | undefined): Fact {
  if (heldBy(fact, cell) === value) return fact;
  const others = fact.cells.filter((each) => each.cell !== cell);
  if (value === undefined) return { ...fact, cells: others };
  const place = others.findIndex((each) => each.cell.id > cell.id);
  const cells = others.toSpliced(place === -1 ? others.length : place, 0, { cell, value });
  return { ...fact, cells };
}

const manyCells = 12;

/** Each change copies all cells: what a long function has said of its other variables makes every step dearer. */
export function isLarge({ cells }: Fact): boolean {
  return cells.length > manyCells;
}

/** The properties that the program itself keeps on its client, with what they hold: they stay with it wherever it goes. */
export function clientMarks({ cells }: Fact): ReadonlyMap<string, Value> {
  return new Map(
    cells.flatMap(({ cell, value }) =>
      cell.kind === 'mark' ? [[cell.property, value] as const] : [],
    ),
  );
}

const truthiness: Readonly<Record<Value, boolean | undefined>> = {
  client: true,
  promise: true,
  release: true,
  bag: true,
  parcel: true,
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
