import { css, html, type CSSResultGroup, type TemplateResult } from 'lit';
import type { ActivityReport } from '../activity/snapshot.ts';
import { describePools } from '../activity/pool-words.ts';
import { define } from './define.ts';
import { PoolerLine } from './pooler-line.ts';
import { RunningPool } from './running-pool.ts';
import { RunningSection } from './running-section.ts';
import { SessionGroups } from './session-groups.ts';
import { theme } from './theme.ts';
import { View, defineView, isConnected } from './view.ts';

/** A view of the sidebar. The editor writes its title and folds, hides and moves it. */
abstract class SidebarView extends View {
  static override styles: CSSResultGroup = [
    theme,
    css`
    :host { padding: 6px 16px 16px; }
    section { margin-top: 18px; }
    .welcome { display: grid; gap: 12px; padding-top: 4px; }
    poolguard-concerns, .waiting { display: block; margin-top: 12px; }
    .stale { filter: grayscale(1); }
    .notice { margin-top: 10px; font-size: 12px; }
  `,
  ];

  override render(): TemplateResult {
    return html`${this.liveRegion()}${this.content()}`;
  }

  protected abstract content(): TemplateResult;
}

/** The server: how many connections are used, what needs attention, and the pools with their sessions. */
class PoolsView extends SidebarView {
  protected override content(): TemplateResult {
    const { connection, activity, intervalSeconds, pooler } = this.model;
    if (!isConnected(this.model)) return html`<div class="welcome">${this.welcome()}</div>`;
    return html`<poolguard-activity-bar .connection=${connection} .intervalSeconds=${intervalSeconds} .seenAt=${this.seenAt}></poolguard-activity-bar>${this.superuserNotice()}
      <poolguard-pooler-line .pooler=${pooler}></poolguard-pooler-line>
      <div class="figures ${this.staleness()}">${activity.report === null ? this.waiting() : this.#figures(activity.report)}</div>`;
  }

  #figures(report: ActivityReport): TemplateResult {
    const { activity } = this.model;
    return html`${this.concernList()}
      <section aria-label="Connections used"><poolguard-headroom .headroom=${report.headroom} .history=${activity.history}></poolguard-headroom>${this.hiddenNotice()}</section>
      <section aria-label="Pools"><h2>${describePools(activity.pools)}</h2>
        <poolguard-sessions .activity=${activity} .folds=${this.intent.folds}></poolguard-sessions></section>`;
  }
}

/** Which sessions wait for a lock of which others. */
class BlockingView extends SidebarView {
  protected override content(): TemplateResult {
    const { activity } = this.model;
    if (!isConnected(this.model))
      return this.unconnected('Connect to a database to see which sessions block others.');
    if (activity.report === null) return this.waiting();
    return html`<div class=${this.staleness()}>${activity.blocking.length === 0 ? html`<p class="quiet">No session is blocked.</p>` : html`<poolguard-blocking .activity=${activity}></poolguard-blocking>`}</div>`;
  }
}

/** The applications that run under watch. */
class RunningView extends SidebarView {
  protected override content(): TemplateResult {
    return html`<poolguard-running .running=${this.model.running}></poolguard-running>`;
  }
}

/** The probe, and what it found. */
class SizeView extends SidebarView {
  protected override content(): TemplateResult {
    const { connection, probe, history } = this.model;
    if (!isConnected(this.model))
      return this.unconnected('Connect to a database to measure which pool size suits it.');
    return html`<poolguard-probe .probe=${probe} .history=${history} .canProbe=${connection.kind === 'live' || connection.kind === 'paused'}></poolguard-probe>`;
  }
}

define('poolguard-pooler-line', PoolerLine);
define('poolguard-running', RunningSection);
define('poolguard-running-pool', RunningPool);
define('poolguard-sessions', SessionGroups);
defineView('poolguard-pools-view', PoolsView);
defineView('poolguard-blocking-view', BlockingView);
defineView('poolguard-running-view', RunningView);
defineView('poolguard-size-view', SizeView);
