import { LitElement, css, html, nothing, type TemplateResult } from 'lit';
import type { ActivityModel, PoolRow } from '../activity/activity-model.ts';
import type { Session } from '../activity/snapshot.ts';
import { count, formatRoughAge } from './format.ts';
import { stateKey, stateText } from '../activity/session-state.ts';
import { theme } from './theme.ts';

/** Rows a pool shows before it points to the wide panel. */
const rowsPerPool = 12;

/** The sessions, a fold for each pool, with the three ages: of the transaction, of the statement, of the state. */
export class SessionGroups extends LitElement {
  static override properties = { activity: { attribute: false } };
  static override styles = [theme, css`
    details { border-top: 1px solid var(--line); padding: 5px 0; }
    summary { display: flex; align-items: center; gap: 6px; cursor: pointer; list-style: none; }
    summary::before { content: ''; flex: none; width: 5px; height: 5px; margin: 0 3px 2px 1px; border: solid var(--quiet); border-width: 0 1.5px 1.5px 0; transform: rotate(-45deg); }
    details[open] > summary::before { transform: rotate(45deg); }
    .name { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-weight: 600; }
    .dots { display: flex; gap: 8px; flex: none; font-variant-numeric: tabular-nums; }
    .dots span { display: inline-flex; align-items: center; gap: 4px; }
    table { width: 100%; margin: 4px 0 4px; border-collapse: collapse; table-layout: fixed; font-variant-numeric: tabular-nums; }
    th, td { padding: 1px 0; text-align: right; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; font-weight: 400; }
    th { color: var(--quiet); font-size: 11px; }
    th:first-child, td:first-child { width: 58%; padding-left: 14px; text-align: left; }
    .state { display: flex; align-items: center; gap: 6px; }
    .state span:last-child { overflow: hidden; text-overflow: ellipsis; }
    .old { color: var(--state-in-transaction); font-weight: 600; }
    .blocked { padding-left: 28px; color: var(--state-waiting); font-size: 12px; }
    .more { padding-left: 14px; font-size: 12px; }
  `];
  declare activity: ActivityModel;

  override render(): TemplateResult {
    const byPid = new Map(this.activity.report?.sessions.map((session) => [session.pid, session]));
    const groups = this.activity.pools.map((pool) => ({ pool, sessions: pool.pids.flatMap((pid) => byPid.get(pid) ?? []) }));
    return html`${groups.map(({ pool, sessions }) => group(pool, sessions))}`;
  }
}

function group(pool: PoolRow, sessions: readonly Session[]): TemplateResult {
  const name = nameOf(pool);
  const hidden = sessions.length - rowsPerPool;
  return html`<details ?open=${!pool.isOwn} data-pool=${name}>
    <summary title="${name}: ${count(sessions.length, 'session')}">
      <span class="name">${name}</span>${tally(sessions)}
    </summary>
    <table>
      <thead><tr><th scope="col">pid</th>
        <th scope="col" title="Age of the open transaction">txn</th><th scope="col" title="Age of the statement">query</th><th scope="col" title="Time in this state">state</th></tr></thead>
      <tbody>${sessions.slice(0, rowsPerPool).map(row)}</tbody>
    </table>
    ${hidden > 0 ? html`<p class="more quiet">and ${hidden} more in the sessions panel</p>` : nothing}
  </details>`;
}

function nameOf({ application, user, isOwn }: PoolRow): string {
  return isOwn ? 'Poolguard itself' : [application || '(no application_name)', user].filter(Boolean).join(' · ');
}

function tally(sessions: readonly Session[]): TemplateResult {
  const counts = Map.groupBy(sessions, stateKey);
  return html`<span class="dots">${[...counts].map(([key, those]) => html`<span data-state=${key} title="${those.length} ${key}"><span class="dot"></span>${those.length}</span>`)}</span>`;
}

function row(session: Session): TemplateResult {
  const key = stateKey(session);
  const isStuck = key === 'idleInTransaction' || key === 'aborted';
  return html`<tr title=${session.query}>
      <td><span class="state" data-state=${key}><span class="dot"></span><span>${session.pid} <span class="quiet" title=${stateText(session)}>${stateText(session).replace('transaction', 'txn')}</span></span></span></td>
      <td class=${isStuck ? 'old' : ''}>${formatRoughAge(session.transactionAgeMs)}</td><td>${formatRoughAge(session.queryAgeMs)}</td><td>${formatRoughAge(session.stateAgeMs)}</td>
    </tr>
    ${session.blockedBy.length === 0 ? nothing : html`<tr><td class="blocked" colspan="4">blocked by ${session.blockedBy.join(', ')}</td></tr>`}`;
}
