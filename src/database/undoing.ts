import type { ClientBase, QueryResult } from 'pg';
import { directAnswerMs, pooledAnswerMs, type SessionLimits } from './session-limits.ts';
import { transactionSettings } from './session-settings.ts';
import * as sql from './sql/undone.sql.ts';
import type { Statement, WorkloadStatement } from './statement.ts';
import type { TransactionTally } from './transaction-tally.ts';
import { type Companion, type Ending, sendUndone, type UndoneAnswer } from './undone-query.ts';

export type UndoingClient = Pick<ClientBase, 'query' | 'getTransactionStatus'>;

/** Runs statements on one client so that nothing of them stays. */
export interface Undoing {
  /** Rejects with the driver's error. The next statement finds the connection as usable as before. */
  run(statement: WorkloadStatement): Promise<QueryResult>;
  /** Ends the transaction that may still be open. Never rejects. */
  settle(): Promise<void>;
}

export interface UndoingOptions {
  readonly limits: SessionLimits;
  /** Behind a pooler the next message may meet another backend: nothing has a name, and no transaction outlives its message. */
  readonly isPooled: boolean;
  /** Statements that only read share transactions of `sliceMs`, which is as fast as none. For one caller at a time. */
  readonly inSlices: boolean;
  readonly tally: TransactionTally;
  /** How long an answer may take from the driver's point of view; by default what the limits come to. */
  readonly patienceMs?: number;
}

/** A transaction that has its snapshot cannot be made writable, so statements may share one for this long, in milliseconds. */
const sliceMs = 300;

/**
 * Directly connected, statements that read share slices: BEGIN READ ONLY, a snapshot, statements, ROLLBACK. One that writes or locks has a
 * transaction of its own. Everything else is one message in one implicit transaction: a guard, the statement, and BEGIN and ROLLBACK,
 * which undo all of it. BEGIN stands after the statement, so that an error leaves no block open: PgBouncer's statement mode
 * would drop the client for one.
 */
export function createUndoing(client: UndoingClient, options: UndoingOptions): Undoing {
  const { limits, isPooled, inSlices, tally } = options;
  const timeoutMs = options.patienceMs ?? (isPooled ? pooledAnswerMs : directAnswerMs)(limits);
  const companions = toCompanions(limits);
  const send = createSender(client, isPooled, timeoutMs);
  const undo = async (): Promise<void> => {
    tally.note('failed');
    await client.query(sql.rollbackSql).catch(() => undefined);
  };
  const slices = createSlices(client, companions.slice, { send, undo, tally });
  const runAlone = async (statement: WorkloadStatement): Promise<QueryResult> => {
    const isWriting = statement.writes === true;
    try {
      const { result, ending } = await send(
        isWriting ? companions.writing : companions.reading,
        statement,
      );
      noteEnding(tally, ending);
      return result;
    } catch (error) {
      // An implicit transaction is over by now.
      await (isWriting ? undo() : tally.note('failed'));
      throw error;
    }
  };
  return {
    run: async (statement) => {
      if (inSlices && statement.writes !== true && statement.locks !== true)
        return slices.run(statement);
      await slices.settle();
      return runAlone(statement);
    },
    settle: () => slices.settle(),
  };
}

interface SliceParts {
  readonly send: Send;
  /** After an error. */
  readonly undo: () => Promise<void>;
  readonly tally: TransactionTally;
}

