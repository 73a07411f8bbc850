/** When a pool is healthy and when it should grow: the card of the field report on a Node.js API whose pool was its bottleneck. */
export interface HealthCard {
  /** So many callers waiting are a queue. */
  readonly queue: number;
  /** More callers than this waiting, at every sample, are a reason to grow. */
  readonly growQueue: number;
  /** Share of `max` that should be free: idle, or not opened yet. */
  readonly freeShare: number;
  /** Longest wait or hold that 95 of 100 checkouts should have. */
  readonly p95Ms: number;
  /** Share of `max` that held checkouts must take before a queue is blamed on them. */
  readonly heldShare: number;
  /** Looks this far back are judged together. */
  readonly windowMs: number;
  /** What lasted for less is no verdict. */
  readonly steadyMs: number;
}

export const healthCard: HealthCard = {
  queue: 10,
  growQueue: 30,
  freeShare: 0.1,
  p95Ms: 1_000,
  heldShare: 0.25,
  windowMs: 10_000,
  steadyMs: 3_000,
};
