/** What the sample needs of Bun's own types, which would change those of Node for all of this repository. */
declare module 'bun' {
  interface Query extends Promise<unknown> {
    execute(): Query;
  }

  export interface TransactionSQL {
    (texts: TemplateStringsArray, ...values: readonly unknown[]): Query;
    (values: readonly string[]): object;
    unsafe(text: string): Query;
    file(path: string): Query;
  }

  export interface ReservedSQL extends TransactionSQL {
    release(): void;
  }

  export interface SQL extends TransactionSQL {
    begin<T>(work: (tx: TransactionSQL) => Promise<T>): Promise<T>;
    transaction<T>(work: (tx: TransactionSQL) => Promise<T>): Promise<T>;
    beginDistributed<T>(name: string, work: (tx: TransactionSQL) => Promise<T>): Promise<T>;
    reserve(): Promise<ReservedSQL>;
    end(): Promise<void>;
  }

  export const SQL: new (url: string, options: object) => SQL;
}
