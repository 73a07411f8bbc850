import type { PoolValidation } from '../size/size-result.ts';
import type { ExperimentContext } from '../experiment-context.ts';
import { callersOf, closedLoop } from './closed-loop.ts';
import type { DriveOptions } from './drive.ts';
import { openLoop } from './open-loop.ts';
import { openProbePool } from './probe-pool.ts';

/** Four callers for each client keep the pool busy and its queue visible. */
const callersPerClient = 4;
/** Of what the closed loop reached: a load that a service can live with. */
const openShare = 0.7;
/** A line beyond this says enough. */
const mostUnderWay = 5_000;
const waitLimitMs = 5_000;

export interface ValidationOptions {
  readonly max: number;
  /** For both loops together. */
  readonly durationMs: number;
  readonly signal: AbortSignal;
}

/** Drives a real `pg.Pool({ max })`: first by callers that wait for their answers, then by arrivals that do not. Null when it could not be opened, was aborted, or answered nothing. */
export async function validatePool(
  context: ExperimentContext,
  { max, durationMs, signal }: ValidationOptions,
): Promise<PoolValidation | null> {
  const { clock, random } = context.environment;
  const pool = await openProbePool(context, { max, waitLimitMs, asInApplication: true });
  if (pool.kind === 'refused') return null;
  const options: DriveOptions = { source: pool.source, clock, signal, durationMs: durationMs / 2 };
  try {
    const callers = callersPerClient * max;
    const closed = await closedLoop({ ...options, callersAt: callersOf(callers), thinkMs: 0 });
    if (signal.aborted || closed.load.requests === 0) return null;
    const rate = openShare * closed.load.throughput;
    const open =
      closed.trouble === null ? await openLoop({ ...options, rate, random, mostUnderWay }) : null;
    return {
      max,
      closed: { callers, load: closed.load },
      open: open === null || signal.aborted ? null : { rate, load: open.load },
    };
  } finally {
    await pool.close();
  }
}
