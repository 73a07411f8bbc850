import { css, html, nothing, type TemplateResult } from 'lit';
import type { ActivityReport } from '../activity/snapshot.ts';
import { define } from './define.ts';
import { count } from './format.ts';
import { PoolerLine } from './pooler-line.ts';
import { RunningPool } from './running-pool.ts';
import { RunningSection } from './running-section.ts';
import { SessionGroups } from './session-groups.ts';
import { theme } from './theme.ts';
import { View, defineView, isConnected } from './view.ts';

/** The sidebar's page. */
class PoolView extends View {
  static override styles = [
    theme,
    css`
    :host { padding: 10px 16px 20px; }
    section { margin-top: 18px; }
    .news + .running { margin-top: 4px; }
    .running + .welcome { margin-top: 24px; }
    .welcome { display: grid; gap: 12px; padding-top: 4px; }
    .title .link:focus-visible { outline: 1px solid var(--focus); }
    poolguard-concerns, .waiting { display: block; margin-top: 12px; }
    .stale { filter: grayscale(1); }
    .notice { margin-top: 10px; font-size: 12px; }
  `,
  ];

  override render(): TemplateResult {
    const { connection, activity, intervalSeconds, probe, history, pooler, running } = this.model;
    // An application that is watched is what somebody looks at now; how to watch one may stand further down.
    const isRunning = running.apps.length > 0;
    if (!isConnected(this.model))
      return html`${this.liveRegion()}${isRunning ? this.#running() : nothing}<div class="welcome">${this.welcome()}</div>${isRunning ? nothing : this.#running()}`;
    return html`${this.liveRegion()}<poolguard-activity-bar .connection=${connection} .intervalSeconds=${intervalSeconds} .seenAt=${this.seenAt}></poolguard-activity-bar>${this.superuserNotice()}
      <poolguard-pooler-line .pooler=${pooler}></poolguard-pooler-line>
      ${isRunning ? this.#running() : nothing}
      <div class="figures ${this.staleness()}">${activity.report === null ? this.waiting() : this.#figures(activity.report)}</div>
      <section aria-label="Pool size"><h2>Pool size</h2>
        <poolguard-probe .probe=${probe} .history=${history} .canProbe=${connection.kind === 'live' || connection.kind === 'paused'}></poolguard-probe></section>
      ${isRunning ? nothing : this.#running()}`;
  }

  #running(): TemplateResult {
    const { running } = this.model;
    return html`<section class="running" aria-label="Running apps"><div class="title"><h2>Running apps</h2>
        ${running.apps.length === 0 ? nothing : html`<button class="link" @click=${() => this.ask({ kind: 'run-watched' })}>Run another…</button>`}</div>
      <poolguard-running .running=${running}></poolguard-running></section>`;
  }

  #figures(report: ActivityReport): TemplateResult {
    const { activity } = this.model;
    return html`${this.concernList()}
      <section aria-label="Connections used"><h2>Connections used</h2>
        <poolguard-headroom .headroom=${report.headroom} .history=${activity.history}></poolguard-headroom>${this.hiddenNotice()}</section>
      ${this.blocking()}
      <section aria-label="Pools"><div class="title"><h2>${count(activity.pools.filter(({ isOwn }) => !isOwn).length, 'pool')}</h2>
        <button class="link" @click=${() => this.ask({ kind: 'open', section: 'sessions' })}>Open table</button></div>
        <poolguard-sessions .activity=${activity} .folds=${this.intent.folds}></poolguard-sessions></section>`;
  }
}

define('poolguard-pooler-line', PoolerLine);
define('poolguard-running', RunningSection);
define('poolguard-running-pool', RunningPool);
define('poolguard-sessions', SessionGroups);
defineView('poolguard-pool-view', PoolView);
