/**
 * The protocols that a checked-out client goes through, one table each: from a state, by an event, to the next state. An event
 * without a row changes nothing.
 */
type Table<State extends string, Event extends string> = Readonly<
  Record<State, Readonly<Partial<Record<Event, State>>>>
>;

/** What is known of one checkout. */
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

export type CheckoutEvent =
  /** The three ways in which a driver gives a client: a promise, the client, a client that has no connection yet. */
  | 'promised'
  | 'given'
  | 'made'
  | 'fulfilled'
  | 'rejected'
  /** What provides the client is called: only the first call takes a connection. */
  | 'provided'
  /** The first use of a client takes its connection, or fails to. */
  | 'connected'
  | 'connection failed'
  | 'released'
  | 'release failed'
  | 'returned'
  | 'handed on';

const acquired = { promised: 'pending', given: 'held', made: 'unconnected' } as const;
const acquiredAgain = { promised: 'lost', given: 'lost', made: 'lost' } as const;
const leaves = { released: 'released', returned: 'returned', 'handed on': 'escaped' } as const;

export const checkoutProtocol: Table<Status, CheckoutEvent> = {
  none: acquired,
  unconnected: { ...acquired, ...leaves, provided: 'pending', connected: 'held' },
  pending: { ...acquiredAgain, ...leaves, fulfilled: 'held', rejected: 'none' },
  held: { ...acquiredAgain, ...leaves, 'connection failed': 'none' },
  released: { ...acquired, 'release failed': 'held' },
  escaped: { released: 'released' },
  returned: {},
  lost: {},
};

/** The transaction of a client; once it is released, the one that it went back with. */
export type Transaction =
  | 'none'
  | 'open'
  /** A rollback of an open transaction was sent. */
  | 'rolled back'
  /** That rollback failed, and no transaction has been begun or ended since. */
  | 'not rolled back';

export type TransactionEvent =
  | 'begin'
  | 'begin failed'
  | 'commit'
  | 'prepare'
  | 'rollback'
  | 'rollback failed'
  /** `COMMIT AND CHAIN`, `ROLLBACK AND CHAIN` */
  | 'chain'
  /** A step failed, of a client that tells that its transaction is open until one succeeds. */
  | 'step failed'
  /** A statement of which not even the first word is known. */
  | 'unknown statement'
  /** The connection goes back to the pool, or is closed. */
  | 'kept'
  | 'closed';

const begun = { begin: 'open', chain: 'open', 'step failed': 'open' } as const;
const ended = { commit: 'none', prepare: 'none', rollback: 'none', closed: 'none' } as const;

/** A failed COMMIT has ended the transaction all the same (PostgreSQL, COMMIT). */
export const transactionProtocol: Table<Transaction, TransactionEvent> = {
  none: begun,
  open: { ...ended, rollback: 'rolled back', 'begin failed': 'none', 'unknown statement': 'none' },
  'rolled back': { ...begun, ...ended, 'rollback failed': 'not rolled back', kept: 'none' },
  'not rolled back': { ...begun, ...ended },
};

/** What one call left on the client. */
export type Leftover =
  /** Session state that stays until somebody takes it back. */
  | 'lasting'
  /** Session state of the transaction that is open, so that a rollback takes it back. */
  | 'revocable'
  /** A lock whose unlock has been sent. */
  | 'unlocked'
  /** A lock whose unlock has failed. */
  | 'still locked'
  /** A listener of the client's events. */
  | 'listening'
  /** A listener that releases the client once its connection is lost. */
  | 'owned by listener'
  /** A query that nobody has waited for yet. */
  | 'in flight';

export type LeftoverEvent =
  | 'commit'
  | 'rollback'
  | 'undone'
  | 'unlocked'
  | 'unlock failed'
  | 'statement failed'
  | 'listener removed'
  | 'awaited';

const undone = { undone: 'gone', unlocked: 'unlocked', 'statement failed': 'gone' } as const;

export const leftoverProtocol: Table<Leftover | 'gone', LeftoverEvent> = {
  lasting: undone,
  revocable: { ...undone, commit: 'lasting', rollback: 'gone' },
  unlocked: { 'unlock failed': 'still locked' },
  'still locked': {},
  listening: { 'listener removed': 'gone' },
  'owned by listener': { 'listener removed': 'gone' },
  'in flight': { awaited: 'gone' },
  gone: {},
};

/** The state behind an event. */
export function step<State extends string, Event extends string>(
  table: Table<State, Event>,
  state: State,
  event: Event,
): State {
  return table[state][event] ?? state;
}
