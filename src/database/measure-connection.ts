import * as v from 'valibot';
import type { DatabaseFailure } from './failure-row.ts';
import type { DatabaseSession } from './session.ts';
import { nothingSql, serverVersionSql } from './sql/server.sql.ts';

/** What a connection is like, as far as it can be told without looking at others. */
export interface ConnectionFacts {
  /** For example `18.4 (Debian 18.4-1)`. */
  readonly version: string;
  /** Median of five, in milliseconds. Behind a pooler each is a transaction of its own: three messages instead of one. */
  readonly roundTripMs: number;
  /** Whether a pooler stands in between. */
  readonly isPooled: boolean;
}

export type ConnectionMeasured =
  | { readonly kind: 'facts'; readonly facts: ConnectionFacts }
  | { readonly kind: 'failed'; readonly failure: DatabaseFailure };

const rounds = 5;

/** Asks for the version, and times statements that do nothing. */
export async function measureConnection(
  session: Pick<DatabaseSession, 'query' | 'isPooled'>,
  now: () => number,
): Promise<ConnectionMeasured> {
  const answer = await session.query(serverVersionSql, v.object({ version: v.string() }));
  if (answer.kind === 'failed') return answer;
  const times: number[] = [];
  while (times.length < rounds) {
    const began = now();
    const empty = await session.query(nothingSql, v.unknown());
    if (empty.kind === 'failed') return empty;
    times.push(now() - began);
  }
  const roundTripMs = times.sort((one, other) => one - other)[Math.floor(rounds / 2)] ?? 0;
  return {
    kind: 'facts',
    facts: {
      version: answer.rows[0]?.version ?? 'of an unknown version',
      roundTripMs,
      isPooled: session.isPooled,
    },
  };
}
