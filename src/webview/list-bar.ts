import { LitElement, css, html, type TemplateResult } from 'lit';
import type { SessionListChoice } from '../activity/session-list.ts';
import { count } from './format.ts';
import { ask, intend } from './host.ts';
import type { ExportPlace } from './from-view.ts';
import { theme } from './theme.ts';

/** What narrows a list of sessions, and what takes it elsewhere. */
export class ListBar extends LitElement {
  static override properties = {
    list: { attribute: false },
    shown: { type: Number },
    all: { type: Number },
  };
  static override styles = [
    theme,
    css`
    .bar { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 12px; margin-bottom: 8px; }
    input[type='search'] { flex: 1 1 220px; max-width: 420px; height: 26px; padding: 0 8px; border-radius: 3px; font: inherit; color: var(--vscode-input-foreground, var(--ink));
      background: var(--vscode-input-background, transparent); border: 1px solid var(--vscode-input-border, var(--line)); }
    input[type='search']::placeholder { color: var(--vscode-input-placeholderForeground, var(--quiet)); }
    input:focus { outline: 1px solid var(--focus); outline-offset: -1px; }
    label { display: inline-flex; align-items: center; gap: 6px; cursor: pointer; }
    input[type='checkbox'] { margin: 0; accent-color: var(--focus); }
    .count { color: var(--quiet); font-variant-numeric: tabular-nums; }
    .end { display: flex; gap: 6px; margin-left: auto; }
  `,
  ];
  declare list: SessionListChoice;
  declare shown: number;
  declare all: number;

  override render(): TemplateResult {
    const { filter, hidesIdle } = this.list;
    return html`<div class="bar" role="group" aria-label="Sessions">
      <input type="search" aria-label="Filter" placeholder="Filter by application, user, database, state, pid or query" maxlength="1000" .value=${filter} @input=${this.#onInput} @keydown=${this.#onKey}>
      <label><input type="checkbox" class="hide-idle" .checked=${hidesIdle} @change=${this.#onToggle}>Hide idle</label>
      <span class="count">${this.shown === this.all ? '' : `${this.shown} of `}${count(this.all, 'session')}</span>
      <span class="end"><slot></slot>${this.#export('clipboard', 'Copy list…')}${this.#export('file', 'Export…')}</span></div>`;
  }

  #export(to: ExportPlace, title: string): TemplateResult {
    return html`<poolguard-button secondary data-export=${to} ?disabled=${this.shown === 0} @click=${() => ask(this, { kind: 'export', to, list: this.list })}>${title}</poolguard-button>`;
  }

  #choose(change: Partial<SessionListChoice>): void {
    intend(this, (intent) => ({ ...intent, list: { ...intent.list, ...change } }));
  }

  readonly #onInput = ({ target }: Event): void => {
    if (target instanceof HTMLInputElement) this.#choose({ filter: target.value });
  };

  readonly #onToggle = ({ target }: Event): void => {
    if (target instanceof HTMLInputElement) this.#choose({ hidesIdle: target.checked });
  };

  readonly #onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || this.list.filter === '') return;
    event.preventDefault();
    this.#choose({ filter: '' });
  };
}
