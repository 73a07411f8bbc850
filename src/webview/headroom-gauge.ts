import { LitElement, css, html, type TemplateResult } from 'lit';
import type { History } from '../activity/activity-model.ts';
import type { Headroom } from '../activity/snapshot.ts';
import { stateLabels } from '../activity/session-state.ts';
import { sparkline, sparklineStyle } from './sparkline.ts';
import { theme } from './theme.ts';

/** Used of usable connections as one bar, split by what the sessions are doing. */
export class HeadroomGauge extends LitElement {
  static override properties = { headroom: { attribute: false }, history: { attribute: false } };
  static override styles = [
    theme,
    sparklineStyle,
    css`
    .line { display: flex; align-items: baseline; justify-content: space-between; gap: 8px; flex-wrap: wrap; }
    .used { font-size: 24px; font-weight: 600; line-height: 1.2; font-variant-numeric: tabular-nums; }
    .used small { font-size: 13px; font-weight: 400; color: var(--quiet); }
    .free { color: var(--quiet); white-space: nowrap; }
    .free.low { color: var(--state-waiting); font-weight: 600; }
    .free.none { color: var(--error); font-weight: 600; }
    .bar { display: flex; gap: 1px; height: 10px; margin: 8px 0 10px; overflow: hidden; border-radius: 5px;
      background: var(--raised); outline: 1px solid var(--vscode-contrastBorder, transparent); }
    .part { background: var(--dot); min-width: 3px; }
    .rest { background: none; }
    ul { display: flex; flex-wrap: wrap; gap: 2px 14px; margin: 0; padding: 0; list-style: none; }
    li { display: flex; align-items: center; gap: 6px; white-space: nowrap; }
    li .numbers { font-weight: 600; }
    .sparkline { margin-top: 8px; }
  `,
  ];
  declare headroom: Headroom;
  declare history: History;

  override render(): TemplateResult {
    const { used, usable, free, split, maxConnections } = this.headroom;
    const parts = stateLabels.filter(([key]) => split[key] > 0);
    return html`
      <div class="line">
        <span class="used">${used} <small>of ${usable} connections used</small></span>
        <span class="free ${freeClass(this.headroom)}">${free} free</span>
      </div>
      <div class="bar" role="meter" aria-label="Used connections" aria-valuemin="0" aria-valuemax=${usable} aria-valuenow=${used}
        title="max_connections is ${maxConnections}; ${maxConnections - usable} of them are reserved.">
        ${parts.map(([key, label]) => html`<span class="part" data-state=${key} title="${split[key]} ${label}" .style=${grow(split[key])}></span>`)}
        <span class="rest" .style=${grow(free)}></span>
      </div>
      <ul aria-label="Connections by state">
        ${parts.map(([key, label]) => html`<li data-state=${key}><span class="dot"></span><span class="numbers">${split[key]}</span><span class="quiet">${label}</span></li>`)}
      </ul>
      ${sparkline(this.history, { what: 'Connections used', top: usable * 0.2 })}
    `;
  }
}

/** Assigning text to an element's `style` property is not inline style, and so allowed by the content security policy. */
function grow(share: number): string {
  return `flex: ${share} 1 0px`;
}

function freeClass({ free, usable }: Headroom): string {
  if (free === 0) return 'none';
  return free <= usable * 0.1 ? 'low' : '';
}
