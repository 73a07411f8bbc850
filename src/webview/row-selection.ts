import { css, type LitElement } from 'lit';
import { sessionKey, type Session } from '../activity/snapshot.ts';

/** A bar beside the colour, for themes that have none. */
export const selectionStyle = css`
  [aria-selected='true'] { color: var(--ink); background: color-mix(in srgb, var(--focus) 14%, transparent); box-shadow: inset 3px 0 var(--focus); }
`;

/** Which rows of a list are selected, by their sessions: they stay so wherever a sample moves them, and until they are gone. */
export class RowSelection {
  readonly #host: LitElement & { readonly sessions: readonly Session[] };
  #keys: ReadonlySet<string> = new Set();
  /** Where a range begins. */
  #anchor = '';

  constructor(host: LitElement & { readonly sessions: readonly Session[] }) {
    this.#host = host;
  }

  has(key: string): boolean {
    return this.#keys.has(key);
  }

  /** In the order of the list. */
  get keys(): readonly string[] {
    return this.#keys.size === 0 ? [] : this.#listed().filter((key) => this.#keys.has(key));
  }

  toggle(key: string): void {
    const others = [...this.#keys].filter((each) => each !== key);
    this.#set(this.#keys.has(key) ? others : [...others, key], key);
  }

  /** From where the last range or row began. */
  extendTo(key: string): void {
    const keys = this.#listed();
    const to = keys.indexOf(key);
    const from = keys.includes(this.#anchor) ? keys.indexOf(this.#anchor) : to;
    this.#set(keys.slice(Math.min(from, to), Math.max(from, to) + 1), this.#anchor || key);
  }

  all(): void {
    this.#set(this.#listed(), this.#anchor);
  }

  /** Nothing; the next range begins at that row. */
  clear(anchor = ''): void {
    this.#set([], anchor);
  }

  #set(keys: readonly string[], anchor: string): void {
    this.#keys = new Set(keys);
    this.#anchor = anchor;
    this.#host.requestUpdate();
  }

  #listed(): readonly string[] {
    return this.#host.sessions.map(sessionKey);
  }
}
