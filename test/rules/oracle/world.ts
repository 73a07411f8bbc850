import type { Choices } from './choices.ts';

export interface Client {
  readonly site: number;
  isReleased: boolean;
  /** A transaction was begun on it and not ended. */
  isInTransaction: boolean;
  /** Released by the function that should have given it to its caller. */
  failedInSetUp: boolean;
  /** Somebody outside of the program answers for it. */
  isHandedOver: boolean;
  readonly query: (
    text: string,
    callback?: (error: Error | null, result?: object) => void,
  ) => unknown;
  readonly release: (error?: unknown) => void;
  /** Somebody works with it. */
  readonly use: () => void;
}

/** Something done with a client that its checkout no longer allows. */
export interface Misuse {
  readonly kind:
    'nested checkout' | 'released twice' | 'used after release' | 'released in a transaction';
  readonly site: number;
}

/** What a program runs in: pools, a stranger's functions, and places that keep clients. Everything open is asked of `choices`. */
export interface World {
  /** The names that the program finds around itself. */
  readonly names: Readonly<Record<string, unknown>>;
  readonly clients: readonly Client[];
  readonly misuses: readonly Misuse[];
  /** Whoever is given this answers for the clients in it. */
  readonly handOver: (value: unknown) => void;
  /** Fires the events that the program listens to. */
  readonly close: () => void;
}

/** What a query or a stranger fails with. */
export class Failure extends Error {}

/** The rejections of promises made from it never count as unhandled. */
class QuietPromise<T> extends Promise<T> {
  override then<A = T, B = never>(
    onFulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    const next = super.then(onFulfilled, onRejected);
    void super.then.call(next, undefined, () => undefined);
    return next;
  }
}

function failing(question: string): Promise<never> {
  const promise = QuietPromise.reject<never>(new Failure(question));
  void promise.then();
  return promise;
}

export function createWorld(choices: Choices, sites: number): World {
  const clients: Client[] = [];
  const misuses: Misuse[] = [];
  const owners = new WeakMap<object, Client>();
  const listeners: (() => void)[] = [];
  const ownersIn = (value: unknown): readonly Client[] => {
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return [];
    const owner = owners.get(value);
    if (owner !== undefined) return [owner];
    return typeof value === 'object' ? Object.values(value).flatMap(ownersIn) : [];
  };
  const handOver = (value: unknown): void => {
    for (const owner of ownersIn(value)) owner.isHandedOver = true;
  };
  const settle = (question: string): Promise<object> => createPromise(choices, question);
  const clientOf = (site: number): Client => {
    const client = createClient(site, choices, misuses);
    owners.set(client, client);
    owners.set(client.release, client);
    return client;
  };
  const lendFrom = (site: number): Client => {
    const client = clientOf(site);
    clients.push(client);
    return client;
  };
  const checkNesting = (site: number): void => {
    if (clients.some((each) => each.site === site && !each.isReleased && !each.isHandedOver))
      misuses.push({ kind: 'nested checkout', site });
  };
  const pools = Object.fromEntries(
    Array.from({ length: sites }, (_, index) => [
      `pool${index + 1}`,
      createPool(index + 1, choices, lendFrom, checkNesting),
    ]),
  );
  const constants = new Map<string, unknown>();
  const constant = (name: string, make: () => unknown): unknown => {
    if (!constants.has(name)) constants.set(name, make());
    return constants.get(name);
  };
  const names = {
    ...pools,
    log: () => undefined,
    parse: (value: unknown) => value,
    check: () => choices.choose(2, 'check()') === 1,
    work: () => settle('work()'),
    stranger: (value: unknown) => {
      owners.get(value as object)?.use();
      return settle('stranger()');
    },
    registry: { push: handOver },
    holder: new Proxy({}, { set: (_target, _name, value) => (handOver(value), true) }),
    events: { once: (_name: string, listener: () => void) => void listeners.push(listener) },
    callback: (...values: unknown[]) => values.forEach(handOver),
    set shared(value: unknown) {
      handOver(value);
    },
    get p() {
      return constant('p', () => choices.choose(2, 'p') === 1);
    },
    get q() {
      return constant('q', () => choices.choose(2, 'q') === 1);
    },
    get given() {
      return constant('given', () => (choices.choose(2, 'given') === 1 ? clientOf(0) : undefined));
    },
    options: {
      get strict() {
        return constant('strict', () => choices.choose(2, 'options.strict') === 1);
      },
      get depth() {
        return choices.choose(3, 'options.depth');
      },
      // Asked anew by each loop, because the analysis does not relate the rounds of one to those of another.
      get items() {
        return Array.from(
          { length: choices.choose(3, 'options.items.length') },
          (_, index) => index,
        );
      },
    },
    pick: () => choices.choose(4, 'pick()'),
    more: createBoundedTest(choices),
  };
  return {
    names,
    clients,
    misuses,
    handOver,
    close: () => listeners.forEach((listener) => listener()),
  };
}

