import { css, html, type LitElement, type ReactiveController, type TemplateResult } from 'lit';
import type { SessionColumn } from '../activity/session-list.ts';
import { withoutWidth, withWidths, type ColumnLayout } from './column-layout.ts';
import { ask } from './host.ts';

/** What a key adds to a width, in pixels. */
const step = 16;

export const resizeStyle = css`
  .edge { position: absolute; top: 0; bottom: 0; right: 0; width: 7px; border-right: 1px solid var(--line); cursor: col-resize; touch-action: none; }
  .edge:hover, .edge:active { border-right: 2px solid var(--focus); }
`;

type Widths = Parameters<typeof withWidths>[1];

/** Widens and narrows columns at the right edge of their headers, by a pointer or by Alt with an arrow key. The columns before it keep the width that they have, so that the edge is where the pointer is. */
export class ColumnResize implements ReactiveController {
  readonly #host: LitElement & { readonly layout: ColumnLayout };
  #drag: { readonly column: SessionColumn; readonly from: number; readonly widths: Widths } | null =
    null;
  #dragged: ColumnLayout | null = null;

  constructor(host: LitElement & { readonly layout: ColumnLayout }) {
    this.#host = host;
    host.addController(this);
  }

  hostDisconnected(): void {
    this.#end();
  }

  /** As it is kept, or as far as a drag has come. */
  get layout(): ColumnLayout {
    return this.#dragged ?? this.#host.layout;
  }

  edge(column: SessionColumn): TemplateResult {
    return html`<span class="edge" title="Drag to resize the column; double-click to reset its width" @click=${stop} @dblclick=${() => this.#keep(withoutWidth(this.#host.layout, column))} @pointerdown=${(event: PointerEvent) => this.#start(event, column)}
      @pointermove=${this.#move} @pointerup=${this.#drop} @lostpointercapture=${this.#end}></span>`;
  }

  /** Whether the key was for a width. */
  press({ altKey, key }: KeyboardEvent, column: SessionColumn | undefined): boolean {
    if (!altKey || column === undefined || (key !== 'ArrowLeft' && key !== 'ArrowRight'))
      return false;
    const widths = this.#measure(column);
    const width = (widths[column] ?? 0) + (key === 'ArrowRight' ? step : -step);
    this.#keep(withWidths(this.#host.layout, { ...widths, [column]: width }));
    return true;
  }

  #start(event: PointerEvent, column: SessionColumn): void {
    if (event.button !== 0) return;
    event.preventDefault();
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
    this.#drag = { column, from: event.clientX, widths: this.#measure(column) };
  }

  readonly #move = ({ clientX }: PointerEvent): void => {
    if (this.#drag === null) return;
    const { column, from, widths } = this.#drag;
    const width = (widths[column] ?? 0) + clientX - from;
    this.#dragged = withWidths(this.#host.layout, { ...widths, [column]: width });
    this.#host.requestUpdate();
  };

  readonly #drop = (): void => {
    if (this.#dragged !== null) this.#keep(this.#dragged);
  };

  readonly #end = (): void => {
    this.#drag = null;
    this.#dragged = null;
    this.#host.requestUpdate();
  };

  #keep(layout: ColumnLayout): void {
    ask(this.#host, { kind: 'columns', layout });
  }

  /** Of the column and of those before it. */
  #measure(column: SessionColumn): Widths {
    const headers = [...this.#host.renderRoot.querySelectorAll<HTMLElement>('[role=columnheader]')];
    const last = headers.findIndex(({ dataset }) => dataset['column'] === column);
    return Object.fromEntries(
      headers
        .slice(0, last + 1)
        .map(({ dataset, offsetWidth }) => [dataset['column'], offsetWidth]),
    ) as Widths;
  }
}

function stop(event: Event): void {
  event.stopPropagation();
}
