import type { PollerClock } from '../../src/activity/poller.ts';

/** Counts who sleeps; a rest ends when `pace` says so, or when it is woken. */
export class CountingClock implements PollerClock {
  sleepers = 0;
  readonly #pace: () => Promise<unknown>;

  constructor(pace: () => Promise<unknown>) {
    this.#pace = pace;
  }

  now(): number {
    return 0;
  }

  async sleep(_milliseconds: number, signal: AbortSignal): Promise<void> {
    this.sleepers += 1;
    const woken = new Promise((resolve) => signal.addEventListener('abort', resolve));
    await Promise.race([this.#pace(), woken]);
    this.sleepers -= 1;
  }
}
