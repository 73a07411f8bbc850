import { schemaVersion } from '../result-head.ts';
import { count, sentences } from '../verdict-words.ts';
import type { SpikeInput, SpikeResult, SpikeRow } from './spike-result.ts';

/** What a stall does to pools of these sizes. Nothing is run. */
export function modelSpike(input: SpikeInput, sizes: readonly number[]): SpikeResult {
  const rows = [...new Set(sizes)]
    .sort((one, other) => one - other)
    .map((max) => fluidSpike(input, max));
  const needed = Math.ceil(round((input.rate * input.holdMs) / 1000));
  const neededInSpike = Math.ceil(round((input.rate * input.spikeHoldMs) / 1000));
  return {
    schemaVersion,
    experiment: 'spike',
    input,
    needed,
    neededInSpike,
    rows,
    verdict: judgeSpike(rows, input, neededInSpike),
    notes: [
      'A model of even streams, nothing was run: where a pool is nearly full on a good day, chance alone makes lines that it does not show.',
      'The slowest wait is that of a spike which ends on time; if the server stays as slow, a request that arrives then waits for the longer time beside it.',
    ],
  };
}

/** Products of decimal fractions: 800 × 0.015 is 12 and not a little more. */
function round(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

function judgeSpike(
  rows: readonly SpikeRow[],
  input: SpikeInput,
  neededInSpike: number,
): SpikeResult['verdict'] {
  const need = `During the spike ${input.rate} ${input.rate === 1 ? 'request' : 'requests'} a second of ${milliseconds(input.spikeHoldMs)} ${input.rate === 1 ? 'needs' : 'need'} ${neededInSpike} ${neededInSpike === 1 ? 'client' : 'clients'}.`;
  const steady = rows.find(({ backlog, drainMs }) => backlog === 0 && drainMs !== null);
  if (steady !== undefined) {
    const smaller = rows.filter((row) => row !== steady && row.max < steady.max);
    return {
      kind: 'rides-it-out',
      because: sentences([
        need,
        `A pool of ${steady.max} absorbs it without a queue.`,
        ...smaller.map((row) => describeRow(row, input)),
      ]),
    };
  }
  const recovers = rows.some(({ drainMs }) => drainMs !== null);
  return {
    kind: recovers ? 'recovers' : 'never-recovers',
    because: sentences([need, ...rows.map((row) => describeRow(row, input))]),
  };
}

function describeRow(
  { max, backlog, longestWaitMs, drainMs, refused, utilisation }: SpikeRow,
  { waitLimitMs }: SpikeInput,
): string {
  if (drainMs === null)
    return `A pool of ${max} cannot handle the normal load (${Math.round(utilisation * 100)} % in use): its queue grows without limit.`;
  const given =
    refused > 0 && waitLimitMs !== null
      ? `, and ${count(refused)} give up after ${milliseconds(waitLimitMs)}`
      : '';
  return `With ${max}, ${count(backlog)} requests are queued at its end, waits reach up to ${milliseconds(longestWaitMs)}${given}, and ${milliseconds(drainMs)} later the queue is empty.`;
}

function milliseconds(ms: number): string {
  return ms >= 1000 ? `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s` : `${Math.round(ms)} ms`;
}

/**
 * What a spike does to a pool of `max`, with requests as an even stream: no chance in it, so that near full use real lines are longer.
 *
 * During the spike the pool does max / spikeHold, so the line grows by rate − max / spikeHold; afterwards it does max / hold. A request that has
 * waited for the limit leaves, so that the line holds no more than rate × limit.
 */
export function fluidSpike(input: SpikeInput, max: number): SpikeRow {
  const { rate, holdMs, spikeHoldMs, spikeMs } = input;
  const inSpike = (max * 1000) / spikeHoldMs;
  const growth = Math.max(0, rate - inSpike);
  const limit = input.waitLimitMs ?? Infinity;
  // Who is served at a moment came when the pool had done all before: after t of the spike, that was t × inSpike / rate.
  const limitReachedMs = growth === 0 ? Infinity : (limit * rate) / growth;
  const grownMs = Math.min(spikeMs, limitReachedMs);
  const backlog = (growth * grownMs) / 1000;
  const spare = (max * 1000) / holdMs - rate;
  return {
    max,
    utilisation: (rate * holdMs) / 1000 / max,
    backlog,
    longestWaitMs: Math.min(limit, (backlog / inSpike) * 1000),
    reachedWaitMs: Math.min(limit, (growth / rate) * grownMs),
    drainMs: spare > 0 ? (backlog / spare) * 1000 : null,
    refused: (growth * Math.max(0, spikeMs - grownMs)) / 1000,
  };
}
