import { renderChart } from '../charts/render-chart.ts';
import { describeErrors } from '../units.ts';
import {
  formatCell,
  isFigure,
  type Row,
  type Section,
  type Report,
  type Snippet,
  type Table,
  usedColumns,
} from '../report.ts';
import { html, type Markup, prose } from './markup.ts';
import { renderPage } from './page.ts';

/** Where a report stands: alone on a page, or as one section among others. */
export type Heading = 'h2' | 'h3';

/** A report without its title: the answer first, then what it rests on. */
export function renderSections(report: Report, heading: Heading): Markup {
  const {
    place,
    statements,
    verdict,
    facts,
    snippets,
    sections,
    errors,
    alarms = [],
    notes,
  } = report;
  return html`<p class="quiet place">${place.join(' · ')}</p>
    ${statements.map((text) => html`<p class="statement"><code class="query">${text}</code></p>`)}
    ${verdict === null ? null : html`<div class="verdict ${verdict.tone}"><strong>${verdict.title}</strong> ${verdict.sentences.map((sentence) => html`<p>${prose(sentence)}</p>`)}</div>`}
    ${facts.length === 0 ? null : html`<ul class="tiles">${facts.map(({ label, value, detail }) => html`<li><span class="label">${label}</span><b>${value}</b>${detail === undefined ? null : html`<span>${detail}</span>`}</li>`)}</ul>`}
    ${snippets.map(renderSnippet)}
    ${sections.map((section) => renderSection(section, heading))}
    ${Object.keys(errors).length === 0 ? null : html`<p class="bad">Failed: ${describeErrors(errors)}.</p>`}
    ${alarms.map((alarm) => html`<p class="bad">${prose(alarm)}</p>`)}
    ${notes.length === 0 ? null : html`<ul class="notes">${notes.map((note) => html`<li>${prose(note)}</li>`)}</ul>`}`;
}

function renderSnippet({ title, text }: Snippet): Markup {
  return html`<figure class="snippet"><figcaption>${title}</figcaption><pre><code>${text}</code></pre></figure>`;
}

function renderSection(
  { title, charts = [], tables = [], sentences = [] }: Section,
  heading: Heading,
): Markup {
  return html`<section>${heading === 'h2' ? html`<h2>${title}</h2>` : html`<h3>${title}</h3>`}
    ${charts.map(renderChart)}
    ${tables.map(renderTable)}
    ${sentences.map((sentence) => html`<p class="quiet">${prose(sentence)}</p>`)}</section>`;
}

function renderTable(table: Table): Markup {
  const used = usedColumns(table);
  const isMarked = table.rows.some(({ mark }) => mark !== undefined);
  const heads = used
    .flatMap((index) => table.columns[index] ?? [])
    .map(
      (column) =>
        html`<th scope="col" class="${isFigure(column) ? 'figure' : ''}">${column.label}</th>`,
    );
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${table.caption}"><table class="data"><caption>${table.caption}</caption>
    <thead><tr>${heads}${isMarked ? html`<th scope="col"><span class="unseen">mark</span></th>` : null}</tr></thead>
    <tbody>${table.rows.map((row) => renderRow(row, table, used, isMarked))}</tbody></table></div>`;
}

function renderRow(
  { cells, mark, tone }: Row,
  { columns }: Table,
  used: readonly number[],
  isMarked: boolean,
): Markup {
  const texts = used.map((index) => {
    const column = columns[index] ?? { unit: 'text' };
    return html`<td class="${isFigure(column) ? 'figure' : 'words'}">${formatCell(cells[index] ?? null, column.unit)}</td>`;
  });
  return html`<tr class="${tone ?? ''}">${texts}${isMarked ? html`<td>${mark === undefined ? null : html`<span class="badge">${mark}</span>`}</td>` : null}</tr>`;
}

/** One page with its charts as SVG; `page.ts` says what it needs. */
export function writeHtml(report: Report): string {
  return renderPage({
    title: `${report.title}: ${report.place[0] ?? ''}`,
    header: html`<h1>${report.title}</h1>`,
    main: renderSections(report, 'h2'),
    footer:
      'Made by Poolguard. This page contains texts of statements; share it as you would share those.',
  });
}
