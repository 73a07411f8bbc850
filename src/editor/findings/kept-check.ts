import { Owner } from '../../ownership/owner.ts';

export interface KeptCheckOptions {
  /** Looks at everything, and shows what is found until the signal aborts. */
  readonly check: (signal: AbortSignal) => Promise<void>;
  /** Looks again at what has changed, and at what has findings. */
  readonly lookAgain: (changed: readonly string[], signal: AbortSignal) => Promise<void>;
  /** Whether what is shown is the whole; otherwise nothing is to be shown any more. */
  readonly onSwitch: (isOn: boolean) => void;
  /** Resolves when changes have rested, or as soon as the signal aborts. */
  readonly rest: (signal: AbortSignal) => Promise<unknown>;
}

/** One check of everything at a time, the last that was asked for; what it found is kept true until it is cleared. */
export class KeptCheck {
  readonly #options: KeptCheckOptions;
  readonly #checks = new Owner<boolean>();
  readonly #looks = new Owner();
  readonly #changed = new Set<string>();
  #isOn = false;

  constructor(options: KeptCheckOptions) {
    this.#options = options;
  }

  /** Resolves with whether it came to its end: nobody cleared it, or asked for another one. */
  async check(): Promise<boolean> {
    this.#switch(false);
    const isWhole = await this.#checks.start(async (signal) => {
      try {
        await this.#options.check(signal);
      } finally {
        // Somebody who has seen enough keeps what was found so far.
        if (!signal.aborted) this.#switch(true);
      }
      return true;
    });
    return isWhole ?? false;
  }

  clear(): void {
    void this.#checks.end();
    this.#switch(false);
  }

  /** One more change begins the rest anew. */
  changed(name: string): void {
    if (!this.#isOn) return;
    this.#changed.add(name);
    void this.#looks.start(async (signal) => {
      await this.#options.rest(signal);
      if (signal.aborted) return;
      const changed = [...this.#changed];
      await this.#options.lookAgain(changed, signal);
      if (!signal.aborted) for (const each of changed) this.#changed.delete(each);
    });
  }

  #switch(isOn: boolean): void {
    this.#isOn = isOn;
    void this.#looks.end();
    this.#changed.clear();
    this.#options.onSwitch(isOn);
  }
}
