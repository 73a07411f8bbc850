import { LitElement, html, type TemplateResult } from 'lit';
import { emptyActivity } from '../activity/activity-model.ts';
import { ActivityBar } from './activity-bar.ts';
import { defineControls } from './controls.ts';
import { defineCurveChart } from './curve-chart.ts';
import { define } from './define.ts';
import { count } from './format.ts';
import { HeadroomGauge } from './headroom-gauge.ts';
import { connectToHost, type Host } from './host.ts';
import { applyToModel, type FromView, type PoolModel, type ToView } from './messages.ts';
import { ProbeSection } from './probe-section.ts';

/** What the sidebar and the wide panel share: the model, kept up to date by the host, and requests sent back to it. */
export abstract class View extends LitElement {
  static override properties = { model: { state: true } };
  declare model: PoolModel;
  readonly #host: Host = connectToHost();

  constructor() {
    super();
    this.model = { connection: { kind: 'none', saved: 0 }, activity: emptyActivity, probe: { kind: 'idle' }, intervalSeconds: 2, pooler: { kind: 'unknown' } };
    this.addEventListener('request', (event) => this.ask((event as CustomEvent<FromView>).detail));
    this.#host.onMessage((message) => this.receive(message));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#host.send({ kind: 'ready' });
  }

  protected receive(message: ToView): void {
    this.model = applyToModel(this.model, message);
  }

  protected ask(request: FromView): void {
    this.#host.send(request);
  }

  /** What to show while there is no connection. */
  protected welcome(): TemplateResult {
    const { connection } = this.model;
    if (connection.kind === 'untrusted') {
      return html`<p>Poolguard connects to no database in Restricted Mode.</p>
        <poolguard-button block @click=${() => this.ask({ kind: 'trust' })}>Manage workspace trust</poolguard-button>`;
    }
    return html`<p>See who holds connections to your development database, how many are left, and which pool size suits it.</p>
      <poolguard-button class="connect" block @click=${() => this.ask({ kind: 'connect' })}>Connect to a database…</poolguard-button>
      <p class="quiet">${connection.kind === 'none' && connection.saved > 0 ? 'Or open one of the connections below.' : 'One read-only connection, polled only while you look. The password stays in the secret storage of your editor.'}</p>`;
  }

  protected hiddenNotice(): TemplateResult | '' {
    const { report } = this.model.activity;
    const hidden = report?.headroom.split.hidden ?? 0;
    if (report === null || hidden === 0) return '';
    return html`<p class="notice">The role ${report.server.user} may not see ${count(hidden, 'session')} of other roles; they still count as used. GRANT pg_read_all_stats shows them.</p>`;
  }
}

/** Every element both pages use, and the page's own. */
export function defineView(name: string, view: CustomElementConstructor): void {
  defineControls();
  defineCurveChart();
  define('poolguard-activity-bar', ActivityBar);
  define('poolguard-headroom', HeadroomGauge);
  define('poolguard-probe', ProbeSection);
  define(name, view);
}

export function isConnected({ connection: { kind } }: PoolModel): boolean {
  return kind !== 'none' && kind !== 'untrusted';
}
