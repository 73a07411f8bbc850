import { LitElement, css, html, nothing, type TemplateResult } from 'lit';
import { sessionKey } from '../activity/session-key.ts';
import type { Session } from '../activity/snapshot.ts';
import { columns, sortSessions, type Column, type Sorting } from './grid-columns.ts';
import { stateKey } from '../activity/session-state.ts';
import { theme } from './theme.ts';

const moves: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1], PageDown: [10, 0], PageUp: [-10, 0], Home: [0, -100], End: [0, 100],
};

/** Every session in a sortable grid. Arrow keys move, Enter sorts on a header and unfolds the statement of a row. */
export class SessionsGrid extends LitElement {
  static override properties = { sessions: { attribute: false }, sorting: { state: true }, unfolded: { state: true }, at: { state: true } };
  static override styles = [theme, css`
    .scroller { overflow-x: auto; border: 1px solid var(--line); border-radius: 4px; }
    table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
    th, td { padding: 4px 8px; text-align: left; white-space: nowrap; font-weight: 400; }
    th { color: var(--quiet); font-size: 12px; border-bottom: 1px solid var(--line); cursor: pointer; user-select: none; }
    th { position: relative; }
    th::after { position: absolute; margin-left: 1px; }
    th[aria-sort='ascending']::after { content: '↑'; }
    th[aria-sort='descending']::after { content: '↓'; }
    th[aria-sort] { color: var(--ink); }
    .numeric { text-align: right; }
    tbody tr:hover { background: var(--vscode-list-hoverBackground, var(--raised)); }
    tr.own { color: var(--quiet); }
    .state { display: inline-flex; align-items: center; gap: 7px; }
    .query { width: 100%; max-width: 0; overflow: hidden; text-overflow: ellipsis; cursor: pointer; font-family: var(--vscode-editor-font-family, monospace); font-size: 12px; }
    .query.unfolded { white-space: pre-wrap; overflow-wrap: anywhere; }
    :focus-visible { outline-offset: -1px; }
    @media (max-width: 900px) { .query { min-width: 220px; } }
  `];
  declare sessions: readonly Session[];
  declare sorting: Sorting;
  declare unfolded: ReadonlySet<string>;
  /** Row 0 is the header. */
  declare at: readonly [row: number, column: number];

  constructor() {
    super();
    this.sessions = [];
    this.sorting = { column: 'transaction-age', isDescending: true };
    this.unfolded = new Set();
    this.at = [0, 0];
  }

  override render(): TemplateResult {
    const rows = sortSessions(this.sessions, this.sorting);
    return html`<div class="scroller"><table role="grid" aria-label="Sessions" aria-rowcount=${rows.length + 1} @keydown=${this.#onKey} @focusin=${this.#onFocus}>
      <thead><tr role="row">${columns.map((column, index) => this.#header(column, index))}</tr></thead>
      <tbody>${rows.map((session, index) => this.#row(session, index + 1))}</tbody>
    </table></div>`;
  }

  #header({ id, title, isNumeric }: Column, index: number): TemplateResult {
    const sort = this.sorting.column === id ? (this.sorting.isDescending ? 'descending' : 'ascending') : nothing;
    return html`<th role="columnheader" scope="col" aria-sort=${sort} class=${isNumeric ? 'numeric' : ''} data-at="0,${index}" data-column=${id}
      tabindex=${this.#tab(0, index)} @click=${() => this.#sortBy(id)}>${title}</th>`;
  }

  #row(session: Session, row: number): TemplateResult {
    const key = sessionKey(session);
    return html`<tr role="row" class=${session.isOwn ? 'own' : ''} data-pid=${session.pid}>${columns.map((column, index) => html`<td role="gridcell" data-at="${row},${index}" data-session=${key}
      tabindex=${this.#tab(row, index)} class="${column.isNumeric ? 'numeric' : ''} ${this.#queryClass(column, key)}" @click=${() => column.id === 'query' && this.#unfold(key)}
      aria-expanded=${column.id === 'query' ? this.unfolded.has(key) : nothing}>${cell(column, session)}</td>`)}</tr>`;
  }

  #queryClass({ id }: Column, key: string): string {
    if (id !== 'query') return '';
    return this.unfolded.has(key) ? 'query unfolded' : 'query';
  }

  #tab(row: number, column: number): 0 | -1 {
    const [atRow, atColumn] = this.at;
    return Math.min(atRow, this.sessions.length) === row && atColumn === column ? 0 : -1;
  }

  #sortBy(column: string): void {
    this.sorting = { column, isDescending: this.sorting.column === column ? !this.sorting.isDescending : column.endsWith('age') };
  }

  #unfold(key: string): void {
    this.unfolded = this.unfolded.has(key) ? new Set([...this.unfolded].filter((each) => each !== key)) : new Set([...this.unfolded, key]);
  }

  readonly #onFocus = ({ target }: FocusEvent): void => {
    const place = target instanceof HTMLElement ? target.dataset['at']?.split(',').map(Number) : undefined;
    if (place !== undefined) this.at = [place[0] ?? 0, place[1] ?? 0];
  };

  readonly #onKey = (event: KeyboardEvent): void => {
    const { target, key } = event;
    if (!(target instanceof HTMLElement)) return;
    const move = moves[key];
    if (move !== undefined) this.#focusAt(this.at[0] + move[0], this.at[1] + move[1]);
    else if (key === 'Enter' || key === ' ') this.#activate(target);
    else return;
    event.preventDefault();
  };

  #activate({ dataset }: HTMLElement): void {
    if (dataset['column'] !== undefined) this.#sortBy(dataset['column']);
    else if (dataset['session'] !== undefined) this.#unfold(dataset['session']);
  }

  #focusAt(row: number, column: number): void {
    const clamp = (value: number, last: number): number => Math.min(Math.max(value, 0), last);
    const place = [clamp(row, this.sessions.length), clamp(column, columns.length - 1)].join(',');
    this.renderRoot.querySelector<HTMLElement>(`[data-at="${place}"]`)?.focus();
  }
}

function cell(column: Column, session: Session): TemplateResult | string {
  if (column.id !== 'state') return column.text(session);
  return html`<span class="state" data-state=${stateKey(session)}><span class="dot"></span>${column.text(session)}</span>`;
}
