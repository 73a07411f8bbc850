import { css, html, LitElement, type TemplateResult } from 'lit';
import { firstLayout, withColumn, type ColumnLayout } from './column-layout.ts';
import { columns, type Column } from './grid-columns.ts';
import { ask } from './host.ts';
import { theme } from './theme.ts';

/** A button that unfolds what columns there are: a box for each, and the way back to how they were at first. */
export class ColumnChooser extends LitElement {
  static override properties = { layout: { attribute: false } };
  static override styles = [
    theme,
    css`
    .open { anchor-name: --columns; height: 26px; padding: 0 13px; border: 1px solid var(--vscode-button-border, transparent); border-radius: 4px; font: inherit; cursor: pointer;
      color: var(--vscode-button-secondaryForeground, var(--ink)); background: var(--vscode-button-secondaryBackground, var(--raised)); }
    .open:hover { background: var(--vscode-button-secondaryHoverBackground, var(--raised)); }
    .menu { position-anchor: --columns; position-area: bottom span-left; position-try-fallbacks: flip-block; inset: auto; margin: 2px 0; padding: 6px; border: 1px solid var(--vscode-menu-border, var(--line)); border-radius: 5px;
      color: var(--vscode-menu-foreground, var(--ink)); background: var(--vscode-menu-background, var(--vscode-editor-background, Canvas)); box-shadow: 0 2px 8px rgb(0 0 0 / 25%); }
    label { display: flex; align-items: center; gap: 8px; padding: 3px 8px; border-radius: 3px; cursor: pointer; }
    label:hover { background: var(--vscode-list-hoverBackground, var(--raised)); }
    input { margin: 0; accent-color: var(--focus); }
    .link { display: block; box-sizing: border-box; width: 100%; margin-top: 6px; padding: 5px 8px 2px; border-top: 1px solid var(--line); }
    .link:focus-visible { outline: 1px solid var(--focus); }
  `,
  ];
  declare layout: ColumnLayout;
  /** Gets the focus back: a browser forgets it across shadow roots. */
  #before: HTMLElement | null = null;

  /** Opens under the pointer: where the button of a mouse comes up outside of it, a browser closes it again. */
  openAt({ clientX, clientY }: MouseEvent): void {
    const menu = this.#menu;
    if (menu === null) return;
    menu.style.cssText = 'position-area: none; left: 0; top: 0';
    menu.showPopover();
    const within = (at: number, size: number, room: number) =>
      Math.max(0, Math.min(at, room - size));
    menu.style.left = `${within(clientX, menu.offsetWidth, innerWidth)}px`;
    menu.style.top = `${within(clientY, menu.offsetHeight, innerHeight)}px`;
  }

  override render(): TemplateResult {
    return html`<button class="open" popovertarget="menu" @click=${() => this.#menu?.removeAttribute('style')}>Columns</button>
      <div class="menu" id="menu" popover role="group" aria-label="Columns" @beforetoggle=${this.#onToggle} @toggle=${this.#onToggle}>
        ${columns.map((column, index) => this.#box(column, index === 0))}
        <button class="link" @click=${() => this.#keep(firstLayout)}>Reset columns</button></div>`;
  }

  readonly #onToggle = ({ type, newState }: ToggleEvent): void => {
    const focused = focusedElement();
    if (type === 'beforetoggle' && newState === 'open') this.#before = focused;
    const isNowhere = focused === document.body || this.#menu?.contains(focused) === true;
    if (type === 'toggle' && newState === 'closed' && isNowhere) this.#before?.focus();
  };

  get #menu(): HTMLElement | null {
    return this.renderRoot.querySelector<HTMLElement>('.menu');
  }

  #box({ id, title }: Column, isFirst: boolean): TemplateResult {
    const { hidden } = this.layout;
    const isShown = !hidden.includes(id);
    return html`<label><input type="checkbox" data-shows=${id} ?autofocus=${isFirst} .checked=${isShown} ?disabled=${isShown && hidden.length === columns.length - 1}
      @change=${() => this.#keep(withColumn(this.layout, id, !isShown))}>${title}</label>`;
  }

  #keep(layout: ColumnLayout): void {
    ask(this, { kind: 'columns', layout });
  }
}

function focusedElement(): HTMLElement | null {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  return focused instanceof HTMLElement ? focused : null;
}
