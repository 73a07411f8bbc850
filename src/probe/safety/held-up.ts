/** A timer that comes this late did not wait for a busy event loop: the process was stopped, by a debugger, a signal or a sleeping machine. */
const latestMs = 500;

/** Whether what was to take `plannedMs` took so long that the process cannot have run all the time. */
export function wasHeldUp(plannedMs: number, tookMs: number): boolean {
  return tookMs > 2 * plannedMs + latestMs;
}

/** What a result says about it. */
export function describeHeldUp(ms: number): string {
  return `The process of the probe stood still for ${(ms / 1000).toFixed(1)} s in the middle; times that span it are too long.`;
}
