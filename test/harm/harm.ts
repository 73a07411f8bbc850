import pg from 'pg';

/** What a scenario sees, as JSON. */
export type Seen = Readonly<Record<string, unknown>>;

export interface Ending {
  /** 0 unless given. */
  readonly code?: number;
  /** Nothing is written there unless given. */
  readonly stderr?: RegExp;
}

export interface Observed extends Ending {
  /** The caption of an example on the rule's page. */
  readonly example: string;
  /** What the scenario sees; undefined when the process dies before. */
  readonly seen: Seen | undefined;
}

/** A wrong and a right example of a rule's page, and what becomes of each under the same conditions. */
export interface Harm<Example> {
  readonly rule: string;
  /** What happens, in a few words. */
  readonly name: string;
  /** Statements for the database's owner, who is also the example's user. */
  readonly tables?: string;
  /** `max` of the `pool.js` beside the example. 10 unless given. */
  readonly max?: number;
  /** Puts a PgBouncer in transaction mode with that many backends between the example and the server. */
  readonly pgBouncerBackends?: number;
  /** `CONNECTION LIMIT` of the database. */
  readonly connectionLimit?: number;
  /** Other modules that the examples import, by path: `node_modules/stripe/index.js`. */
  readonly modules?: Readonly<Record<string, string>>;
  /** What happens with the example; runs in a process of its own. */
  readonly play: (stage: Stage<Example>) => Promise<Seen>;
  readonly wrong: Observed;
  readonly right: Observed;
}

export interface Stage<Example> {
  /** What the example exports. */
  readonly example: Example;
  /** The pool of `pool.js`; callers of a wrong example wait for a client for `patienceMs` at most. */
  readonly pool: pg.Pool;
  /** Looks at the server from outside, as its superuser. */
  readonly server: pg.Client;
  /** Ends a backend, as a failover or an administrator does. */
  readonly kill: (pid: number) => Promise<void>;
  /** The backends of the example's user. */
  readonly backends: () => Promise<readonly number[]>;
  /** What those backends do: `active`, `idle`, `idle in transaction`. */
  readonly states: () => Promise<readonly string[]>;
  /** Lets every request to other machines wait for its answer until it is called with what to answer. */
  readonly internet: Internet;
}

export interface Internet {
  /** Resolves when that many requests wait. */
  received(count: number): Promise<void>;
  /** Answers all requests that wait, and those to come. */
  answer(): void;
}

/** Rows of the table keep their types to themselves. */
export type AnyHarm = Harm<never>;

export function harm<Example>(row: Harm<Example>): AnyHarm {
  return row;
}

/** `connectionTimeoutMillis` of `pool.js` beside a wrong example; beside a right one nobody waits in vain. */
export const patienceMs = 400;

/** What a caller gets who waited that long (pg-pool index.js). */
export const exhausted = 'timeout exceeded when trying to connect';

/** `ok`, or the message of the error. */
export function outcome(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'ok',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

/** Connects like the example, but past its pools. */
export async function connectAsOther(): Promise<pg.Client> {
  const client = new pg.Client();
  await client.connect();
  return client;
}

/** What one statement gives over a connection of its own. */
export async function askAsOther(sql: string): Promise<readonly unknown[]> {
  const client = await connectAsOther();
  const { rows } = await client.query<object>(sql);
  await client.end();
  return rows;
}

/** Makes the clock of timers that are set from now on run that many times faster. */
export function hurry(times: number): void {
  const realSetTimeout = globalThis.setTimeout;
  globalThis.setTimeout = ((callback: () => void, delayMs: number) =>
    realSetTimeout(callback, delayMs / times)) as typeof setTimeout;
}

/** Resolves when the condition holds, which no event tells. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 2));
}
