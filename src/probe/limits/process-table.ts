import * as v from 'valibot';
import { flag, number, positive, type OutputOf } from '../../schema/fields.ts';

/** What so many processes open, each with a pool of its own. */
export const ProcessRow = v.object({
  processes: positive,
  /** As many as this run was asked for: workers × instances, with those of a deploy. */
  isAsked: flag,
  /** Directly connected. */
  direct: v.object({
    /** `max` of each pool. */
    max: positive,
    /** processes × max. */
    connections: number,
    /** Of `free`; below 0 where they do not fit. */
    left: number,
    /** What the server has room for is less than what was measured. */
    isBounded: flag,
  }),
  /** Through a pooler that lends a connection for a transaction. */
  pooled: v.object({
    max: positive,
    /** processes × max, which are connections of the pooler. */
    clients: number,
    /** Connections of the server, for all clients together. */
    backends: number,
    left: number,
  }),
});
export type ProcessRow = OutputOf<typeof ProcessRow>;

/** processes × max against what the server has room for. */
export const ProcessTable = v.object({
  /** The measured size for all processes together; null where each process has one of its own. */
  whole: v.nullable(positive),
  /** What the tightest limit of server, role and database leaves to all pools together. */
  free: number,
  rows: v.array(ProcessRow),
});
export type ProcessTable = OutputOf<typeof ProcessTable>;