/** Asked for more, it says yes at most twice in a run. */
function createBoundedTest(choices: Choices): () => boolean {
  let rounds = 0;
  return () => rounds < 2 && choices.choose(2, 'more()') === 1 && ++rounds > 0;
}

/** How it settles is chosen when somebody looks. */
function createPromise(
  choices: Choices,
  question: string,
  onFailure = (): void => undefined,
): Promise<object> {
  let promise: Promise<object> | undefined;
  const settle = (): Promise<object> => {
    if (choices.choose(2, question) === 0) return QuietPromise.resolve({ rows: [] });
    onFailure();
    return failing(question);
  };
  const settled = (): Promise<object> => (promise ??= settle());
  const lazy: Pick<Promise<object>, 'then' | 'catch' | 'finally'> = {
    then: (onFulfilled, onRejected) => settled().then(onFulfilled, onRejected),
    catch: (onRejected) => settled().catch(onRejected),
    finally: (onEnd) => settled().finally(onEnd),
  };
  return lazy as Promise<object>;
}

interface Pool {
  readonly query: (text: string) => unknown;
  readonly connect: (
    callback?: (error: Error | null, client?: Client, done?: () => void) => void,
  ) => unknown;
}

/** As pg-pool does it (`index.js`, `connect`): a promise of a client, or `(error, client, done)`. */
function createPool(
  site: number,
  choices: Choices,
  lendFrom: (site: number) => Client,
  checkNesting: (site: number) => void,
): Pool {
  const question = `pool${site}.connect()`;
  return {
    query(text) {
      checkNesting(site);
      return createPromise(choices, `pool${site}.query('${text}')`);
    },
    connect(callback) {
      checkNesting(site);
      const fails = choices.choose(2, question) === 1;
      const client = fails ? undefined : lendFrom(site);
      if (callback === undefined)
        return client === undefined ? failing(question) : QuietPromise.resolve(client);
      if (client === undefined)
        later(() => callback(new Failure(question), undefined, () => undefined));
      else later(() => callback(null, client, client.release));
      return undefined;
    },
  };
}

function createClient(site: number, choices: Choices, misuses: Misuse[]): Client {
  const client: Client = {
    site,
    isReleased: false,
    isInTransaction: false,
    failedInSetUp: false,
    isHandedOver: false,
    use() {
      if (client.isReleased) misuses.push({ kind: 'used after release', site });
    },
    query(text, callback) {
      const question = `query('${text}')`;
      client.use();
      // A COMMIT or ROLLBACK that fails has ended the transaction, or the connection with it.
      if (endsTransaction(text)) client.isInTransaction = false;
      const begins = /^begin$/iu.test(text);
      client.isInTransaction ||= begins;
      if (callback === undefined)
        return createPromise(choices, question, () => {
          if (begins) client.isInTransaction = false;
        });
      later(() =>
        choices.choose(2, question) === 1
          ? callback(new Failure(question))
          : callback(null, { rows: [] }),
      );
      return undefined;
    },
    release: (reason) => {
      client.failedInSetUp ||= reason === 'set-up failed';
      if (client.isReleased) misuses.push({ kind: 'released twice', site });
      if (client.isInTransaction && !reason)
        misuses.push({ kind: 'released in a transaction', site });
      client.isReleased = true;
      client.isInTransaction = false;
    },
  };
  return client;
}

function endsTransaction(text: string): boolean {
  return /^(?:commit|rollback)$/iu.test(text);
}

/** What a callback throws ends a real process; here it ends the callback. */
function later(run: () => void): void {
  queueMicrotask(() => {
    try {
      run();
    } catch (error) {
      if (!(error instanceof Failure) && !(error instanceof Error && error.message === 'thrown'))
        throw error;
    }
  });
}
