import { LitElement, css, html, nothing, type TemplateResult } from 'lit';
import type { SizeResult } from '../probe/result.ts';
import { line, longestSentence } from './database-text.ts';
import { formatNumber } from './format.ts';
import type { FromView, ProbeState } from './messages.ts';
import { theme } from './theme.ts';

const verdictTitles: Readonly<Record<SizeResult['verdict']['kind'], string>> = {
  found: 'More clients bring little',
  'not-saturated': 'Still rising at the largest size',
  'client-bound': 'This computer was the bottleneck',
  'host-bound': "The server's processor was the bottleneck",
  'lock-bound': 'Locks were the bottleneck',
  'pooler-bound': "The pooler's backends were used up",
  'too-noisy': 'Too noisy to name a number',
};

/** Starts a probe, shows its progress, and what it found. Asks with `request` events. */
export class ProbeSection extends LitElement {
  static override properties = { probe: { attribute: false }, canProbe: { attribute: false }, isWide: { type: Boolean } };
  static override styles = [theme, css`
    .actions { display: flex; flex-wrap: wrap; gap: 6px; margin-top: 8px; }
    .answer { display: flex; align-items: baseline; gap: 14px; margin-bottom: 6px; }
    .max { font-size: 28px; font-weight: 600; line-height: 1; color: var(--recommended); font-variant-numeric: tabular-nums; white-space: nowrap; }
    .max code { font: inherit; font-family: var(--vscode-editor-font-family, monospace); font-size: 15px; color: var(--quiet); }
    .verdict { max-width: 75ch; margin-bottom: 8px; }
    .facts { margin-top: 6px; color: var(--quiet); font-size: 12px; max-width: 75ch; overflow-wrap: anywhere; }
    poolguard-progress { margin: 6px 0; }
    poolguard-curve { margin-top: 10px; max-width: 900px; }
  `];
  declare probe: ProbeState;
  declare canProbe: boolean;
  declare isWide: boolean;

  override render(): TemplateResult {
    const { probe } = this;
    if (probe.kind === 'running') return this.#running(probe);
    return html`${this.#outcome(probe)}
      <div class="actions">
        <poolguard-button class="start" ?disabled=${!this.canProbe} ?secondary=${probe.kind === 'result'} @click=${() => this.#ask({ kind: 'probe' })}>${probe.kind === 'idle' ? 'Probe pool size' : 'Probe again'}</poolguard-button>
        ${probe.kind === 'result' && !this.isWide ? html`<poolguard-button class="wide" secondary @click=${() => this.#ask({ kind: 'open', section: 'probe' })}>Open in editor</poolguard-button>` : nothing}
      </div>`;
  }

  #running({ fraction, doing, sizes }: Extract<ProbeState, { kind: 'running' }>): TemplateResult {
    const percent = Math.round(fraction * 100);
    return html`<p aria-live="polite"><span class="numbers">${percent} %</span> · <span class="quiet">${doing}</span></p>
      <poolguard-progress .value=${percent} aria-label="Probe"></poolguard-progress>
      ${sizes.length < 2 ? nothing : html`<poolguard-curve .sizes=${sizes} .knee=${null} .recommendation=${null} .height=${this.isWide ? 260 : 170}></poolguard-curve>`}
      <div class="actions"><poolguard-button class="cancel" secondary @click=${() => this.#ask({ kind: 'cancel-probe' })}>Cancel</poolguard-button></div>`;
  }

  #outcome(probe: Exclude<ProbeState, { kind: 'running' }>): TemplateResult {
    switch (probe.kind) {
      case 'idle':
        return html`<p class="quiet">Measures growing pool sizes and recommends a <code>max</code>. It writes nothing.</p>`;
      case 'cancelled':
        return html`<p class="quiet" role="status">The probe was cancelled; its connections are closed.</p>`;
      case 'failed':
        return html`<p class="notice bad" role="alert">${line(probe.sentence, longestSentence)}</p>`;
      case 'result':
        return this.#result(probe.result);
    }
  }

  #result(result: SizeResult): TemplateResult {
    const { verdict, recommendation, sizes, knee, cap } = result;
    return html`<div role="status">
        ${recommendation === null ? nothing : html`<div class="answer"><span class="max"><code>max:</code> ${recommendation.max}</span>
          <span class="quiet">per process; ${recommendation.interval.join('–')} is plausible, ${Math.round(recommendation.confidence * 100)} % of resamples agree</span></div>`}
        <p class="verdict"><strong>${verdictTitles[verdict.kind]}.</strong> ${verdict.because}</p>
      </div>
      <poolguard-curve .sizes=${sizes} .knee=${knee} .recommendation=${recommendation} .height=${this.isWide ? 260 : 170}></poolguard-curve>
      <p class="facts">${recommendation === null ? '' : `Limited by ${lower(recommendation.limitedBy)}. `}Tried up to ${cap.size}: ${lower(cap.because)}</p>
      ${this.isWide ? html`<p class="facts">${count(result)}</p>` : nothing}`;
  }

  #ask(detail: FromView): void {
    this.dispatchEvent(new CustomEvent('request', { detail, bubbles: true, composed: true }));
  }
}

function count({ rounds, elapsedMs, workload, server }: SizeResult): string {
  return `${rounds} rounds in ${formatNumber(elapsedMs / 1000)} s of “${workload.statements.map(({ text }) => text).join('; ')}” on PostgreSQL ${server.version} at ${server.host}:${server.port}/${server.database}.`;
}

function lower(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
