/** What `postgres()` gives, from inside: src/index.js of postgres 3.0 to 3.4. */
export interface Sql {
  readonly options: SqlOptions;
  begin(...args: unknown[]): Promise<unknown>;
  reserve?(): Promise<ReservedSql>;
  unsafe(text: string): Query;
  file?(...args: unknown[]): Query;
  end(...args: unknown[]): Promise<unknown>;
}

export interface SqlOptions {
  readonly max: number;
  readonly host: readonly string[];
  readonly port: readonly number[];
  readonly database: string;
  readonly connect_timeout: number;
  readonly connection: { readonly application_name?: string };
  onclose?: ((connection: number) => void) | undefined;
}

export interface ReservedSql {
  release(): unknown;
  unsafe(text: string): Query;
}

/** src/query.js. Its class is a `Promise` that is sent when somebody waits for it. */
export interface Query {
  /** The function that sends the statements of one pool, one transaction or one reserved connection. */
  readonly handler: object;
  readonly tagged: boolean;
  /** Where its template stands, as the text of a stack; made when it is read. */
  readonly origin?: string;
  readonly executed: boolean;
  readonly cancelled: unknown;
  /** Set when it is sent: the connection's backend, one object for as long as the pool has the connection. */
  state: Backend | null;
  /** True while the server works on it; set to false by whatever ends it. */
  active: boolean;
}

export interface Backend {
  readonly pid: number | null;
}

export function isSql(given: unknown): given is Sql {
  if (typeof given !== 'function') return false;
  const { options, begin, unsafe, end } = given as unknown as Partial<Sql>;
  return (
    typeof options === 'object' &&
    [begin, unsafe, end].every((method) => typeof method === 'function')
  );
}
