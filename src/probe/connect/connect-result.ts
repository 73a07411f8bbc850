import * as v from 'valibot';
import { number, text, type OutputOf } from '../../schema/fields.ts';
import { ErrorCounts, Latency } from '../load/pool-load.ts';
import { ResultHead } from '../result-head.ts';

/** In the order in which they happen; `tls` is missing where it is off, `dns` where the host is an address. */
export const connectPhases = ['dns', 'tcp', 'tls', 'authentication', 'firstQuery'] as const;
export type ConnectPhase = (typeof connectPhases)[number];

export const ConnectPath = v.object({
  name: v.picklist(['direct', 'pooler']),
  /** Host and port, for reading. */
  address: text,
  sequential: v.object({
    total: v.nullable(Latency),
    phases: v.object(v.entriesFromList(connectPhases, v.exactOptional(Latency))),
    errors: ErrorCounts,
  }),
  concurrent: v.object({
    at: number,
    total: v.nullable(Latency),
    /** Connections made per second. */
    perSecond: number,
    errors: ErrorCounts,
  }),
});
export type ConnectPath = OutputOf<typeof ConnectPath>;

/** What a new connection costs. */
export const ConnectResult = v.object({
  ...ResultHead.entries,
  experiment: v.literal('connect'),
  paths: v.array(ConnectPath),
});
export type ConnectResult = OutputOf<typeof ConnectResult>;
