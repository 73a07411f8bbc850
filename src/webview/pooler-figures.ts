import { LitElement, css, html, nothing, svg, type TemplateResult } from 'lit';
import type { PoolerModel } from '../pooler/pooler-model.ts';
import type { PoolerReport } from '../pooler/pooler-report.ts';
import { formatWait } from './pooler-columns.ts';
import { theme } from './theme.ts';

/** What tells a saturated pooler at a glance: who waits and since when, with the curve of the last samples; then what is lent. */
export class PoolerFigures extends LitElement {
  static override properties = { model: { attribute: false } };
  static override styles = [
    theme,
    css`
    :host { --waits: var(--vscode-list-warningForeground, var(--state-waiting)); }
    dl { display: flex; flex-wrap: wrap; gap: 12px 40px; margin: 0; }
    dl div { display: flex; flex-direction: column-reverse; }
    dt { color: var(--quiet); font-size: 12px; }
    dd { margin: 0; font-size: 24px; font-weight: 600; line-height: 1.2; font-variant-numeric: tabular-nums; white-space: nowrap; }
    dd small { font-size: 13px; font-weight: 400; color: var(--quiet); }
    .bad dd { color: var(--waits); }
    svg { display: block; width: 100%; height: 48px; margin-top: 12px; }
    polyline { fill: none; stroke: var(--waits); stroke-width: 1.5; vector-effect: non-scaling-stroke; }
    polygon { fill: color-mix(in srgb, var(--waits) 15%, transparent); }
    line { stroke: var(--line); vector-effect: non-scaling-stroke; }
    .caption { display: flex; justify-content: space-between; font-size: 12px; }
  `,
  ];
  declare model: PoolerModel;

  override render(): TemplateResult | typeof nothing {
    const { report, waiting } = this.model;
    if (report === null) return nothing;
    const {
      totals,
      pooler: { limits },
    } = report;
    const isWaiting = totals.clientsWaiting > 0;
    return html`<dl>
        ${figure('waiting', 'clients waiting', String(totals.clientsWaiting), ownOf(report), isWaiting)}
        ${figure('longest-wait', 'longest wait', isWaiting ? formatWait(totals.longestWaitMs) : '–', '', isWaiting)}
        ${figure('lent', 'servers in use', String(totals.serversActive), roomOf(report), false)}
        ${figure('clients', 'client connections', String(totals.clientConnections ?? '–'), limits.maxClients === null ? '' : `of ${limits.maxClients}`, false)}
      </dl>
      ${waiting.length < 2 ? nothing : curve(waiting)}`;
  }
}

/** A look through the pooler needs a backend too, and waits in line like everybody. */
function ownOf({ clients }: PoolerReport): string {
  const own =
    clients?.filter(
      ({ application, state }) => application === 'poolguard' && state.startsWith('waiting'),
    ).length ?? 0;
  return own === 0 ? '' : `${own} of them Poolguard`;
}

function roomOf({ pools }: PoolerReport): string {
  const sizes = pools.flatMap(({ size }) => size ?? []);
  // One without a limit makes the sum meaningless.
  return sizes.length === 0 || sizes.length < pools.length || sizes.includes(0)
    ? ''
    : `of ${sizes.reduce((sum, size) => sum + size)}`;
}

function figure(
  id: string,
  title: string,
  value: string,
  room: string,
  isBad: boolean,
): TemplateResult {
  return html`<div class=${isBad ? 'bad' : ''} data-figure=${id}><dt>${title}</dt><dd>${value} ${room === '' ? nothing : html`<small>${room}</small>`}</dd></div>`;
}

function curve(waiting: readonly number[]): TemplateResult {
  const most = Math.max(1, ...waiting);
  const points = waiting
    .map((value, index) => `${(index / (waiting.length - 1)) * 100},${46 - (value / most) * 44}`)
    .join(' ');
  return html`<svg viewBox="0 0 100 48" preserveAspectRatio="none" role="img" aria-label="Waiting clients over the last ${waiting.length} samples, ${Math.max(...waiting)} at most">
      ${svg`<line x1="0" y1="46.5" x2="100" y2="46.5"></line><polygon points="0,47 ${points} 100,47"></polygon><polyline points=${points}></polyline>`}</svg>
    <div class="caption quiet"><span>Waiting clients, last ${waiting.length} samples</span><span>at most ${Math.max(...waiting)}</span></div>`;
}
