import type { Disposable } from 'vscode';

/** Runs `act` when asked, but no more often than every so many milliseconds; what was asked for in between is done at the end of the span. */
export class Paced implements Disposable {
  readonly #act: () => void;
  readonly #everyMs: number;
  #timer: NodeJS.Timeout | undefined;
  #isWanted = false;

  constructor(act: () => void, everyMs: number) {
    this.#act = act;
    this.#everyMs = everyMs;
  }

  ask(): void {
    this.#isWanted = true;
    if (this.#timer === undefined) this.#run();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#isWanted = false;
  }

  #run(): void {
    this.#timer = undefined;
    if (!this.#isWanted) return;
    this.#isWanted = false;
    this.#act();
    this.#timer = setTimeout(() => this.#run(), this.#everyMs);
  }
}
