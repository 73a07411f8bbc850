import { Owner } from '../../ownership/owner.ts';
import type { LiveActivity } from '../activity/live-activity.ts';
import type { OpenConnection } from '../activity/live-connection.ts';
import type { ProbeControl } from '../probe/probe-control.ts';

export interface OpeningParts {
  readonly live: Pick<LiveActivity, 'connect' | 'disconnect'>;
  readonly probe: Pick<ProbeControl, 'clear'>;
}

/** What was asked for last is what is open in the end, however long it takes to find out whether it works. */
export class Opening {
  readonly #parts: OpeningParts;
  readonly #attempts = new Owner<boolean>();

  constructor(parts: OpeningParts) {
    this.#parts = parts;
  }

  /**
   * Opens what `tryOut` has found to work. False when that is nothing, or when somebody has opened another connection, or closed
   * them all, meanwhile.
   */
  async open(
    tryOut: (signal: AbortSignal) => Promise<OpenConnection | undefined>,
  ): Promise<boolean> {
    const isOpen = await this.#attempts.start(async (signal) => {
      const worked = await tryOut(signal);
      if (worked === undefined || signal.aborted) return false;
      await this.#parts.probe.clear();
      if (signal.aborted) return false;
      this.#parts.live.connect(worked);
      return true;
    });
    return isOpen ?? false;
  }

  /** Resolves when nothing is open, and nothing on its way. */
  async close(): Promise<void> {
    await Promise.all([
      this.#attempts.end(),
      this.#parts.probe.clear(),
      this.#parts.live.disconnect(),
    ]);
  }
}
