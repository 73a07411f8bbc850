import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { type ActivityModel, emptyActivity, type PoolRow } from '../activity/activity-model.ts';
import { describePoolClient, type PoolTitle, titlePools } from '../activity/pool-words.ts';
import { sortSessions } from '../activity/session-list.ts';
import { stateKey, stateText } from '../activity/session-state.ts';
import { type Session, sessionKey } from '../activity/snapshot.ts';
import { line } from './database-text.ts';
import { count } from './format.ts';
import { ask, intend } from './host.ts';
import { foldPool, type Intent } from './intent.ts';
import { KeepFocus } from './keep-focus.ts';
import { dots, factsOf, isNoteworthy, shortAge } from './pool-facts.ts';
import { toggled } from './session-details.ts';
import { sparkline, sparklineStyle } from './sparkline.ts';
import { theme } from './theme.ts';

/** Rows a pool shows, and pools a sidebar shows, before they point to the wide panel. */
const rowsPerPool = 10;
const mostPools = 40;
/** More than these are only read one by one. */
const mostOpen = 8;

/** The sessions, a fold for each pool: those that do something first, with the three ages of the transaction, the statement and the state. */
export class SessionGroups extends LitElement {
  static override properties = {
    activity: { attribute: false },
    folds: { attribute: false },
    unfolded: { state: true },
  };
  static override styles = [
    theme,
    sparklineStyle,
    css`
    .pool { border-top: 1px solid var(--line); padding: 4px 0; content-visibility: auto; contain-intrinsic-height: auto 120px; }
    .pool:first-of-type { border-top: 0; }
    .head { all: unset; display: grid; grid-template-columns: 14px minmax(0, 1fr) auto 80px; gap: 0 6px; align-items: center; width: 100%; cursor: pointer; box-sizing: border-box; }
    .head:focus-visible { outline: 1px solid var(--focus); }
    .twisty { color: var(--quiet); }
    .name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
    .name b { font-weight: 600; }
    .facts { grid-column: 2 / 4; font-size: 12px; color: var(--quiet); }
    .stuck { color: var(--ink); font-weight: 600; }
    .dots { display: flex; gap: 8px; font-variant-numeric: tabular-nums; }
    .dots span { display: inline-flex; align-items: center; gap: 4px; }
    .sparkline { grid-row: 1 / 3; grid-column: 4; }
    table { width: 100%; margin: 3px 0; border-collapse: collapse; table-layout: fixed; font-variant-numeric: tabular-nums; }
    th, td { padding: 1px 0; text-align: right; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; font-weight: 400; }
    th { color: var(--quiet); font-size: 11px; }
    th:first-child, td:first-child { width: 55%; padding-left: 18px; text-align: left; }
    td[colspan] { padding-left: 20px; text-align: left; white-space: normal; }
    .session { all: unset; display: flex; align-items: center; gap: 6px; width: 100%; cursor: pointer; border-radius: 2px; box-sizing: border-box; }
    .session:focus-visible { outline: 1px solid var(--focus); outline-offset: -1px; }
    .session span:last-child { overflow: hidden; text-overflow: ellipsis; }
    tbody tr:hover td:not([colspan]) { background: var(--vscode-list-hoverBackground, var(--raised)); }
    .old { font-weight: 600; }
    .blocked { font-size: 12px; }
    .more { padding-left: 20px; font-size: 12px; }
  `,
  ];
  declare activity: ActivityModel;
  declare folds: Intent['folds'];
  declare unfolded: ReadonlySet<string>;

  constructor() {
    super();
    this.activity = emptyActivity;
    this.folds = {};
    this.unfolded = new Set();
    new KeepFocus(this);
  }

  override render(): TemplateResult {
    const { pools, report } = this.activity;
    const byPid = new Map(report?.sessions.map((session) => [session.pid, session]));
    const titles = titlePools(pools);
    const beyond = pools.length - mostPools;
    return html`${repeat(
      pools.slice(0, mostPools),
      ({ key }) => key,
      (pool, index) => this.#pool(pool, titles.get(pool.key), byPid, index < mostOpen),
    )}
      ${beyond > 0 ? this.#more(count(beyond, 'more pool')) : nothing}`;
  }

