import type { GeneratorLoad } from '../../sweep/load/load-tool.ts';
import { sweepVerdicts, type SweepResult, type SweepRow } from '../../sweep/sweep-result.ts';
import type { UserStage } from '../experiment.ts';
import type { PoolSample } from '../load/pool-load.ts';
import { errorCounts, latency, limit, machine, verdictOf, version } from './head-shapes.ts';
import { list, literal, nullable, number, object, positive, text } from './shape.ts';

const row = object<SweepRow>({
  max: positive,
  seenMax: nullable(number),
  peakTotal: nullable(number),
  requests: number,
  passes: list(number),
  seconds: number,
  throughput: number,
  latency: nullable(latency),
  waitMs: nullable(number),
  waitP95Ms: nullable(number),
  holdMs: nullable(number),
  peakWaiting: nullable(number),
  peakSessions: nullable(number),
  averageActive: nullable(number),
  errors: errorCounts,
  appCores: nullable(number),
  busiestCores: nullable(number),
  idleCores: nullable(number),
  generator: object<GeneratorLoad>({
    busy: nullable(number),
    lagP99Ms: nullable(number),
    dropped: number,
  }),
  gain: nullable(number),
  gainPerConnection: nullable(number),
  samples: list(
    object<PoolSample>({
      atMs: number,
      total: number,
      idle: number,
      waiting: number,
      answered: number,
    }),
  ),
});

/** What `poolguard sweep --json` printed. */
export const sweep = object<SweepResult>({
  schemaVersion: version,
  experiment: literal('sweep'),
  startedAt: text,
  elapsedMs: number,
  machine,
  application: object<SweepResult['application']>({
    command: text,
    variable: nullable(text),
    url: text,
    method: text,
  }),
  load: object<SweepResult['load']>({
    tool: literal('undici', 'k6'),
    stages: list(object<UserStage>({ seconds: number, users: number })),
    thinkMs: number,
    passes: number,
  }),
  rows: list(row),
  verdict: verdictOf(literal(...sweepVerdicts)),
  pick: nullable(positive),
  limits: list(limit),
  partial: nullable(text),
  notes: list(text),
});
