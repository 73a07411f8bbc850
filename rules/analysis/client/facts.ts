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

/**
 * A cell is a variable, a member chain by its text, or the result of a call that stands in the graph.
 * Facts are immutable and compared by `factKey`.
 */
export interface Fact {
  readonly status: Status;
  readonly cells: Readonly<Record<string, Value>>;
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
  cells: {},
  ...nothingLeft,
  inFlight: null,
  wasLent: false,
  isUnlikely: false,
};

export function factKey(fact: Fact): string {
  return `${protocolOf(fact)}|${[...cellParts(fact, () => true)].sort().join()}|${sitesIn(fact).join()}`;
}

/** The state of the client with each of the other things that are known at the same time. */
export function factParts(fact: Fact): readonly string[] {
  const ours = [...cellParts(fact, isOurs)].sort().join();
  const state = `${protocolOf(fact)}|${ours}`;
  const others = cellParts(fact, (value) => !isOurs(value));
  return [state, ...[...others, ...sitesIn(fact)].map((part) => `${state}|${part}`)];
}

function protocolOf(fact: Fact): string {
  return `${fact.status}${fact.inTransaction ? 't' : ''}${fact.failedRollback ? 'r' : ''}${fact.isEnded ? 'e' : ''}${fact.wasLent ? 'l' : ''}${fact.isUnlikely ? 'u' : ''}`;
}

function cellParts({ cells }: Fact, test: (value: Value) => boolean): readonly string[] {
  return Object.entries(cells).flatMap(([cell, value]) => (test(value) ? `${cell}=${value}` : []));
}

function sitesIn({ dirty, notes, inFlight, listening }: Fact): readonly string[] {
  return [
    ...dirty.map((site) => `dirty ${site}`),
    ...notes,
    ...listening.map((site) => `listening ${site}`),
    ...(inFlight === null ? [] : [`in flight ${inFlight}`]),
  ];
}

export function withCell(fact: Fact, cell: string, value: Value | undefined): Fact {
  if (fact.cells[cell] === value) return fact;
  // An object that a property was deleted from is slow for the rest of its life, so a new one is made without it.
  const cells =
    value === undefined
      ? Object.fromEntries(Object.entries(fact.cells).filter(([each]) => each !== cell))
      : { ...fact.cells, [cell]: value };
  return { ...fact, cells };
}

const manyCells = 12;

/** Each change copies all cells: what a long function has said of its other variables makes every step dearer. */
export function isLarge({ cells }: Fact): boolean {
  return Object.keys(cells).length > manyCells;
}

const markPrefix = 'mark ';

/** The cell of a property that the program itself keeps on its client: `client.inTransaction = true`. */
export function markCell(property: string): string {
  return markPrefix + property;
}

/** The cells of such properties: they stay with the client wherever it goes. */
export function clientMarks({ cells }: Fact): Readonly<Record<string, Value>> {
  const marks = Object.entries(cells).filter(([cell]) => cell.startsWith(markPrefix));
  return marks.length === 0 ? noMarks : Object.fromEntries(marks);
}

const noMarks: Readonly<Record<string, Value>> = {};

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
