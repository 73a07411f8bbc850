import type { ProbeRequest, StatementRequest } from '../../../../src/probe/request.ts';
import type { ProbeEvent } from '../../../../src/probe/result.ts';
import { commonRequest, probeQuickly } from '../jobs/probes.ts';
import { lootSchema, setupOf, statementOf, type Way } from './way.ts';

/** As many as one probe mixes. */
const atOnce = 20;

export interface WaysRun {
  /** Ways that the server refused at their first run, and its sentence. */
  readonly refused: ReadonlyMap<string, string>;
  /** Probes that went to their end. */
  readonly probes: number;
}

/** Every function that the ways name: the person said yes to all of them, so that only the transaction stands in their way. */
function namesOf(ways: readonly Way[]): readonly string[] {
  const texts = [...lootSchema, ...ways.flatMap((way) => [statementOf(way), ...setupOf(way)])];
  return [
    ...new Set(texts.flatMap((text) => text.match(/\b(?:pg_catalog|public|loot)\.\w+/g) ?? [])),
  ];
}

/**
 * Probes the ways for some dozens of executions each: on sessions (`size`), on the clients of a pool, over new connections
 * and over one that pipelines (`compare`). One that the server refuses ends its probe at the trial, so it is left out of the next.
 */
export async function runWays(url: string, ways: readonly Way[]): Promise<WaysRun> {
  const refused = new Map<string, string>();
  let probes = 0;
  for (let from = 0; from < ways.length; from += atOnce) {
    let group = ways.slice(from, from + atOnce);
    // Every other group over all kinds of connections, every group on sessions and in a pool.
    for (const experiment of (from / atOnce) % 2 === 0
      ? (['size', 'compare'] as const)
      : (['size'] as const)) {
      while (group.length > 0) {
        const last = await probeQuickly(toRequest(url, group, experiment));
        if (last.kind === 'result') probes += 1;
        const failed = last.kind === 'failed' ? findFailed(last, group) : null;
        if (failed === null) break;
        refused.set(failed.name, describe(last));
        group = group.filter((way) => way !== failed);
      }
    }
  }
  return { refused, probes };
}

/** What a probe answers that is asked for nothing but its plan, with no function allowed. */
export async function askOnly(url: string, way: Way): Promise<ProbeEvent> {
  return probeQuickly({ ...toRequest(url, [way], 'size', []), dryRun: true });
}

function toRequest(
  url: string,
  ways: readonly Way[],
  experiment: 'size' | 'compare',
  allowFunctions: readonly string[] = namesOf(ways),
): ProbeRequest {
  const statements = ways.map((way): StatementRequest => ({
    text: statementOf(way),
    weight: 1,
    parameters: [],
  }));
  const common = {
    ...commonRequest(url, { kind: 'statements', statements }),
    allowWrites: ways.some(({ writes }) => writes),
    allowFunctions,
  };
  return experiment === 'size'
    ? { ...common, experiment, validate: true }
    : { ...common, experiment, callers: [2], poolSize: 2 };
}

/** The way that the probe's last word is about; null for none of them. */
function findFailed(last: ProbeEvent, group: readonly Way[]): Way | null {
  if (group.length === 1) return group[0] ?? null;
  const number = Number(/^Statement (\d+) \(/.exec(describe(last))?.[1]);
  const found = group[number - 1];
  if (found === undefined)
    throw new Error(`A probe of ${group.length} ways ended with: ${describe(last)}`);
  return found;
}

function describe(last: ProbeEvent): string {
  return last.kind === 'failed' ? last.sentence : last.kind;
}
