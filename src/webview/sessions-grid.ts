import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import { repeat } from 'lit/directives/repeat.js';
import type { ActivityModel } from '../activity/activity-model.ts';
import {
  defaultListChoice,
  nextOrder,
  type SessionColumn,
  type SessionOrder,
} from '../activity/session-list.ts';
import { stateKey } from '../activity/session-state.ts';
import { type Session, sessionKey } from '../activity/snapshot.ts';
import { firstLayout, type ColumnLayout } from './column-layout.ts';
import { ColumnResize, resizeStyle } from './column-resize.ts';
import { line } from './database-text.ts';
import { type Column, layOut } from './grid-columns.ts';
import { ask, intend } from './host.ts';
import { KeepFocus } from './keep-focus.ts';
import { RowSelection, selectionStyle } from './row-selection.ts';
import { RowWindow } from './row-window.ts';
import { placeLink, toggled } from './session-details.ts';
import { theme } from './theme.ts';

/** The look of the grid of sessions. */
const gridStyle = css`
  .scroller { overflow: auto; overflow-anchor: none; max-height: min(72vh, 900px); border: 1px solid var(--line); border-radius: 4px; }
  .scroller:focus-visible { outline-offset: -1px; }
  .grid { font-variant-numeric: tabular-nums; }
  .cells { display: grid; grid-template-columns: var(--tracks); height: calc(1.45em + 6px); contain: strict; user-select: none; }
  .cells > * { padding: 3px 6px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .head { position: sticky; top: 0; z-index: 1; color: var(--quiet); border-bottom: 1px solid var(--line); background: var(--vscode-editor-background, Canvas); }
  .head > * { cursor: pointer; }
  .head > * > * { position: relative; font-size: 12px; }
  [aria-sort='ascending']::after { content: ' ↑'; }
  [aria-sort='descending']::after { content: ' ↓'; }
  [aria-sort] { color: var(--ink); }
  .body { position: relative; contain: layout style; }
  .item { position: absolute; top: 0; left: 0; right: 0; contain: layout style; }
  .item:hover { background: var(--vscode-list-hoverBackground, var(--raised)); }
  .item > .cells { cursor: pointer; }
  .own { color: var(--quiet); }
  .numeric { text-align: right; }
  .state { display: inline-flex; align-items: center; gap: 7px; max-width: 100%; }
  .state bdi { overflow: hidden; text-overflow: ellipsis; }
  .place { margin-right: 8px; font-family: var(--vscode-font-family, system-ui, sans-serif); }
  .empty { padding: 14px 12px; }
  [role='gridcell']:focus-visible, [role='columnheader']:focus-visible { outline: 1px solid var(--focus); outline-offset: -1px; }
`;

/** The sessions of a list in a grid. Arrow keys move, and select with Shift; Enter sorts on a header and unfolds a row. A row keeps the focus wherever it goes. */
export class SessionsGrid extends LitElement {
  static override properties = {
    sessions: { attribute: false },
    order: { attribute: false },
    places: { attribute: false },
    holders: { attribute: false },
    layout: { attribute: false },
    unfolded: { state: true },
    at: { state: true },
  };
  static override styles = [theme, gridStyle, resizeStyle, selectionStyle];
  declare sessions: readonly Session[];
  declare order: SessionOrder;
  declare places: ActivityModel['places'];
  declare holders: ActivityModel['holders'];
  declare layout: ColumnLayout;
  declare unfolded: ReadonlySet<string>;
  /** The cell that the keyboard is at: the header or a session, wherever that stands now. */
  declare at: { readonly row: string; readonly column: number };
  readonly #rows = new RowWindow(this);
  readonly #resize = new ColumnResize(this);
  readonly #selection = new RowSelection(this);
  #columns: readonly Column[] = [];

