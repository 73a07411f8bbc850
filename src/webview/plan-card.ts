import { LitElement, css, html, nothing, type TemplateResult } from 'lit';
import { describeRole } from '../activity/role-power.ts';
import type { ProbePlan } from '../probe/result.ts';
import { ask } from './host.ts';
import { line, longestSentence, name } from './database-text.ts';
import { count } from './format.ts';
import { theme } from './theme.ts';

const mostStatements = 5;
const mostCalls = 8;

/** What a probe is about to do, and the question whether to do it. Its first button has the focus, so that whoever came by keyboard goes on by keyboard. */
export class PlanCard extends LitElement {
  static override properties = {
    plan: { attribute: false },
    label: { type: String },
    isWide: { type: Boolean },
  };
  static override styles = [
    theme,
    css`
    .card { padding: 10px 12px 12px; border: 1px solid var(--line); border-radius: 4px; max-width: 760px; }
    h3 { margin: 0 0 8px; font-size: 13px; font-weight: 600; }
    dl { display: grid; grid-template-columns: max-content 1fr; gap: 3px 12px; margin: 0; }
    dt { color: var(--quiet); }
    dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
    .code { display: block; max-height: 7.5em; overflow: auto; }
    .code + .code { margin-top: 4px; }
    ul { margin: 8px 0 0; padding-left: 18px; }
    .notice { margin-top: 8px; font-size: 12px; overflow-wrap: anywhere; }
    .actions { display: flex; flex-wrap: wrap; gap: 6px; margin-top: 12px; }
    label { display: inline-flex; align-items: center; gap: 6px; margin-top: 10px; cursor: pointer; }
    input { margin: 0; accent-color: var(--focus); }
    details { margin-top: 8px; }
    summary { cursor: pointer; color: var(--quiet); width: max-content; }
  `,
  ];
  declare plan: ProbePlan;
  declare label: string;
  declare isWide: boolean;

  protected override firstUpdated(): void {
    const agree = this.renderRoot.querySelector<LitElement>('.agree');
    // A button takes the focus once it is drawn itself; a page that somebody is not in takes none.
    void agree?.updateComplete.then(() => document.hasFocus() && agree.focus());
  }

  override render(): TemplateResult {
    const { steps, notes } = this.plan;
    return html`<div class="card" role="group" aria-labelledby="title">
      <div role="status"><h3 id="title">Nothing has been run yet. The probe would:</h3></div>
      ${this.#facts()}
      ${steps.length === 0 ? nothing : html`<details ?open=${this.isWide}><summary>Step by step</summary><ul>${steps.map((step) => html`<li>${line(step, longestSentence)}</li>`)}</ul></details>`}
      ${notes.map((note) => html`<p class="notice">${line(note, longestSentence)}</p>`)}
      <label><input type="checkbox" class="for-good">Do not ask again for this database</label>
      <div class="actions">
        <poolguard-button class="agree" @click=${this.#agree}>Start probe</poolguard-button>
        <poolguard-button class="decline" secondary @click=${() => ask(this, { kind: 'cancel-probe' })}>Cancel</poolguard-button>
      </div></div>`;
  }

  #facts(): TemplateResult {
    const { role, statements, calls, sizes, connections, free, expectedMs, cap } = this.plan;
    return html`<dl>
      <dt>run</dt><dd>${statements.slice(0, mostStatements).map((text) => html`<bdi class="code">${line(text)}</bdi>`)}
        ${statements.length > mostStatements ? html`<span class="quiet">and ${count(statements.length - mostStatements, 'more statement')}</span>` : nothing}</dd>
      ${
        calls.length === 0
          ? nothing
          : html`<dt>calls</dt><dd class="calls">${calls.slice(0, mostCalls).map((call) => html`<bdi class="code">${line(call)}</bdi>`)}
        ${calls.length > mostCalls ? html`<span class="quiet">and ${count(calls.length - mostCalls, 'more function')}</span>` : nothing}</dd>`
      }
      <dt>on</dt><dd>${name(this.label)}</dd>
      <dt>as</dt><dd class="role">${name(describeRole(role))}</dd>
      <dt>with</dt><dd>at most ${count(connections, 'connection')} at a time, of ${free} that ${free === 1 ? 'is' : 'are'} free</dd>
      <dt>for</dt><dd>about ${count(Math.max(1, Math.round(expectedMs / 1000)), 'second')}</dd>
      ${sizes.length === 0 ? nothing : html`<dt>sizes</dt><dd>${sizes.join(', ')}<br><span class="quiet">up to ${cap.size}: ${line(cap.because, longestSentence)}</span></dd>`}
    </dl>`;
  }

  readonly #agree = (): void => {
    ask(this, {
      kind: 'agree',
      isForGood: this.renderRoot.querySelector<HTMLInputElement>('.for-good')?.checked === true,
    });
  };
}
