import { LitElement, css, html, nothing, type TemplateResult } from 'lit';
import { describeStatsTime, type PoolerModel } from '../pooler/pooler-model.ts';
import type { PoolerReport } from '../pooler/pooler-report.ts';
import { defineControls } from './controls.ts';
import { line, longestSentence } from './database-text.ts';
import { define } from './define.ts';
import { count } from './format.ts';
import { connectToHost, type Host } from './host.ts';
import {
  clientColumns,
  poolColumns,
  serverColumns,
  statsColumns,
  type PoolerColumn,
} from './pooler-columns.ts';
import { PoolerFigures } from './pooler-figures.ts';
import { ToPoolerPage, type PoolerPageModel } from './to-pooler-page.ts';
import type { FromPoolerPage } from './from-pooler-page.ts';
import { PoolerTable } from './pooler-table.ts';
import { theme } from './theme.ts';

const statusWords = {
  connecting: 'Connecting …',
  live: 'Live',
  paused: 'Paused',
  lost: 'Lost',
} as const;

/** The page of the pooler's console: who waits, then pools, statistics, clients and backends. */
class PoolerPanel extends LitElement {
  static override properties = { model: { state: true } };
  static override styles = [
    theme,
    css`
    :host { max-width: 1400px; margin: 0 auto; padding: 16px 24px 32px; }
    header { display: flex; align-items: baseline; gap: 12px; flex-wrap: wrap; margin-bottom: 16px; }
    h1 { margin: 0; font-size: 18px; font-weight: 600; }
    .status { display: inline-flex; align-items: center; gap: 6px; color: var(--quiet); }
    .live { --dot: var(--state-active); }
    .paused, .connecting { --dot: var(--state-in-transaction); }
    .lost { --dot: var(--state-aborted); }
    section { margin-top: 24px; }
    .notice { margin-top: 12px; overflow-wrap: anywhere; }
    .message { display: grid; gap: 12px; max-width: 480px; margin: 12vh auto; }
    .small { font-size: 12px; margin-top: 6px; }
  `,
  ];
  declare model: PoolerPageModel;
  readonly #host: Host<FromPoolerPage, ToPoolerPage> = connectToHost(ToPoolerPage);

  constructor() {
    super();
    this.model = { connection: null, pooler: { kind: 'unknown' } };
    this.#host.onMessage((message) => (this.model = message.model));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#host.send({ kind: 'ready' });
  }

  override render(): TemplateResult {
    const { pooler } = this.model;
    const connection = this.model.connection === null ? null : line(this.model.connection);
    if (connection === null)
      return this.#message(
        'Connect through a pooler to see who waits in it.',
        this.#button('connect', 'Connect to a database…'),
      );
    if (pooler.kind === 'unknown')
      return this.#message(`Looking whether a pooler is in front of ${connection} …`);
    if (pooler.kind === 'direct')
      return this.#message(
        `${connection} is the server itself: there is no pooler in between. Connect to the pooler's host and port to see who waits in it.`,
        this.#button('connect', 'Connect to another database…'),
      );
    if (pooler.kind === 'closed') {
      return this.#message(
        `A pooler is in front of ${connection}. ${line(pooler.sentence, longestSentence)}`,
        pooler.isForRole ? this.#button('role', 'Use another role…') : nothing,
        this.#button('retry', 'Try again'),
      );
    }
    const { model } = pooler;
    return html`<header><h1>${titleOf(model.report)}</h1>
        <span class="quiet">${placeOf(model.report) ?? connection}</span>
        <span class="status ${pooler.kind}" role="status" data-kind=${pooler.kind}><span class="dot"></span>${statusWords[pooler.kind]}</span></header>
      ${pooler.kind === 'lost' ? html`<div class="notice bad" role="alert">${line(pooler.sentence, longestSentence)} The figures below are old.</div>` : nothing}
      <poolguard-pooler-figures .model=${model}></poolguard-pooler-figures>
      <div class="concerns" role="status" aria-live="polite">${concernsOf(model)}</div>
      ${model.report === null ? nothing : this.#tables(model.report)}`;
  }

  #tables({ pools, stats, clients, servers }: PoolerReport): TemplateResult {
    return html`${section('pools', 'Pools', poolColumns, pools, 'No client has used a pool yet.')}
      ${section('stats', 'Statistics', statsColumns, stats, 'None yet.')}
      ${stats.length === 0 ? nothing : html`<p class="quiet small">${describeStatsTime(stats)}</p>`}
      ${clients === null ? nothing : section('clients', count(clients.length, 'client'), clientColumns, clients, 'No client is connected.')}
      ${servers === null ? nothing : section('servers', count(servers.length, 'backend'), serverColumns, servers, 'No backend is connected.')}`;
  }

  #message(text: string, ...buttons: readonly (TemplateResult | typeof nothing)[]): TemplateResult {
    return html`<div class="message"><p role="status">${text}</p>${buttons}</div>`;
  }

  #button(kind: FromPoolerPage['kind'], text: string): TemplateResult {
    return html`<poolguard-button class=${kind} block ?secondary=${kind === 'retry'} @click=${() => this.#host.send({ kind })}>${text}</poolguard-button>`;
  }
}

function section<Row>(
  id: string,
  title: string,
  columns: readonly PoolerColumn<Row>[],
  rows: readonly Row[],
  none: string,
): TemplateResult {
  return html`<section class=${id} aria-label=${title}><h2>${title}</h2>
    ${rows.length === 0 ? html`<p class="quiet">${none}</p>` : html`<poolguard-pooler-table .label=${title} .columns=${columns} .rows=${rows}></poolguard-pooler-table>`}</section>`;
}

function concernsOf({ concerns, report }: PoolerModel): readonly TemplateResult[] {
  const prefix = (pool: string | null) =>
    pool === null || (report?.pools.length ?? 0) < 2
      ? ''
      : `${line((JSON.parse(pool) as readonly string[]).join('/'))}: `;
  return concerns.map(
    ({ severity, sentence, pool }) =>
      html`<p class="notice ${severity === 'critical' ? 'bad' : ''}">${prefix(pool)}${sentence}</p>`,
  );
}

function titleOf(report: PoolerReport | null): string {
  return report === null
    ? 'Pooler'
    : line([report.pooler.product, report.pooler.version].filter(Boolean).join(' '));
}

function placeOf(report: PoolerReport | null): string | null {
  return (
    report &&
    line(`console of ${report.pooler.host}:${report.pooler.port}, seen by ${report.pooler.user}`)
  );
}

defineControls();
define('poolguard-pooler-figures', PoolerFigures);
define('poolguard-pooler-table', PoolerTable);
define('poolguard-pooler-panel', PoolerPanel);
