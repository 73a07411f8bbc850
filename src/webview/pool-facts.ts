import { html, type TemplateResult } from 'lit';
import type { PoolRow } from '../activity/activity-model.ts';
import { describePoolCount, describeProcesses } from '../activity/pool-words.ts';
import { stateLabels } from '../activity/session-state.ts';
import { line } from './database-text.ts';
import { formatRoughAge } from './format.ts';

/** A pool that only idles says all in its head. */
export function isNoteworthy({ isOwn, count: all, split }: PoolRow): boolean {
  return !isOwn && split.idle < all;
}

/** What the head of a pool says: how many sessions, at most, and for how long one is stuck. */
export function factsOf(pool: PoolRow): TemplateResult {
  const stuckMs = pool.longestIdleInTransactionMs;
  const processes = describeProcesses(pool);
  const facts = [
    html`<span title=${pool.declared === null ? '' : `max of ${line(pool.declared.label)}`}>${describePoolCount(pool)}</span>`,
    html`peak ${pool.peak}`,
    stuckMs === null
      ? null
      : html`<span class="stuck">idle in txn ${formatRoughAge(stuckMs)}</span>`,
    processes === '' ? null : html`${processes}`,
  ];
  return html`${facts.filter((fact) => fact !== null).map((fact, index) => html`${index === 0 ? '' : ' · '}${fact}`)}`;
}

/** The split of a pool by state, in dots with numbers. */
export function dots({ split }: PoolRow): TemplateResult {
  const parts = stateLabels.filter(([key]) => split[key] > 0);
  return html`<span class="dots">${parts.map(([key, label]) => html`<span data-state=${key} title="${split[key]} ${label}"><span class="dot"></span>${split[key]}<span class="visually-hidden"> ${label}</span></span>`)}</span>`;
}

/** Three of them stand side by side in a sidebar that is 260 pixels wide. */
export function shortAge(ms: number | null): string {
  return formatRoughAge(ms).replace(' min', ' m');
}
