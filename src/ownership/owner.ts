/** One start, and what it gave. */
interface Turn<Thing> {
  readonly over: AbortController;
  /** Rejects as the start does. */
  readonly started: Promise<Thing | undefined>;
  isUnderWay: boolean;
  thing: Thing | undefined;
}

/**
 * Owns at most one of something that is started and must be ended again. The last start wins: it ends the one before, be that ready
 * or still on its way, and begins when nothing of it is left.
 */
export class Owner<Thing = void> {
  readonly #end: (thing: Thing) => unknown;
  #turn: Turn<Thing> | undefined;
  /** Until all earlier turns have ended. */
  #past: Promise<unknown> = Promise.resolve();

  /** @param end Ends what a start gave; it may take its time. Nothing, where a start is the work itself, and over when that is. */
  constructor(end: (thing: Thing) => unknown = () => undefined) {
    this.#end = end;
  }

  /** What was started last, once it is ready and until it is told to end. */
  get thing(): Thing | undefined {
    return this.#turn?.thing;
  }

  /** Whether a start waits for its turn, or has not resolved yet. */
  get isUnderWay(): boolean {
    return this.#turn?.isUnderWay ?? false;
  }

  /**
   * The signal of `begin` says that another one has begun, or that it is to end; whatever it gives even so is ended. Resolves with
   * what it gave, or undefined if its turn was over by then; rejects as it does, and then leaves nothing to be ended.
   */
  start(begin: (signal: AbortSignal) => Thing | Promise<Thing>): Promise<Thing | undefined> {
    // Whoever waits for an end hears what went wrong with it; the next one begins all the same.
    void this.end();
    const over = new AbortController();
    const turn: Turn<Thing> = {
      over,
      isUnderWay: true,
      thing: undefined,
      started: this.#past.then(async () => {
        if (over.signal.aborted) return undefined;
        try {
          const thing = await begin(over.signal);
          if (!over.signal.aborted) return (turn.thing = thing);
          await this.#end(thing);
          return undefined;
        } catch (error) {
          if (this.#turn === turn) this.#turn = undefined;
          throw error;
        } finally {
          turn.isUnderWay = false;
        }
      }),
    };
    this.#turn = turn;
    return turn.started;
  }

  /** What was started last; starts it where that is nothing, or has failed. For what the first who needs it makes for all. */
  keep(begin: (signal: AbortSignal) => Thing | Promise<Thing>): Promise<Thing | undefined> {
    return this.#turn?.started ?? this.start(begin);
  }

  /** Resolves when nothing is left of what was ever started. */
  end(): Promise<void> {
    const turn = this.#turn;
    this.#turn = undefined;
    turn?.over.abort();
    const past = Promise.all([this.#past, turn && this.#endOf(turn)]).then(() => undefined);
    this.#past = past.catch(() => undefined);
    return past;
  }

  async #endOf({ started, thing }: Turn<Thing>): Promise<void> {
    // Ready before it was told to end; otherwise its start ends it, and tells its starter of a failure.
    if (thing !== undefined) await this.#end(thing);
    else await started.catch(() => undefined);
  }
}
