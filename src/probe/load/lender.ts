/** Whatever lends clients to callers: a pool, one client for all, a new connection each time. */
export interface Lender {
  /** Resolves when a client is there; rejects with the driver's error when there will be none. */
  lend(): Promise<Loan>;
  look(): LenderState;
  /** False where callers wait inside of the driver: wait and time in the database cannot be told apart then. */
  readonly showsWait: boolean;
}

/** One client in somebody's hands. */
export interface Loan {
  /** Runs one drawn statement; rejects with the driver's error. */
  run(): Promise<void>;
  /** To be called once. The error of `run`, if there was one, tells whether the client can be lent again. */
  giveBack(error?: unknown): Promise<void> | void;
}

export interface LenderState {
  readonly total: number;
  readonly idle: number;
  /** Callers that have no client and for whom none is idle. */
  readonly waiting: number;
}
