import { LitElement, css, html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { PoolRow } from '../activity/activity-model.ts';
import {
  describePoolClient,
  describePoolCount,
  describeProcesses,
  titlePools,
  type PoolTitle,
} from '../activity/pool-words.ts';
import { intend } from './host.ts';
import { line } from './database-text.ts';
import { count, formatRoughAge } from './format.ts';
import { KeepFocus } from './keep-focus.ts';
import { dots } from './pool-facts.ts';
import { sparkline, sparklineStyle } from './sparkline.ts';
import { theme } from './theme.ts';

const mostPools = 30;

/** The pools of the wide panel, a row each. The name of one filters the sessions by its application. */
export class PoolTable extends LitElement {
  static override properties = { pools: { attribute: false }, filter: { attribute: false } };
  static override styles = [
    theme,
    sparklineStyle,
    css`
    .scroller { overflow-x: auto; }
    table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
    th, td { padding: 3px 16px 3px 0; text-align: left; white-space: nowrap; font-weight: 400; border-bottom: 1px solid var(--line); }
    thead th { color: var(--quiet); font-size: 12px; }
    .name { max-width: 320px; overflow: hidden; text-overflow: ellipsis; }
    .link[aria-pressed='true'] { font-weight: 600; text-decoration: underline; }
    .link:focus-visible { outline: 1px solid var(--focus); }
    .client { max-width: 380px; overflow: hidden; text-overflow: ellipsis; color: var(--quiet); }
    .numeric { text-align: right; }
    .stuck { font-weight: 600; }
    .dots { display: inline-flex; gap: 10px; }
    .dots span { display: inline-flex; align-items: center; gap: 4px; }
    .curve { width: 130px; padding-right: 0; }
    .more { margin-top: 4px; }
  `,
  ];
  declare pools: readonly PoolRow[];
  declare filter: string;

  constructor() {
    super();
    this.pools = [];
    this.filter = '';
    new KeepFocus(this);
  }

  override render(): TemplateResult {
    const titles = titlePools(this.pools);
    const beyond = this.pools.length - mostPools;
    return html`<div class="scroller"><table aria-label="Applications">
      <thead><tr><th scope="col">application</th><th scope="col">sessions</th><th scope="col" class="numeric">peak</th><th scope="col">by state</th>
        <th scope="col">idle in transaction</th><th scope="col">client</th><th scope="col">history</th></tr></thead>
      <tbody>${repeat(
        this.pools.slice(0, mostPools),
        ({ key }) => key,
        (pool) => this.#row(pool, titles.get(pool.key)),
      )}</tbody></table></div>
      ${beyond > 0 ? html`<p class="more quiet">and ${count(beyond, 'more application')} with fewer sessions</p>` : nothing}`;
  }

  #row(pool: PoolRow, title: PoolTitle | undefined): TemplateResult {
    const isChosen = pool.application !== '' && this.filter === pool.application;
    const stuckMs = pool.longestIdleInTransactionMs;
    const client = [describePoolClient(pool), describeProcesses(pool)]
      .filter((part) => part !== '')
      .join('; ');
    return html`<tr data-pool=${title?.name ?? ''}>
      <th scope="row" class="name">${pool.application === '' ? html`<bdi>${title?.name}</bdi>` : html`<button class="link" aria-pressed=${isChosen} title="Filter the sessions by this application" @click=${() => this.#filterBy(isChosen ? '' : pool.application)}><bdi>${title?.name}</bdi></button>`}${title?.apart.map((part) => html`<span class="quiet"> · <bdi>${part}</bdi></span>`)}</th>
      <td title=${pool.declared === null ? '' : `max of ${line(pool.declared.label)}`}>${describePoolCount(pool)}</td>
      <td class="numeric">${pool.peak}</td><td>${dots(pool)}</td>
      <td class=${stuckMs === null ? '' : 'stuck'}>${stuckMs === null ? '' : formatRoughAge(stuckMs)}</td>
      <td class="client" title=${client}>${client}</td>
      <td class="curve">${sparkline(pool.history, { what: 'Sessions', top: pool.peak })}</td></tr>`;
  }

  #filterBy(application: string): void {
    intend(this, (intent) => ({
      ...intent,
      list: { ...intent.list, filter: application.slice(0, 1_000) },
    }));
  }
}
