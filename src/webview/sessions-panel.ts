import { css, html, type TemplateResult } from 'lit';
import { describePools } from '../activity/pool-words.ts';
import { listSessions, type SessionListChoice } from '../activity/session-list.ts';
import type { ActivityReport, Session } from '../activity/snapshot.ts';
import { ColumnChooser } from './column-chooser.ts';
import { define } from './define.ts';
import type { FromView } from './from-view.ts';
import { LatencyChart } from './latency-chart.ts';
import { ListBar } from './list-bar.ts';
import type { ToView } from './to-view.ts';
import { PoolTable } from './pool-table.ts';
import { ProbeReport } from './probe-report.ts';
import { SessionsGrid } from './sessions-grid.ts';
import { theme } from './theme.ts';
import { View, defineView, isConnected } from './view.ts';

/** The wide page: every session in a grid, and the curve of the last probe. */
class SessionsPanel extends View {
  static override styles = [
    theme,
    css`
    :host { max-width: 1400px; margin: 0 auto; padding: 16px 24px 32px; }
    header { display: grid; grid-template-columns: minmax(240px, 340px) minmax(280px, 1fr); gap: 12px 40px; }
    section { margin-top: 24px; }
    .welcome { display: grid; gap: 12px; max-width: 360px; margin: 12vh auto; }
    .notice, poolguard-concerns, .waiting { margin-top: 16px; }
    poolguard-concerns { display: block; max-width: 900px; }
    .stale { filter: grayscale(1); }
    .blocking .title { justify-content: start; gap: 16px; }
    @media (max-width: 640px) { header { grid-template-columns: 1fr; } }
  `,
  ];

  #listed:
    | {
        readonly report: ActivityReport;
        readonly list: SessionListChoice;
        readonly sessions: readonly Session[];
      }
    | undefined;

  protected override receive(message: ToView): void {
    super.receive(message);
    if (message.kind === 'reveal')
      void this.updateComplete.then(() =>
        this.renderRoot.querySelector(`.${message.section}`)?.scrollIntoView({ block: 'start' }),
      );
  }

  /** What the host keeps is shown at once. */
  protected override ask(request: FromView): void {
    if (request.kind === 'columns') this.model = { ...this.model, columns: request.layout };
    super.ask(request);
  }

  override render(): TemplateResult {
    const {
      connection,
      activity: { report, history },
      intervalSeconds,
      probe,
      history: probes,
    } = this.model;
    if (!isConnected(this.model))
      return html`${this.liveRegion()}<div class="welcome">${this.welcome()}</div>`;
    return html`${this.liveRegion()}<header>
        <poolguard-activity-bar .connection=${connection} .intervalSeconds=${intervalSeconds} .seenAt=${this.seenAt}></poolguard-activity-bar>
        ${report === null ? '' : html`<poolguard-headroom class=${this.staleness()} .headroom=${report.headroom} .history=${history}></poolguard-headroom>`}
      </header>
      <div class=${this.staleness()}>${report === null ? this.waiting() : this.#figures(report)}</div>
      <section class="probe"><h2>Pool size</h2>
        <poolguard-probe isWide .probe=${probe} .history=${probes} .canProbe=${connection.kind === 'live' || connection.kind === 'paused'}></poolguard-probe></section>`;
  }

  /** Of one sample and one choice it is the same array, so that the grid rests while something else changes. */
  #list(report: ActivityReport, list: SessionListChoice): readonly Session[] {
    if (this.#listed?.report !== report || this.#listed.list !== list)
      this.#listed = { report, list, sessions: listSessions(report.sessions, list) };
    return this.#listed.sessions;
  }

  readonly #onMenu = (event: MouseEvent): void => {
    const isHeader = event
      .composedPath()
      .some((each) => each instanceof HTMLElement && each.role === 'columnheader');
    if (!isHeader) return;
    event.preventDefault();
    this.renderRoot.querySelector<ColumnChooser>('poolguard-columns')?.openAt(event);
  };

  #figures(report: ActivityReport): TemplateResult {
    const { activity, columns } = this.model;
    const { list } = this.intent;
    const sessions = this.#list(report, list);
    return html`${this.superuserNotice()}${this.concernList()}${this.hiddenNotice()}${this.blocking()}
      <section class="pools"><h2>${describePools(activity.pools)}</h2>
        <poolguard-pools .pools=${activity.pools} .filter=${list.filter}></poolguard-pools></section>
      <section class="sessions"><h2>Sessions</h2>
        <poolguard-list-bar .list=${list} .shown=${sessions.length} .all=${report.sessions.length}><poolguard-columns .layout=${columns}></poolguard-columns></poolguard-list-bar>
        <poolguard-grid .layout=${columns} @contextmenu=${this.#onMenu} .sessions=${sessions} .order=${list.order} .places=${activity.places} .holders=${activity.holders}></poolguard-grid></section>`;
  }
}

define('poolguard-pools', PoolTable);
define('poolguard-list-bar', ListBar);
define('poolguard-latency', LatencyChart);
define('poolguard-probe-report', ProbeReport);
define('poolguard-columns', ColumnChooser);
define('poolguard-grid', SessionsGrid);
defineView('poolguard-sessions-panel', SessionsPanel);
