import type { SpikeInput, SpikeRow } from '../spike/spike-result.ts';

/**
 * What a spike does to a pool of `max`, with requests as an even stream: no chance in it, so that near full use real lines are longer.
 *
 * During the spike the pool does max / spikeHold, so the line grows by rate − max / spikeHold; afterwards it does max / hold. A request that has
 * waited for the limit leaves, so that the line holds no more than rate × limit.
 */
export function fluidSpike(input: SpikeInput, max: number): SpikeRow {
  const { holdMs, spikeHoldMs, spikeMs } = input;
  const rate = input.rate / 1000;
  const inSpike = max / spikeHoldMs;
  const growth = Math.max(0, rate - inSpike);
  const limit = input.waitLimitMs ?? Infinity;
  // Who is served at a moment came when the pool had done all before: after t of the spike, that was t × inSpike / rate.
  const limitReachedMs = growth === 0 ? Infinity : (limit * rate) / growth;
  const grownMs = Math.min(spikeMs, limitReachedMs);
  const backlog = growth * grownMs;
  const spare = max / holdMs - rate;
  return {
    max,
    utilisation: (rate * holdMs) / max,
    backlog,
    longestWaitMs: Math.min(limit, backlog / inSpike),
    reachedWaitMs: Math.min(limit, (growth / rate) * grownMs),
    drainMs: spare > 0 ? backlog / spare : null,
    refused: growth * Math.max(0, spikeMs - grownMs),
  };
}
