import type { TransactionReport } from './result-head.ts';
import { counted } from './verdict-words.ts';

export interface TransactionsTold {
  /** Something stayed in the database, or was written there for a moment. */
  readonly isAlarm: boolean;
  /** Whole sentences. */
  readonly sentence: string;
}

/** What became of the transactions of a probe. Anything but ROLLBACK is an alarm. */
export function describeTransactions({
  rolledBack,
  failed,
  committed,
  wrote,
  database,
  left = [],
}: TransactionReport): TransactionsTold {
  const undone = `${counted(rolledBack + failed, 'transaction')} ended by ROLLBACK or by an error`;
  if (committed > 0 || wrote > 0 || left.length > 0) {
    const alarms = [
      ...(committed > 0
        ? [`${counted(committed, 'transaction')} did not end by ROLLBACK, so what it did may stay.`]
        : []),
      ...(wrote > 0
        ? [`${counted(wrote, 'read-only transaction')} wrote something, which the ROLLBACK undid.`]
        : []),
      ...left,
      ...(left.length > 0 ? [howToClose] : []),
    ];
    return {
      isAlarm: true,
      sentence: `${alarms.join(' ')} Do not probe this statement again; ${undone}.`,
    };
  }
  const meanwhile =
    database === null
      ? ''
      : ` In all sessions of the database together: ${counted(database.commits, 'commit')}, ${counted(database.rowsWritten, 'row')} written.`;
  return { isAlarm: false, sentence: `Nothing was committed: ${undone}.${meanwhile}` };
}

const howToClose =
  "Code that the statements call left it, or another client of the pooler. RECONNECT in the pooler's console replaces its backends.";
