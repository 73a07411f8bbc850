import type { QueryAnswer, Statement } from '../../database/session.ts';
import type { RandomSource } from '../random.ts';
import type { Workload } from './workload.ts';

/** Of `DatabaseSession`: every end is an answer. */
export type Ask = (statement: Statement) => Promise<QueryAnswer<unknown>>;

/** The part of a `pg` client, or of one that a pool lent, that is needed to run a statement. */
export interface QueryingClient {
  query(statement: {
    readonly text: string;
    readonly name?: string;
    readonly values?: unknown[];
  }): Promise<unknown>;
}

/** A read-only session may open such a transaction all the same, so that nothing outside of one can write. */
const begin: Statement = { text: 'BEGIN READ WRITE' };
const rollback: Statement = { text: 'ROLLBACK' };

/**
 * Draws a statement and runs it, in a transaction that is rolled back where it writes: three round trips then.
 * No other statement may run on the same connection meanwhile.
 */
export async function runOnce(
  ask: Ask,
  { next }: Pick<Workload, 'next'>,
  random: RandomSource,
): Promise<QueryAnswer<unknown>> {
  const statement = next(random);
  if (statement.isRolledBack !== true) return ask(statement);
  const begun = await ask(begin);
  if (begun.kind === 'failed') return begun;
  const answer = await ask(statement);
  const ended = await ask(rollback);
  return answer.kind === 'failed' ? answer : ended;
}

/** The same on a client of the driver. Throws what the driver throws; the transaction is over then, or the connection is. */
export async function runOnceOn(
  client: QueryingClient,
  { next }: Pick<Workload, 'next'>,
  random: RandomSource,
): Promise<void> {
  const statement = next(random);
  if (statement.isRolledBack !== true) return void (await send(client, statement));
  await send(client, begin);
  try {
    await send(client, statement);
  } finally {
    await send(client, rollback);
  }
}

async function send(client: QueryingClient, { text, name, values }: Statement): Promise<void> {
  await client.query({
    text,
    ...(name !== undefined && { name }),
    ...(values !== undefined && { values: [...values] }),
  });
}
