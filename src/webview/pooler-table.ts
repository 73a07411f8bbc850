import { LitElement, css, html, nothing, type TemplateResult } from 'lit';
import { sortPoolerRows, type PoolerColumn, type PoolerSorting } from './pooler-columns.ts';
import { theme } from './theme.ts';

/** Rows that are drawn at once; a pooler may have thousands of clients. */
const mostRows = 300;

/** One of the console's tables. Its headers are buttons that sort; all text is text. */
export class PoolerTable extends LitElement {
  static override properties = {
    label: {},
    columns: { attribute: false },
    rows: { attribute: false },
    sorting: { state: true },
  };
  static override styles = [
    theme,
    css`
    .scroller { overflow-x: auto; border: 1px solid var(--line); border-radius: 4px; }
    table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
    th, td { padding: 4px 10px; text-align: left; white-space: nowrap; font-weight: 400; max-width: 360px; overflow: hidden; text-overflow: ellipsis; }
    th { padding: 0; border-bottom: 1px solid var(--line); }
    th button { all: unset; display: block; box-sizing: border-box; width: 100%; padding: 4px 10px; cursor: pointer; font-size: 12px; color: var(--quiet); }
    th[aria-sort] button { color: var(--ink); }
    th[aria-sort='ascending'] button::after { content: ' ↑'; }
    th[aria-sort='descending'] button::after { content: ' ↓'; }
    th button:focus-visible { outline: 1px solid var(--focus); outline-offset: -1px; }
    .numeric, .numeric button { text-align: right; }
    .notable { color: var(--vscode-list-warningForeground, var(--state-waiting)); font-weight: 600; }
    tbody tr:hover { background: var(--vscode-list-hoverBackground, var(--raised)); }
    p { margin-top: 4px; font-size: 12px; }
  `,
  ];
  declare label: string;
  declare columns: readonly PoolerColumn<unknown>[];
  declare rows: readonly unknown[];
  declare sorting: PoolerSorting;

  constructor() {
    super();
    this.sorting = { column: '', isDescending: true };
  }

  override render(): TemplateResult {
    const sorted = sortPoolerRows(this.rows, this.columns, this.sorting);
    return html`<div class="scroller" tabindex="0" role="region" aria-label=${this.label}><table aria-label=${this.label}>
        <thead><tr>${this.columns.map((column) => this.#header(column))}</tr></thead>
        <tbody>${sorted.slice(0, mostRows).map((row) => html`<tr>${this.columns.map((column) => this.#cell(column, row))}</tr>`)}</tbody>
      </table></div>
      ${sorted.length > mostRows ? html`<p class="quiet">and ${sorted.length - mostRows} more</p>` : nothing}`;
  }

  #header(column: PoolerColumn<unknown>): TemplateResult {
    const { sorting } = this;
    const sort =
      sorting.column !== column.id ? nothing : sorting.isDescending ? 'descending' : 'ascending';
    return html`<th scope="col" data-column=${column.id} class=${this.#isNumeric(column) ? 'numeric' : ''} aria-sort=${sort} title=${column.hint}><button @click=${() => this.#sort(column)}>${column.title}</button></th>`;
  }

  #cell(column: PoolerColumn<unknown>, row: unknown): TemplateResult {
    const text = column.text(row);
    return html`<td data-column=${column.id} class="${this.#isNumeric(column) ? 'numeric' : ''} ${column.isNotable?.(row) === true ? 'notable' : ''}" title=${text}>${text}</td>`;
  }

  #isNumeric(column: PoolerColumn<unknown>): boolean {
    return this.rows.some((row) => typeof column.value(row) === 'number');
  }

  #sort({ id }: PoolerColumn<unknown>): void {
    this.sorting = {
      column: id,
      isDescending: this.sorting.column === id ? !this.sorting.isDescending : true,
    };
  }
}
