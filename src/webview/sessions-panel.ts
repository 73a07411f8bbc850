import { css, html, type TemplateResult } from 'lit';
import { define } from './define.ts';
import { count } from './format.ts';
import type { ToView } from './messages.ts';
import { SessionsGrid } from './sessions-grid.ts';
import { theme } from './theme.ts';
import { View, defineView, isConnected } from './view.ts';

/** The wide page: every session in a grid, and the curve of the last probe. */
class SessionsPanel extends View {
  static override styles = [theme, css`
    :host { max-width: 1400px; margin: 0 auto; padding: 16px 24px 32px; }
    header { display: grid; grid-template-columns: minmax(240px, 340px) minmax(280px, 1fr); gap: 12px 40px; }
    section { margin-top: 24px; }
    .welcome { display: grid; gap: 12px; max-width: 360px; margin: 12vh auto; }
    .notice { margin-top: 12px; }
    @media (max-width: 640px) { header { grid-template-columns: 1fr; } }
  `];

  protected override receive(message: ToView): void {
    super.receive(message);
    if (message.kind === 'reveal') void this.updateComplete.then(() => this.renderRoot.querySelector(`.${message.section}`)?.scrollIntoView({ block: 'start' }));
  }

  override render(): TemplateResult {
    const { connection, activity, intervalSeconds, probe } = this.model;
    if (!isConnected(this.model)) return html`<div class="welcome">${this.welcome()}</div>`;
    const { report } = activity;
    return html`<header>
        <poolguard-activity-bar .connection=${connection} .intervalSeconds=${intervalSeconds}></poolguard-activity-bar>
        ${report === null ? '' : html`<poolguard-headroom .headroom=${report.headroom} .history=${[]}></poolguard-headroom>`}
      </header>
      ${this.hiddenNotice()}
      ${report === null ? '' : html`<section class="sessions"><h2>${count(report.sessions.length, 'session')}</h2>
        <poolguard-grid .sessions=${report.sessions}></poolguard-grid></section>`}
      <section class="probe"><h2>Pool size</h2>
        <poolguard-probe isWide .probe=${probe} .canProbe=${connection.kind === 'live' || connection.kind === 'paused'}></poolguard-probe></section>`;
  }
}

define('poolguard-grid', SessionsGrid);
defineView('poolguard-sessions-panel', SessionsPanel);
