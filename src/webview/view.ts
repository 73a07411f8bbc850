import { LitElement, html, type TemplateResult } from 'lit';
import { emptyActivity } from '../activity/activity-model.ts';
import { adviseOnLooking } from '../activity/role-power.ts';
import { ActivityBar } from './activity-bar.ts';
import { BlockingTree, describeBlocking } from './blocking-tree.ts';
import { firstLayout } from './column-layout.ts';
import { ConcernList, announce } from './concern-list.ts';
import { defineControls } from './controls.ts';
import { defineCurveChart } from './curve-chart.ts';
import { line, longestSentence } from './database-text.ts';
import { define } from './define.ts';
import { count } from './format.ts';
import { HeadroomGauge } from './headroom-gauge.ts';
import { connectToHost, type Host } from './host.ts';
import { firstIntent, type Intent } from './intent.ts';
import type { FromView } from './from-view.ts';
import { applyToModel, ToView, type PoolModel } from './to-view.ts';
import { ProbeHistoryTable } from './probe-history-table.ts';
import { ProbeSection } from './probe-section.ts';
import { announceRunning, nothingRunning } from './running-messages.ts';
import { SessionDetails } from './session-details.ts';

const restricted = 'Poolguard connects to no database in Restricted Mode.';

/** What the views of the sidebar and the wide panel share: the model, kept up to date by the host, and requests sent back to it. */
export abstract class View extends LitElement {
  static override properties = {
    model: { state: true },
    intent: { state: true },
    seenAt: { state: true },
    news: { state: true },
  };
  declare model: PoolModel;
  /** How somebody wants to see this page; kept by the editor while the page is away. */
  declare intent: Intent;
  /** When the figures were taken, by this page's clock. */
  declare seenAt: number | null;
  /** What a screen reader says next. */
  declare news: string;
  readonly #host: Host<FromView, ToView> = connectToHost(ToView);

  constructor() {
    super();
    this.model = {
      connection: { kind: 'none', saved: 0 },
      activity: emptyActivity,
      probe: { kind: 'idle' },
      history: null,
      intervalSeconds: 2,
      columns: firstLayout,
      pooler: { kind: 'unknown' },
      running: nothingRunning,
    };
    this.intent = firstIntent;
    this.seenAt = null;
    this.news = '';
    this.addEventListener('request', (event) => this.ask((event as CustomEvent<FromView>).detail));
    this.addEventListener('intent', (event) =>
      this.#intend((event as CustomEvent<(intent: Intent) => Intent>).detail),
    );
    this.#host.onMessage((message) => this.receive(message));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.intent = this.#host.readIntent();
    this.#host.send({ kind: 'ready' });
  }

  protected receive(message: ToView): void {
    const {
      activity: { concerns: before },
      running,
    } = this.model;
    const model = applyToModel(this.model, message);
    // What came before got lost on the way: everything is asked for once more.
    if (message.kind === 'activity' && model.activity === this.model.activity)
      return this.ask({ kind: 'ready' });
    this.model = model;
    if (message.kind === 'model')
      this.seenAt = message.seenAgoMs === null ? null : Date.now() - message.seenAgoMs;
    if (message.kind === 'activity')
      this.seenAt = message.activity.report === null ? null : Date.now();
    const news =
      message.kind === 'running'
        ? announceRunning(running, message.running)
        : announce(before, this.model.activity.concerns);
    if (news !== '') this.news = news;
  }

  #intend(change: (intent: Intent) => Intent): void {
    this.intent = change(this.intent);
    this.#host.keepIntent(this.intent);
  }

  protected ask(request: FromView): void {
    this.#host.send(request);
  }

  /** What to show while there is no connection. */
  protected welcome(): TemplateResult {
    const { connection } = this.model;
    if (connection.kind === 'untrusted') {
      return html`<p>${restricted}</p>
        <poolguard-button block @click=${() => this.ask({ kind: 'trust' })}>Manage workspace trust</poolguard-button>`;
    }
    return html`<p>See who holds connections to your development database, how many are left, and which pool size suits it.</p>
      <poolguard-button class="connect" block @click=${() => this.ask({ kind: 'connect' })}>Connect to a database…</poolguard-button>
      <p class="quiet">${connection.kind === 'none' && connection.saved > 0 ? 'Or open a saved one under Connections.' : 'One read-only connection, polled only while you look. The password stays in the secret storage of your editor.'}</p>`;
  }

  /** What a page says while there is no connection, where another page offers one. */
  protected unconnected(sentence: string): TemplateResult {
    return html`<p class="quiet">${this.model.connection.kind === 'untrusted' ? restricted : sentence}</p>`;
  }

  /** Speaks when a threshold is passed, and when all is well again; never of figures alone. */
  protected liveRegion(): TemplateResult {
    return html`<div class="visually-hidden news" role="status" aria-live="polite">${this.news}</div>`;
  }

  protected concernList(): TemplateResult | '' {
    const { concerns } = this.model.activity;
    return concerns.length === 0
      ? ''
      : html`<poolguard-concerns .concerns=${concerns}></poolguard-concerns>`;
  }

  protected blocking(): TemplateResult | '' {
    const { activity } = this.model;
    if (activity.blocking.length === 0) return '';
    return html`<section class="blocking"><div class="title"><h2>Blocking</h2><span class="quiet numbers">${describeBlocking(activity.blocking)}</span></div>
      <poolguard-blocking .activity=${activity}></poolguard-blocking></section>`;
  }

  /** Figures of a connection that is lost are old: they stay, without their colours. */
  protected staleness(): '' | 'stale' {
    return this.model.connection.kind === 'lost' ? 'stale' : '';
  }

  /** What stands where the figures will be. */
  protected waiting(): TemplateResult {
    return html`<p class="quiet waiting">${this.model.connection.kind === 'lost' ? 'Nothing has been seen of this server yet.' : 'Loading sessions …'}</p>`;
  }

  /** One line that unfolds, so that nobody is nagged. */
  protected superuserNotice(): TemplateResult | '' {
    const { report } = this.model.activity;
    if (report === null || !report.server.isSuperuser) return '';
    const advice = adviseOnLooking({ name: report.server.user, power: 'superuser' });
    return html`<details class="superuser quiet"><summary>Connected as a superuser</summary>${line(advice, longestSentence)}</details>`;
  }

  protected hiddenNotice(): TemplateResult | '' {
    const { report } = this.model.activity;
    const hidden = report?.headroom.split.hidden ?? 0;
    if (report === null || hidden === 0) return '';
    return html`<p class="notice">The role <bdi>${line(report.server.user)}</bdi> may not see ${count(hidden, 'session')} of other roles; they still count as used. GRANT pg_read_all_stats shows them.</p>`;
  }
}

/** Every element both pages use, and the page's own. */
export function defineView(name: string, view: CustomElementConstructor): void {
  defineControls();
  defineCurveChart();
  define('poolguard-activity-bar', ActivityBar);
  define('poolguard-blocking', BlockingTree);
  define('poolguard-concerns', ConcernList);
  define('poolguard-session-details', SessionDetails);
  define('poolguard-headroom', HeadroomGauge);
  define('poolguard-probe-history', ProbeHistoryTable);
  define('poolguard-probe', ProbeSection);
  define(name, view);
}

export function isConnected({ connection: { kind } }: PoolModel): boolean {
  return kind !== 'none' && kind !== 'untrusted';
}
