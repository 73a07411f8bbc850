import { LitElement, css, html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { ask } from './host.ts';
import { KeepFocus } from './keep-focus.ts';
import { nothingRunning } from './running-messages.ts';
import type { RunningState, ShownApp } from './running-state.ts';
import { theme } from './theme.ts';

/** The applications that run under watch, thread by thread, or how to come to see one. */
export class RunningSection extends LitElement {
  static override properties = { running: { attribute: false }, now: { state: true } };
  static override styles = [
    theme,
    css`
    .empty { display: grid; gap: 10px; }
    .app + .app { margin-top: 14px; padding-top: 12px; border-top: 1px solid var(--line); }
    .app h2 { display: flex; align-items: baseline; gap: 8px; margin: 0 0 6px; font-size: inherit; color: inherit; }
    .app h2 .name { min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
    .app h2 .dot { align-self: center; --dot: var(--state-active); }
    .app h2 .which { flex: none; font-weight: 400; font-size: 12px; color: var(--quiet); font-variant-numeric: tabular-nums; }
    .ended h2 .dot { background: none; border: 1.5px solid var(--state-hidden); }
    .notice { margin-bottom: 8px; overflow-wrap: anywhere; }
    poolguard-running-pool + poolguard-running-pool { margin-top: 14px; }
    .foot { margin-top: 12px; font-size: 12px; }
  `,
  ];
  declare running: RunningState;
  /** By the clock of the host, which is the applications' too; the page's own may be another machine's. */
  declare now: number;
  #receivedAt = 0;
  #timer: number | undefined;

  constructor() {
    super();
    this.running = nothingRunning;
    this.now = 0;
    new KeepFocus(this);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#timer = window.setInterval(() => this.#tick(), 1000);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.clearInterval(this.#timer);
  }

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has('running')) return;
    this.#receivedAt = Date.now();
    this.now = this.running.at;
  }

  override render(): TemplateResult {
    const { running } = this;
    if (running.apps.length === 0) return html`<div class="empty">${this.#empty()}</div>`;
    return html`${repeat(
      running.apps,
      ({ key }) => key,
      (app) => this.#app(app),
    )}
      ${running.more > 0 ? html`<p class="foot quiet">and ${running.more} more in other processes and threads</p>` : nothing}
      <p class="foot">${this.#terminals()}</p>`;
  }

  #tick(): void {
    const isTicking = this.running.apps.some(
      ({ hasEnded, pools }) => !hasEnded && pools.some(({ held }) => held.length > 0),
    );
    if (isTicking) this.now = this.running.at + Date.now() - this.#receivedAt;
  }

  #empty(): TemplateResult {
    const { isTrusted, isListening } = this.running;
    if (!isTrusted) return html`<p class="quiet">Poolguard runs nothing in Restricted Mode.</p>`;
    return html`<p class="quiet">${
      isListening
        ? 'No application with a pool is running yet. Start yours in the terminal “pool watch”: it appears here with its first pool.'
        : 'See the pools inside your application: who waits, who holds a client for too long, and the line that checked it out.'
    }</p>
      <poolguard-button class="run" block secondary @click=${() => ask(this, { kind: 'run-watched' })}>Run with pool watch…</poolguard-button>
      ${isListening ? html`<p class="quiet">${this.#terminals()}</p>` : nothing}`;
  }

  #terminals(): TemplateResult {
    const { watchesTerminals } = this.running;
    return watchesTerminals
      ? html`<span class="quiet">Pools in new terminals are watched. </span><button class="link" @click=${() => ask(this, { kind: 'unwatch-terminals' })}>Stop watching</button>`
      : html`<button class="link" @click=${() => ask(this, { kind: 'watch-terminals' })}>Watch pools in new terminals</button>`;
  }

  #app({ name, pid, threadId, script, hasEnded, broken, pools }: ShownApp): TemplateResult {
    return html`<article class="app ${hasEnded ? 'ended' : ''}" data-app=${name} aria-label="${name}, process ${pid}${hasEnded ? ', ended' : ''}">
      <h2 title=${script}><span class="dot"></span><span class="name"><bdi>${name}</bdi></span><span class="which">pid ${pid}${threadId === 0 ? '' : ` · thread ${threadId}`}${hasEnded ? ' · ended' : ''}</span></h2>
      ${broken === null ? nothing : html`<p class="notice bad">${broken}</p>`}
      ${repeat(
        pools,
        ({ id }) => id,
        (pool) =>
          html`<poolguard-running-pool .pool=${pool} .hasEnded=${hasEnded} .now=${this.now}></poolguard-running-pool>`,
      )}
    </article>`;
  }
}