  constructor() {
    super();
    this.sessions = [];
    this.order = defaultListChoice.order;
    this.places = {};
    this.holders = {};
    this.layout = firstLayout;
    this.unfolded = new Set();
    this.at = { row: header, column: 0 };
    new KeepFocus(this, () => this.#cell(header, this.#column));
  }

  override render(): TemplateResult {
    const { shown: columns, tracks, least } = layOut(this.#resize.layout);
    this.#columns = columns;
    const held = this.#held();
    const isKnown = held.has(this.at.row);
    const shown = this.#rows.show(
      this.sessions.length,
      (index) => keyAt(this.sessions, index),
      held,
      this.at.row,
    );
    return html`<div class="scroller" @scroll=${this.#rows.onScroll} ${ref(this.#rows.observe)}><div class="grid" role="grid" aria-label="Sessions" aria-multiselectable="true" .style=${`--tracks: ${tracks}; min-width: ${least}px`} aria-rowcount=${this.sessions.length + 1} aria-colcount=${columns.length} @keydown=${this.#onKey} @focusin=${this.#onFocus}>
      <div role="rowgroup" class="head"><div role="row" aria-rowindex="1" class="cells" ${ref(this.#rows.observe)}>${columns.map((column, index) => this.#header(column, index, isKnown))}</div></div>
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
      tabindex=${!isElsewhere && this.#column === index ? 0 : -1} aria-keyshortcuts="Alt+ArrowLeft Alt+ArrowRight" @click=${() => this.#sortBy(id)}>${title}${this.#resize.edge(id)}</div>`;
  }

  #item(index: number, key: string): TemplateResult | typeof nothing {
    const session = this.sessions[index];
    if (session === undefined) return nothing;
    const isUnfolded = this.unfolded.has(key);
    return html`<div class="item" role="none" .style=${`top: ${this.#rows.places.startOf(index)}px`}>
      <div role="row" aria-rowindex=${index + 2} class="cells ${session.isOwn ? 'own' : ''}" aria-selected=${this.#selection.has(key)} data-pid=${session.pid} @click=${(event: MouseEvent) => this.#choose(event, key)}>
        ${this.#columns.map((column, at) => this.#gridCell(column, at, session, key, isUnfolded))}</div>
      ${isUnfolded ? html`<div role="row" data-fold=${key} ${ref(this.#rows.observe)}><div role="gridcell" aria-colspan=${this.#columns.length} class="details"><poolguard-session-details .session=${session} .place=${this.places[key]} .holder=${this.holders[key]}></poolguard-session-details></div></div>` : nothing}
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
      tabindex=${this.at.row === key && this.#column === at ? 0 : -1} aria-expanded=${at === 0 ? isUnfolded : nothing}>${this.#content(column, session, key)}</div>`;
  }

  #content(column: Column, session: Session, key: string): TemplateResult | string {
    const text = line(column.text(session));
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

  #choose(event: MouseEvent, key: string): void {
    if (event.ctrlKey || event.metaKey) return this.#selection.toggle(key);
    if (event.shiftKey) return this.#selection.extendTo(key);
    // A key presses without a pointer, and keeps what is selected.
    if (event.detail > 0) this.#selection.clear(key);
    this.unfolded = toggled(this.unfolded, key);
  }

  /** Where the keyboard is among the columns that are shown. */
  get #column(): number {
    return Math.min(this.at.column, this.#columns.length - 1);
  }

  readonly #onFocus = ({ target }: FocusEvent): void => {
    const { row, index } = target instanceof HTMLElement ? target.dataset : {};
    if (row !== undefined) this.at = { row, column: Number(index) };
  };

  readonly #onKey = (event: KeyboardEvent): void => {
    const { target } = event;
    if (!(target instanceof HTMLElement) || target.dataset['row'] === undefined) return;
    const isDone =
      event.ctrlKey || event.metaKey ? this.#command(event) : this.#press(event, target);
    if (!isDone) return;
    event.preventDefault();
    // The editor has keys of its own, such as Alt and an arrow.
    event.stopPropagation();
  };

  /** Whether the key does something here. */
  #press(event: KeyboardEvent, target: HTMLElement): boolean {
    const { key, shiftKey } = event;
    const column = this.#columns[this.#column]?.id;
    if (event.altKey) return this.at.row === header && this.#resize.press(event, column);
    const move = moves[key];
    if (move !== undefined) this.#move(move, shiftKey);
    else if (key === ' ' && shiftKey && this.at.row !== header) this.#selection.toggle(this.at.row);
    else if (key === 'Enter' || key === ' ') target.click();
    else if (key === 'Escape' && this.#selection.keys.length > 0) this.#selection.clear();
    else return false;
    return true;
  }

  #command({ key, shiftKey }: KeyboardEvent): boolean {
    if (key.toLowerCase() === 'c') return this.#copy(shiftKey);
    if (key !== 'a') return false;
    this.#selection.all();
    return true;
  }

  /** The cell, as it is; of selected rows what is shown, without literals unless they are wanted. */
  #copy(isWhole: boolean): boolean {
    const rows = this.#selection.keys;
    const isCell = rows.length === 0;
    const [keys, columns] = isCell
      ? [[this.at.row], this.#columns.slice(this.#column, this.#column + 1)]
      : [rows, this.#columns];
    if (isCell && this.at.row === header) return false;
    const statements = isCell || isWhole ? 'whole' : 'redacted';
    ask(this, { kind: 'copy', keys, columns: columns.map(({ id }) => id), statements });
    return true;
  }

  #move(move: Move, isExtending: boolean): void {
    const from =
      this.at.row === header
        ? -1
        : this.sessions.findIndex((session) => sessionKey(session) === this.at.row);
    const { index, column } = nextPlace({ index: from, column: this.#column }, move, {
      rows: this.sessions.length,
      columns: this.#columns.length,
    });
    const row = index < 0 ? header : keyAt(this.sessions, index);
    if (isExtending && index >= 0 && from >= 0) {
      if (this.#selection.keys.length === 0) this.#selection.clear(this.at.row);
      this.#selection.extendTo(row);
    }
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

/** By how many rows and columns a key moves. */
type Move = readonly [rows: number, columns: number];

/** What keys move in a grid. */
const moves: Readonly<Record<string, Move>> = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
  PageDown: [10, 0],
  PageUp: [-10, 0],
  Home: [0, -100],
  End: [0, 100],
};

/** The row of the header, in place of a session's key. */
const header = 'header';

interface Place {
  /** Of the row; below zero for the header. */
  readonly index: number;
  readonly column: number;
}

/** Where a move ends in a grid of such a size: it never leaves it. */
function nextPlace(
  from: Place,
  [down, right]: Move,
  size: { readonly rows: number; readonly columns: number },
): Place {
  return {
    index: clamp(from.index + down, -1, size.rows - 1),
    column: clamp(from.column + right, 0, size.columns - 1),
  };
}

function clamp(value: number, first: number, last: number): number {
  return Math.min(Math.max(value, first), last);
}
