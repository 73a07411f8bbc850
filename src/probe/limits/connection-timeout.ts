import type { PoolValidation } from '../size/size-result.ts';

const shortestMs = 1_000;
const longestMs = 10_000;
const times = 10;

/**
 * What to write as `connectionTimeoutMillis`: ten times what nearly all requests waited for a client when the pool ran at 70 % of its
 * throughput (95th percentile; with few samples the longest wait), in whole seconds from one to ten.
 *
 * A request that waits so much longer than in ordinary times stands in a queue that only grows, and is better told so than kept.
 * One second at least, since a new connection with TLS and a password may take some hundred milliseconds on a busy server.
 * Without such a run ten times the mean of a statement stands in.
 */
export function toConnectionTimeout(validation: PoolValidation | null, meanMs: number): number {
  const wait = validation?.open?.load.wait ?? null;
  const usualMs = wait === null ? meanMs : (wait.p95Ms ?? wait.maxMs);
  return Math.min(longestMs, Math.max(shortestMs, Math.ceil((times * usualMs) / 1_000) * 1_000));
}
