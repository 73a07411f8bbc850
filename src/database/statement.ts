/** One statement with its values. */
export interface Statement {
  readonly text: string;
  readonly values?: readonly unknown[];
  /** Makes it a prepared statement of that name. */
  readonly name?: string;
}

/** A statement of a workload. */
export interface WorkloadStatement extends Statement {
  /** It may write, in a transaction of its own. Others run in transactions that cannot become writable. */
  readonly writes?: boolean;
  /** It may hold locks until its transaction ends, so it shares none with the next statement. */
  readonly locks?: boolean;
  /** Its place in the workload, from 0. */
  readonly at?: number;
}
