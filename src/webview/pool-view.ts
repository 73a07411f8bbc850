import { css, html, type TemplateResult } from 'lit';
import type { ActivityReport } from '../activity/snapshot.ts';
import { define } from './define.ts';
import { count } from './format.ts';
import { PoolerLine } from './pooler-line.ts';
import { SessionGroups } from './session-groups.ts';
import { theme } from './theme.ts';
import { View, defineView, isConnected } from './view.ts';

/** The sidebar's page. */
class PoolView extends View {
  static override styles = [theme, css`
    :host { padding: 10px 16px 20px; }
    section { margin-top: 18px; }
    .welcome { display: grid; gap: 12px; padding-top: 4px; }
    .title .link:focus-visible { outline: 1px solid var(--focus); }
    poolguard-concerns, .waiting { display: block; margin-top: 12px; }
    .stale { filter: grayscale(1); }
    .notice { margin-top: 10px; font-size: 12px; }
  `];

  override render(): TemplateResult {
    const { connection, activity, intervalSeconds, probe, pooler } = this.model;
    if (!isConnected(this.model)) return html`${this.liveRegion()}<div class="welcome">${this.welcome()}</div>`;
    return html`${this.liveRegion()}<poolguard-activity-bar .connection=${connection} .intervalSeconds=${intervalSeconds} .seenAt=${this.seenAt}></poolguard-activity-bar>
      <poolguard-pooler-line .pooler=${pooler}></poolguard-pooler-line>
      <div class="figures ${this.staleness()}">${activity.report === null ? this.waiting() : this.#figures(activity.report)}</div>
      <section aria-label="Pool size"><h2>Pool size</h2>
        <poolguard-probe .probe=${probe} .canProbe=${connection.kind === 'live' || connection.kind === 'paused'}></poolguard-probe></section>`;
  }

  #figures(report: ActivityReport): TemplateResult {
    const { activity } = this.model;
    return html`${this.concernList()}
      <section aria-label="Headroom"><h2>Headroom</h2>
        <poolguard-headroom .headroom=${report.headroom} .history=${activity.history}></poolguard-headroom>${this.hiddenNotice()}</section>
      ${this.blocking()}
      <section aria-label="Pools"><div class="title"><h2>${count(activity.pools.filter(({ isOwn }) => !isOwn).length, 'pool')}</h2>
        <button class="link" @click=${() => this.ask({ kind: 'open', section: 'sessions' })}>Open table</button></div>
        <poolguard-sessions .activity=${activity} .folds=${this.intent.folds}></poolguard-sessions></section>`;
  }
}

define('poolguard-pooler-line', PoolerLine);
define('poolguard-sessions', SessionGroups);
defineView('poolguard-pool-view', PoolView);