  #pool(
    pool: PoolRow,
    title: PoolTitle | undefined,
    byPid: ReadonlyMap<number, Session>,
    mayOpen: boolean,
  ): TemplateResult {
    const isOpen = this.folds[pool.key] ?? (mayOpen && isNoteworthy(pool));
    const words = [title?.name ?? '', ...(title?.apart ?? [])].join(' · ');
    return html`<div class="pool" data-pool=${words}>
      <button class="head" aria-expanded=${isOpen} title="${words}: ${describePoolClient(pool)}" @click=${() => intend(this, (intent) => foldPool(intent, pool.key, !isOpen))}>
        <span class="twisty" aria-hidden="true">${isOpen ? '▾' : '▸'}</span>
        <span class="name"><b><bdi>${title?.name}</bdi></b>${title?.apart.map((part) => html`<span class="quiet"> · <bdi>${part}</bdi></span>`)}</span>
        ${dots(pool)}
        <span class="facts">${factsOf(pool)}</span>
        ${sparkline(pool.history, { what: 'Sessions', top: pool.peak })}
      </button>
      ${
        isOpen
          ? this.#sessions(
              pool.pids.flatMap((pid) => byPid.get(pid) ?? []),
              words,
            )
          : nothing
      }</div>`;
  }

  #sessions(sessions: readonly Session[], words: string): TemplateResult {
    const rows = [
      ...sortSessions(sessions, { column: 'transaction-age', isDescending: true }),
    ].sort((a, b) => Number(a.state === 'idle') - Number(b.state === 'idle'));
    const beyond = rows.length - rowsPerPool;
    return html`<table aria-label="Sessions of ${words}">
      <thead><tr><th scope="col">pid</th>
        <th scope="col" title="Age of the open transaction">txn</th><th scope="col" title="Time that the statement has been running">query</th><th scope="col" title="Time in this state">state</th></tr></thead>
      <tbody>${repeat(rows.slice(0, rowsPerPool), sessionKey, (session) => this.#session(session))}</tbody>
    </table>
    ${beyond > 0 ? this.#more(`${beyond} more`) : nothing}`;
  }

  #more(what: string): TemplateResult {
    return html`<p class="more quiet">and ${what} in the <button class="link" @click=${() => ask(this, { kind: 'open', section: 'sessions' })}>table</button></p>`;
  }

  #session(session: Session): TemplateResult {
    const key = sessionKey(session);
    const state = stateKey(session);
    const isUnfolded = this.unfolded.has(key);
    const isStuck = state === 'idleInTransaction' || state === 'aborted';
    return html`<tr title=${line(session.query)} data-session=${key}>
        <td><button class="session" data-state=${state} aria-expanded=${isUnfolded} @click=${() => this.#unfold(key)}><span class="dot"></span><span>${session.pid} <span class="quiet">${stateText(session).replace('transaction', 'txn')}</span></span></button></td>
        <td class=${isStuck ? 'old' : ''}>${shortAge(session.transactionAgeMs)}</td><td>${shortAge(session.state === 'active' ? session.queryAgeMs : null)}</td><td>${shortAge(session.stateAgeMs)}</td>
      </tr>
      ${session.blockedBy.length === 0 || isUnfolded ? nothing : html`<tr><td class="blocked" colspan="4">blocked by ${session.blockedBy.join(', ')}</td></tr>`}
      ${isUnfolded ? html`<tr><td colspan="4"><poolguard-session-details .session=${session} .place=${this.activity.places[key]} .holder=${this.activity.holders[key]}></poolguard-session-details></td></tr>` : nothing}`;
  }

  #unfold(key: string): void {
    this.unfolded = toggled(this.unfolded, key);
  }
}
