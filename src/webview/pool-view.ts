import { css, html, type TemplateResult } from 'lit';
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
    .title { display: flex; justify-content: space-between; align-items: baseline; }
    .title button { all: unset; cursor: pointer; font-size: 12px; color: var(--vscode-textLink-foreground, var(--curve)); }
    .title button:hover { text-decoration: underline; }
    .title button:focus-visible { outline: 1px solid var(--focus); }
    .notice { margin-top: 10px; font-size: 12px; }
  `];

  override render(): TemplateResult {
    const { connection, activity, intervalSeconds, probe, pooler } = this.model;
    if (!isConnected(this.model)) return html`<div class="welcome">${this.welcome()}</div>`;
    const { report } = activity;
    return html`<poolguard-activity-bar .connection=${connection} .intervalSeconds=${intervalSeconds}></poolguard-activity-bar>
      <poolguard-pooler-line .pooler=${pooler}></poolguard-pooler-line>
      ${report === null ? '' : html`
        <section aria-label="Headroom"><h2>Headroom</h2>
          <poolguard-headroom .headroom=${report.headroom} .history=${activity.history}></poolguard-headroom>${this.hiddenNotice()}</section>`}
      <section aria-label="Pool size"><h2>Pool size</h2>
        <poolguard-probe .probe=${probe} .canProbe=${connection.kind === 'live' || connection.kind === 'paused'}></poolguard-probe></section>
      ${report === null ? '' : html`<section aria-label="Sessions"><div class="title"><h2>${count(report.sessions.length, 'session')}</h2>
          <button @click=${() => this.ask({ kind: 'open', section: 'sessions' })}>Open table</button></div>
          <poolguard-sessions .activity=${activity}></poolguard-sessions></section>`}`;
  }
}

define('poolguard-pooler-line', PoolerLine);
define('poolguard-sessions', SessionGroups);
defineView('poolguard-pool-view', PoolView);
