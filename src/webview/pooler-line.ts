import { LitElement, css, html, nothing, type TemplateResult } from 'lit';
import { describePooler } from '../pooler/pooler-model.ts';
import { ask } from './host.ts';
import { line } from './database-text.ts';
import type { PoolerState } from './to-pooler-page.ts';
import { theme } from './theme.ts';

/** One line of the sidebar: which pooler is in front, and whether somebody waits. Nothing when there is none. */
export class PoolerLine extends LitElement {
  static override properties = { pooler: { attribute: false } };
  static override styles = [
    theme,
    css`
    .line { display: flex; align-items: baseline; gap: 8px; margin-top: 12px; }
    .words { flex: 1; min-width: 0; overflow-wrap: anywhere; }
    .waiting .words { color: var(--vscode-list-warningForeground, var(--state-waiting)); font-weight: 600; }
    button { all: unset; flex: none; cursor: pointer; font-size: 12px; color: var(--vscode-textLink-foreground, var(--curve)); }
    button:hover { text-decoration: underline; }
    button:focus-visible { outline: 1px solid var(--focus); }
    .hint { font-size: 12px; }
  `,
  ];
  declare pooler: PoolerState;

  override render(): TemplateResult | typeof nothing {
    const { pooler } = this;
    if (pooler.kind === 'unknown' || pooler.kind === 'direct') return nothing;
    const waiting = 'model' in pooler ? (pooler.model.report?.totals.clientsWaiting ?? 0) : 0;
    return html`<div class="line ${waiting > 0 ? 'waiting' : ''}" data-kind=${pooler.kind}>
        <span class="words" role="status">${wordsOf(pooler)}</span>
        <button @click=${() => ask(this, { kind: 'open-pooler' })}>Open pooler</button>
      </div>
      <p class="hint quiet">The sessions here are backends that the pooler shares among its clients.</p>`;
  }
}

function wordsOf(pooler: Exclude<PoolerState, { kind: 'unknown' | 'direct' }>): string {
  if (pooler.kind === 'closed')
    return `A pooler is in front; ${pooler.isForRole ? 'its console is closed to this role' : 'it has no console that Poolguard knows'}`;
  const { report } = pooler.model;
  if (report === null)
    return pooler.kind === 'lost'
      ? 'A pooler is in front; its console does not answer'
      : 'A pooler is in front';
  return `${line(describePooler(report))}${pooler.kind === 'lost' ? ' (old: its console does not answer)' : ''}`;
}
