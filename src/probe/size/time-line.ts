import { median } from 'simple-statistics';
import type { DatabaseSession } from '../../database/session.ts';
import { nothingSql } from '../../database/sql/server.sql.ts';
import type { Clock } from '../clock.ts';
import type { Lanes } from './lanes.ts';
import type { PoolerLine } from './slice.ts';
import { untilAborted } from './warm-up.ts';

export interface LineTiming {
  /** One that no lane up to `busy` uses. */
  readonly session: Pick<DatabaseSession, 'run' | 'echo'>;
  readonly lanes: Pick<Lanes, 'setSize'>;
  /** Lanes that work meanwhile: fewer than the pooler has backends, so that the session need not wait for one. */
  readonly busy: number;
  /** Of the pooler; null where it does not say. */
  readonly backends: number | null;
  readonly clock: Pick<Clock, 'now'>;
  readonly signal: AbortSignal;
}

const mostPairs = 40;
const longestMs = 80;

/**
 * What a round trip takes besides its statement: the same connection with and without guards, in turn, around a statement that does
 * nothing. Medians; null where nothing was measured.
 */
export async function timeLine({
  session,
  lanes,
  busy,
  backends,
  clock,
  signal,
}: LineTiming): Promise<PoolerLine | null> {
  await untilAborted(lanes.setSize(busy), signal);
  const began = clock.now();
  const plain: number[] = [];
  const added: number[] = [];
  while (added.length < mostPairs && clock.now() - began < longestMs && !signal.aborted) {
    const started = clock.now();
    const guarded = await session.run({ text: nothingSql });
    const between = clock.now();
    const echoed = await session.echo();
    if (guarded.kind === 'failed' || echoed.kind === 'failed') break;
    const plainMs = clock.now() - between;
    plain.push(plainMs);
    added.push(between - started - plainMs);
  }
  return added.length === 0 ? null : { plainMs: median(plain), guardMs: median(added), backends };
}
