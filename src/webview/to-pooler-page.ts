import * as v from 'valibot';
import type { PoolerConcern } from '../pooler/pooler-concern.ts';
import type { PoolerModel as Pooler } from '../pooler/pooler-model.ts';
import type {
  PoolerFacts,
  PoolerPool,
  PoolerSocket,
  PoolerStats,
  PoolerTotals,
} from '../pooler/pooler-report.ts';
import { flag, given, number, text, type OutputOf } from '../schema/fields.ts';

const PoolerModel = v.object({
  report: v.nullable(
    v.object({
      schemaVersion: v.literal(1),
      takenAt: text,
      pooler: given<PoolerFacts>(),
      totals: given<PoolerTotals>(),
      pools: v.array(given<PoolerPool>()),
      stats: v.array(given<PoolerStats>()),
      clients: v.nullable(v.array(given<PoolerSocket>())),
      servers: v.nullable(v.array(given<PoolerSocket>())),
    }),
  ),
  concerns: v.array(given<PoolerConcern>()),
  waiting: v.array(number),
  longestWaitMs: v.array(number),
  samplesWaiting: given<Pooler['samplesWaiting']>(),
}) satisfies v.GenericSchema<unknown, Pooler>;

/** What is known of a pooler between the editor and the server. */
export const PoolerState = v.variant('kind', [
  /** Nothing is connected, or it is not known yet how. */
  v.object({ kind: v.literal('unknown') }),
  /** The connection leads to the server itself. */
  v.object({ kind: v.literal('direct') }),
  /** There is a pooler; its console is being asked. */
  v.object({ kind: v.picklist(['connecting', 'live', 'paused']), model: PoolerModel }),
  v.object({ kind: v.literal('lost'), model: PoolerModel, sentence: text, retryInMs: number }),
  /** The console does not answer this role, or there is none. It is not asked again by itself. */
  v.object({
    kind: v.literal('closed'),
    sentence: text,
    /** Whether another role may do. */
    isForRole: flag,
  }),
]);
export type PoolerState = OutputOf<typeof PoolerState>;

/** All that the pooler's page shows. */
export const ToPoolerPage = v.object({
  kind: v.literal('pooler'),
  model: v.object({
    /** The connection that leads through the pooler, without its password; null when nothing is connected. */
    connection: v.nullable(text),
    pooler: PoolerState,
  }),
});
export type ToPoolerPage = OutputOf<typeof ToPoolerPage>;
export type PoolerPageModel = ToPoolerPage['model'];