/** Lets statements share transactions. The first one opens it, and the first one behind its time is the last. */
function createSlices(
  client: UndoingClient,
  shapes: SliceShapes,
  { send, undo, tally }: SliceParts,
): Undoing {
  let endsAt: number | null = null;
  return {
    run: async (statement) => {
      const place = endsAt === null ? 'first' : performance.now() >= endsAt ? 'last' : 'within';
      endsAt ??= performance.now() + sliceMs;
      try {
        const { result, ending } = await send(shapes[place], statement);
        const isOpen = place !== 'last' && client.getTransactionStatus() === 'T';
        if (place === 'last') noteEnding(tally, ending);
        else if (!isOpen) tally.note('committed');
        if (!isOpen) endsAt = null;
        return result;
      } catch (error) {
        endsAt = null;
        await undo();
        throw error;
      }
    },
    settle: async () => {
      if (endsAt === null) return;
      endsAt = null;
      await send(shapes.last, { text: sql.snapshotSql, name: 'poolguard_last' }).then(
        ({ ending }) => noteEnding(tally, ending),
        undo,
      );
    },
  };
}

type Send = (shape: Shape, statement: Statement) => Promise<UndoneAnswer>;

/** Sends messages, and keeps the names of what they prepare. */
function createSender(client: UndoingClient, isPooled: boolean, timeoutMs: number): Send {
  let names = createNames(isPooled);
  return async (shape, statement) => {
    const { give, prepared } = names;
    const [before, after] = [shape.before.map(give), shape.after.map(give)];
    try {
      const message = { before, statement: give(statement), after, prepared, timeoutMs };
      return await sendUndone(client, message);
    } catch (error) {
      // Which of the names the server has parsed is not known any more.
      names = createNames(isPooled, names.generation + 1);
      throw error;
    }
  };
}

/** What travels with a statement. */
interface Shape {
  readonly before: readonly Companion[];
  readonly after: readonly Companion[];
}

type SliceShapes = Readonly<Record<'first' | 'within' | 'last', Shape>>;

function toCompanions(limits: SessionLimits) {
  const named = (name: string, text: string): Companion => ({ text, name: `poolguard_${name}` });
  const guard = named('guard', sql.guardSql(transactionSettings(limits, 'workload')));
  const snapshot = named('snapshot', sql.snapshotSql);
  const wrote = named('wrote', sql.wroteSql);
  const begin = named('begin', sql.beginSql);
  const rollback = named('rollback', sql.rollbackSql);
  const beginReadOnly = named('begin_read_only', sql.beginReadOnlySql);
  const beginReadWrite = named('begin_read_write', sql.beginReadWriteSql);
  return {
    reading: { before: [guard], after: [wrote, begin, rollback] },
    writing: { before: [beginReadWrite], after: [rollback] },
    slice: {
      first: { before: [beginReadOnly, snapshot], after: [] },
      within: { before: [], after: [] },
      last: { before: [], after: [wrote, rollback] },
    },
  } satisfies Record<string, Shape | Record<string, Shape>>;
}

function noteEnding(tally: TransactionTally, { tags, values }: Ending): void {
  tally.note(tags.at(-1) === sql.rollbackSql ? 'rolledBack' : 'committed');
  if (values[0] === 't') tally.note('wrote');
}

interface Names {
  readonly prepared: Set<string>;
  readonly generation: number;
  readonly give: (statement: Statement) => Statement;
}

/** Each generation has names of its own: one that failed may have left some of its names behind. */
function createNames(isPooled: boolean, generation = 0): Names {
  const suffix = generation === 0 ? '' : `_${generation}`;
  return {
    prepared: new Set(),
    generation,
    give: ({ name, ...unnamed }) =>
      isPooled || name === undefined ? unnamed : { ...unnamed, name: `${name}${suffix}` },
  };
}

/**
 * Runs one statement of ours behind a pooler: settings hold for its transaction alone, which is undone, so that the backend goes
 * back to the application as it was.
 */
export async function queryLocally(
  client: Pick<ClientBase, 'query'>,
  { text, values }: Statement,
  limits: SessionLimits,
): Promise<QueryResult> {
  const { result } = await sendUndone(client, {
    before: [{ text: sql.guardSql(transactionSettings(limits, 'own')) }],
    statement: { text, ...(values && { values }) },
    after: [{ text: sql.beginSql }, { text: sql.rollbackSql }],
    timeoutMs: pooledAnswerMs(limits),
  });
  return result;
}
