import { LitElement, css, html, nothing, type TemplateResult } from 'lit';
import type { SizeResult } from '../probe/result.ts';
import { ask } from './host.ts';
import { marksOf } from './curve-options.ts';
import { line, longestSentence } from './database-text.ts';
import { formatNumber } from './format.ts';
import type { FromView } from './from-view.ts';
import type { ProbeHistory, ProbeState } from './to-view.ts';
import { theme } from './theme.ts';

const verdictTitles: Readonly<Record<SizeResult['verdict']['kind'], string>> = {
  found: 'Throughput levels off',
  'not-saturated': 'Still rising at the largest size',
  'client-bound': 'This computer was the bottleneck',
  'host-bound': "The server's processor was the bottleneck",
  'lock-bound': 'Locks were the bottleneck',
  'pooler-bound': "The pooler's backends were used up",
  'too-noisy': 'Too noisy to recommend a size',
};

/** Starts a probe, shows its progress, what it found, and what earlier ones of the same statement found. */
export class ProbeSection extends LitElement {
  static override properties = {
    probe: { attribute: false },
    history: { attribute: false },
    canProbe: { attribute: false },
    isWide: { type: Boolean },
  };
  static override styles = [
    theme,
    css`
    .actions { display: flex; flex-wrap: wrap; gap: 6px; margin-top: 8px; }
    .answer { display: flex; align-items: baseline; gap: 14px; margin-bottom: 6px; }
    .max { font-size: 28px; font-weight: 600; line-height: 1; color: var(--recommended); font-variant-numeric: tabular-nums; white-space: nowrap; }
    .max code { font: inherit; font-family: var(--vscode-editor-font-family, monospace); font-size: 15px; color: var(--quiet); }
    .verdict { max-width: 75ch; margin-bottom: 8px; }
    .facts { margin-top: 6px; color: var(--quiet); font-size: 12px; max-width: 75ch; overflow-wrap: anywhere; }
    poolguard-progress { margin: 6px 0; }
    poolguard-curve { margin-top: 10px; max-width: 900px; }
    .partial { margin-bottom: 8px; }
  `,
  ];
  declare probe: ProbeState;
  declare history: ProbeHistory | null;
  declare canProbe: boolean;
  declare isWide: boolean;

  override render(): TemplateResult {
    const { probe } = this;
    if (probe.kind === 'running') return this.#running(probe);
    if (probe.kind === 'planned')
      return html`<p class="quiet" role="status">Nothing has been run yet: a dialog shows the plan and asks.</p>`;
    if (probe.kind === 'cancelling')
      return html`<p class="quiet" role="status">Stopping: the probe closes its connections …</p>`;
    return html`${this.#outcome(probe)}<div class="actions">${this.#buttons(probe)}</div>
      ${this.history ? html`<poolguard-probe-history .history=${this.history}></poolguard-probe-history>` : nothing}`;
  }

  #buttons({ kind }: RestingProbe): TemplateResult {
    const button = (name: string, title: string, request: FromView, isSecondary: boolean) =>
      html`<poolguard-button class=${name} ?disabled=${name !== 'wide' && !this.canProbe} ?secondary=${isSecondary} @click=${() => ask(this, request)}>${title}</poolguard-button>`;
    if (kind === 'idle') return button('start', 'Probe pool size…', { kind: 'probe' }, false);
    return html`${button('again', 'Probe again', { kind: 'probe-again' }, kind === 'result')}${button('start', 'Another statement…', { kind: 'probe' }, true)}
      ${kind === 'result' && !this.isWide ? button('wide', 'Open in editor', { kind: 'open', section: 'probe' }, true) : nothing}`;
  }

  #running({ fraction, doing, sizes }: Extract<ProbeState, { kind: 'running' }>): TemplateResult {
    const percent = Math.round(fraction * 100);
    return html`<p aria-live="polite"><span class="numbers">${percent} %</span> · <span class="quiet">${line(doing, longestSentence)}</span></p>
      <poolguard-progress .value=${percent} aria-label="Probe"></poolguard-progress>
      ${sizes.length < 2 ? nothing : html`<poolguard-curve .sizes=${sizes} .height=${this.isWide ? 260 : 170}></poolguard-curve>`}
      <div class="actions">${sizes.length < 2 ? nothing : html`<poolguard-button class="conclude" secondary @click=${() => ask(this, { kind: 'conclude-probe' })}>End with the result so far</poolguard-button>`}<poolguard-button class="cancel" secondary @click=${() => ask(this, { kind: 'cancel-probe' })}>Cancel</poolguard-button></div>`;
  }

  #outcome(probe: RestingProbe): TemplateResult {
    switch (probe.kind) {
      case 'idle':
        return html`<p class="quiet">Measures growing pool sizes with a statement of yours and recommends a <code>max</code>. It writes nothing, and shows first what it will do.</p>`;
      case 'cancelled':
        return html`<p class="quiet" role="status">The probe was cancelled; its connections are closed.</p>`;
      case 'failed':
        return html`<p class="notice bad" role="alert">${line(probe.sentence, longestSentence)}</p>`;
      case 'result':
        return this.#result(probe.result);
    }
  }

  #result(result: SizeResult): TemplateResult {
    const { verdict, recommendation, partial } = result;
    return html`<div role="status">
        ${partial === null ? nothing : html`<p class="notice partial"><strong>Partial.</strong> ${line(partial, longestSentence)}</p>`}
        ${
          recommendation === null
            ? nothing
            : html`<div class="answer"><span class="max"><code>max:</code> ${recommendation.max}</span>
          <span class="quiet">per process; ${recommendation.interval.join('–')} is plausible, ${Math.round(recommendation.confidence * 100)} % of resamples agree</span></div>`
        }
        <p class="verdict"><strong>${verdictTitles[verdict.kind]}.</strong> ${line(verdict.because, longestSentence)}</p>
      </div>
      ${this.isWide ? html`<poolguard-probe-report .result=${result}></poolguard-probe-report><p class="facts">${count(result)}</p>` : this.#short(result)}`;
  }

  /** What a sidebar has room for. */
  #short(result: SizeResult): TemplateResult {
    const { recommendation, sizes, cap, workload } = result;
    return html`${sizes.length === 0 ? nothing : html`<poolguard-curve .sizes=${sizes} .marks=${marksOf(result)} .height=${170}></poolguard-curve>`}
      <p class="facts">${recommendation === null ? '' : `Limited by ${lower(line(recommendation.limitedBy, longestSentence))}. `}Tried up to ${cap.size}: ${lower(line(cap.because, longestSentence))}.</p>
      <p class="facts">${workload.origin === 'stand-in' ? 'Measured with a stand-in, which says little about an application.' : html`Measured with <bdi>${line(textOf(result))}</bdi>`}</p>`;
  }
}

type RestingProbe = Exclude<ProbeState, { kind: 'planned' | 'running' | 'cancelling' }>;

function count(result: SizeResult): string {
  const { rounds, elapsedMs, server, startedAt, machine } = result;
  return `${rounds} rounds in ${formatNumber(elapsedMs / 1000)} s of “${line(textOf(result))}” on PostgreSQL ${line(server.version)} at ${line(server.host)}:${server.port}/${line(server.database)}${server.pooler === null ? '' : ' through PgBouncer'}, ${startedAt.slice(0, 16).replace('T', ' ')} UTC; from a computer with ${machine.cores} cores.`;
}

function textOf({ workload }: SizeResult): string {
  return workload.statements.map(({ text }) => text).join('; ');
}

function lower(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
