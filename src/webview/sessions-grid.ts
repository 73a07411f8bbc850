import { LitElement, html, nothing, type TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import { repeat } from 'lit/directives/repeat.js';
import type { ActivityModel } from '../activity/activity-model.ts';
import { type Session, sessionKey } from '../activity/snapshot.ts';
import {
  defaultListChoice,
  nextOrder,
  type SessionColumn,
  type SessionOrder,
} from '../activity/session-list.ts';
import { stateKey } from '../activity/session-state.ts';
import { intend } from './ask.ts';
import { columns, type Column } from './grid-columns.ts';
import { header, moves, nextPlace, type Move } from './grid-moves.ts';
import { gridStyle } from './grid-style.ts';
import { KeepFocus } from './keep-focus.ts';
import { RowWindow } from './row-window.ts';
import { placeLink } from './session-details.ts';
import { theme } from './theme.ts';

const tracks = columns.map(({ width }) => width).join(' ');

/** The sessions of a list in a grid. Arrow keys move, Enter sorts on a header and unfolds a row; a row keeps the focus wherever it goes. */
export class SessionsGrid extends LitElement {
  static override properties = {
    sessions: { attribute: false },
    order: { attribute: false },
    places: { attribute: false },
    holders: { attribute: false },
    unfolded: { state: true },
    at: { state: true },
  };
  static override styles = [theme, gridStyle];
  declare sessions: readonly Session[];
  declare order: SessionOrder;
  declare places: ActivityModel['places'];
  declare holders: ActivityModel['holders'];
  declare unfolded: ReadonlySet<string>;
  /** The cell that the keyboard is at: the header or a session, wherever that stands now. */
  declare at: { readonly row: string; readonly column: number };
  readonly #rows = new RowWindow(this);

  constructor() {
    super();
    this.sessions = [];
    this.order = defaultListChoice.order;
    this.places = {};
    this.holders = {};
    this.unfolded = new Set();
    this.at = { row: header, column: 0 };
    new KeepFocus(this, () => this.#cell(header, this.at.column));
  }

  override render(): TemplateResult {
    const held = this.#held();
    const isKnown = held.has(this.at.row);
    const shown = this.#rows.show(
      this.sessions.length,
      (index) => keyAt(this.sessions, index),
      held,
      this.at.row,
    );
    return html`<div class="scroller" @scroll=${this.#rows.onScroll} ${ref(this.#rows.observe)}><div class="grid" role="grid" aria-label="Sessions" aria-rowcount=${this.sessions.length + 1} aria-colcount=${columns.length} @keydown=${this.#onKey} @focusin=${this.#onFocus}>
      <div role="rowgroup" class="head"><div role="row" aria-rowindex="1" class="cells" .style=${`grid-template-columns: ${tracks}`} ${ref(this.#rows.observe)}>${columns.map((column, index) => this.#header(column, index, isKnown))}</div></div>
      <div role="rowgroup" class="body" .style=${`height: ${this.#rows.places.total}px`}>
        ${repeat(
          shown,
          ({ element }) => element,
          ({ index, key }) => this.#item(index, key),
        )}
      </div></div>
      ${this.sessions.length === 0 ? html`<p class="empty quiet">No session is like that.</p>` : nothing}</div>`;
  }

  /** Where the session with the focus is, and those that are unfolded. */
  #held(): ReadonlyMap<string, number> {
    const held = new Map<string, number>();
    if (this.at.row === header && this.unfolded.size === 0) return held;
    this.sessions.forEach((session, index) => {
      const key = sessionKey(session);
      if (key === this.at.row || this.unfolded.has(key)) held.set(key, index);
    });
    return held;
  }

  #header(
    { id, title, hint, isNumeric }: Column,
    index: number,
    isElsewhere: boolean,
  ): TemplateResult {
    const { column, isDescending } = this.order;
    const sort = column === id ? (isDescending ? 'descending' : 'ascending') : nothing;
    return html`<div role="columnheader" aria-colindex=${index + 1} aria-sort=${sort} class=${isNumeric ? 'numeric' : ''} title=${hint} data-row=${header} data-index=${index} data-column=${id}
      tabindex=${!isElsewhere && this.at.column === index ? 0 : -1} @click=${() => this.#sortBy(id)}>${title}</div>`;
  }

  #item(index: number, key: string): TemplateResult | typeof nothing {
    const session = this.sessions[index];
    if (session === undefined) return nothing;
    const isUnfolded = this.unfolded.has(key);
    return html`<div class="item" role="none" .style=${`top: ${this.#rows.places.startOf(index)}px`}>
      <div role="row" aria-rowindex=${index + 2} class="cells ${session.isOwn ? 'own' : ''}" .style=${`grid-template-columns: ${tracks}`} data-pid=${session.pid} @click=${() => this.#unfold(key)}>
        ${columns.map((column, at) => this.#gridCell(column, at, session, key, isUnfolded))}</div>
      ${isUnfolded ? html`<div role="row" data-fold=${key} ${ref(this.#rows.observe)}><div role="gridcell" aria-colspan=${columns.length} class="details"><poolguard-session-details .session=${session} .place=${this.places[key]} .holder=${this.holders[key]}></poolguard-session-details></div></div>` : nothing}
    </div>`;
  }

  #gridCell(
    column: Column,
    at: number,
    session: Session,
    key: string,
    isUnfolded: boolean,
  ): TemplateResult {
    const isQuery = column.id === 'query';
    return html`<div role="gridcell" aria-colindex=${at + 1} class="${column.isNumeric ? 'numeric' : ''} ${isQuery ? 'query code' : ''}" data-row=${key} data-index=${at}
      tabindex=${this.at.row === key && this.at.column === at ? 0 : -1} aria-expanded=${isQuery ? isUnfolded : nothing}>${this.#content(column, session, key)}</div>`;
  }

  #content(column: Column, session: Session, key: string): TemplateResult | string {
    const text = column.text(session);
    if (column.isNumeric) return text;
    if (column.id === 'state')
      return html`<span class="state" data-state=${stateKey(session)}><span class="dot"></span><bdi>${text}</bdi></span>`;
    const place =
      column.id === 'query' ? (this.holders[key]?.place ?? this.places[key] ?? null) : null;
    return html`${place === null ? nothing : placeLink(this, session, place.label, -1)}<bdi>${text}</bdi>`;
  }

  #sortBy(column: SessionColumn): void {
    intend(this, (intent) => ({
      ...intent,
      list: { ...intent.list, order: nextOrder(intent.list.order, column) },
    }));
  }

  #unfold(key: string): void {
    this.unfolded = this.unfolded.has(key)
      ? new Set([...this.unfolded].filter((each) => each !== key))
      : new Set([...this.unfolded, key]);
  }

  readonly #onFocus = ({ target }: FocusEvent): void => {
    const { row, index } = target instanceof HTMLElement ? target.dataset : {};
    if (row !== undefined) this.at = { row, column: Number(index) };
  };

  readonly #onKey = (event: KeyboardEvent): void => {
    const { target, key } = event;
    if (!(target instanceof HTMLElement) || target.dataset['row'] === undefined) return;
    const move = moves[key];
    if (move !== undefined) this.#move(move);
    else if (key === 'Enter' || key === ' ') target.click();
    else return;
    event.preventDefault();
  };

  #move(move: Move): void {
    const from =
      this.at.row === header
        ? -1
        : this.sessions.findIndex((session) => sessionKey(session) === this.at.row);
    const { index, column } = nextPlace({ index: from, column: this.at.column }, move, {
      rows: this.sessions.length,
      columns: columns.length,
    });
    const row = index < 0 ? header : keyAt(this.sessions, index);
    this.at = { row, column };
    if (index >= 0) this.#rows.reveal(index);
    void this.updateComplete.then(() =>
      this.#cell(row, column)?.focus({ preventScroll: move[0] !== 0 && index >= 0 }),
    );
  }

  #cell(row: string, column: number): HTMLElement | null {
    return this.renderRoot.querySelector<HTMLElement>(
      `[data-row="${CSS.escape(row)}"][data-index="${column}"]`,
    );
  }
}

function keyAt(sessions: readonly Session[], index: number): string {
  const session = sessions[index];
  return session === undefined ? String(index) : sessionKey(session);
}
