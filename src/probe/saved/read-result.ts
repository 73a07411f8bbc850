import * as v from 'valibot';
import { K6Result } from '../../k6/k6-result.ts';
import { whatIsWrong } from '../../schema/what-is-wrong.ts';
import { SweepResult } from '../../sweep/sweep-result.ts';
import { AdviseResult } from '../advise/advice.ts';
import { CompareResult } from '../compare/compare-result.ts';
import { ConnectResult } from '../connect/connect-result.ts';
import { RampResult } from '../ramp/ramp-result.ts';
import { refuse, type Refusal } from '../refusal.ts';
import { schemaVersion } from '../result-head.ts';
import type { ReportedResult } from '../result.ts';
import { SizeResult } from '../size/size-result.ts';
import { SpikeResult } from '../spike/spike-result.ts';
import { UsersResult } from '../users/users-result.ts';

const schemas = new Map<unknown, v.GenericSchema<unknown, ReportedResult>>(
  [
    SizeResult,
    UsersResult,
    ConnectResult,
    CompareResult,
    RampResult,
    SpikeResult,
    AdviseResult,
    K6Result,
    SweepResult,
  ].map((schema) => [schema.entries.experiment.literal, schema]),
);

const AnyResult = v.object({ schemaVersion: v.unknown(), experiment: v.unknown() });
/** `--summary-export`, and what k6 gives to a `handleSummary` (both have `metrics` and `root_group`). */
const K6Summary = v.object({ metrics: v.unknown(), schemaVersion: v.exactOptional(v.never()) });

export type SavedResult = { readonly kind: 'result'; readonly result: ReportedResult } | Refusal;

/**
 * Reads what `poolguard probe --json` printed. The text may be anybody's: it is checked field by field before it counts as a result.
 * @param name How sentences call it, for example its path.
 */
export function readResult(text: string, name: string): SavedResult {
  const value = parse(text);
  if (v.is(K6Summary, value))
    return refuse(
      `${name} is a summary of k6 itself, which does not have the planned load. Run a script that poolguard wrote (poolguard probe ramp --export k6), and read the k6-summary.json that it writes.`,
    );
  if (!v.is(AnyResult, value))
    return refuse(
      `${name} holds no result of a probe. Save one with poolguard probe --output result.json.`,
    );
  const { schemaVersion: version, experiment } = value;
  if (typeof version === 'number' && version > schemaVersion)
    return refuse(
      `${name} was written by a newer Poolguard (schema ${version}; this one reads ${schemaVersion}). Update Poolguard.`,
    );
  if (version !== schemaVersion)
    return refuse(
      `${name} was written by an older Poolguard${typeof version === 'number' ? ` (schema ${version}; this one reads ${schemaVersion})` : ''}. Measure again.`,
    );
  const schema = schemas.get(experiment);
  if (schema === undefined)
    return refuse(
      `${name} holds the result of an experiment that this Poolguard does not know. Update Poolguard.`,
    );
  const read = v.safeParse(schema, value, { abortEarly: true });
  return read.success
    ? { kind: 'result', result: read.output }
    : refuse(`${name} is damaged: ${whatIsWrong(read.issues).slice(0, 200)}.`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
