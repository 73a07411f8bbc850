import type { LitElement, ReactiveController } from 'lit';

/**
 * Rows that change their place lose the focus with it: gives it back to the element that had it.
 * When that element is gone, the fallback gets it, so that a keyboard never falls out of a list that refreshes.
 */
export class KeepFocus implements ReactiveController {
  readonly #host: LitElement;
  readonly #fallback: () => HTMLElement | null;
  #focused: Element | null = null;

  constructor(host: LitElement, fallback: () => HTMLElement | null = () => null) {
    this.#host = host;
    this.#fallback = fallback;
    host.addController(this);
  }

  hostUpdate(): void {
    this.#focused = this.#host.shadowRoot?.activeElement ?? null;
  }

  hostUpdated(): void {
    const focused = this.#focused;
    this.#focused = null;
    if (!(focused instanceof HTMLElement) || this.#host.shadowRoot?.activeElement === focused)
      return;
    (focused.isConnected ? focused : this.#fallback())?.focus({ preventScroll: true });
  }
}
