import { LitElement, css, html, type TemplateResult } from 'lit';
import { line } from './database-text.ts';
import type { ProbeHistory, ProbeRun } from './to-view.ts';
import { theme } from './theme.ts';

/** What the probes of one statement recommended, a row each, the newest first. */
export class ProbeHistoryTable extends LitElement {
  static override properties = { history: { attribute: false } };
  static override styles = [
    theme,
    css`
    :host { margin-top: 14px; max-width: 560px; }
    table { border-collapse: collapse; width: 100%; font-size: 12px; font-variant-numeric: tabular-nums; }
    caption { padding-bottom: 4px; text-align: left; color: var(--quiet); overflow-wrap: anywhere; }
    th, td { padding: 2px 0 2px 10px; text-align: left; vertical-align: top; font-weight: 400; border-bottom: 1px solid var(--line); }
    tr > :first-child { padding-left: 0; }
    .whole { white-space: nowrap; }
    .server { overflow-wrap: anywhere; }
    thead th { color: var(--quiet); }
    .size { font-weight: 600; }
  `,
  ];
  declare history: ProbeHistory;

  override render(): TemplateResult {
    const { statement, runs } = this.history;
    return html`<table>
      <caption>Probes of <bdi class="code" title="Literals are shown as ?">${line(statement)}</bdi></caption>
      <thead><tr><th scope="col">when</th><th scope="col">max</th><th scope="col">plausible</th><th scope="col" class="whole">version</th></tr></thead>
      <tbody>${runs.map(row)}</tbody></table>`;
  }
}

function row({ at, max, interval, server }: ProbeRun): TemplateResult {
  const when = new Date(at);
  // Sweden writes a date as the columns of a log do.
  const shown = when.toLocaleString('sv', { dateStyle: 'short', timeStyle: 'short' });
  return html`<tr><td><time datetime=${when.toISOString()}>${shown}</time></td><td class="size whole">${max}</td><td class="whole">${interval.join('–')}</td><td class="server">${line(server)}</td></tr>`;
}
