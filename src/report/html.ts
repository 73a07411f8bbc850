import { formatCount, formatPercent } from './html/figures.ts';
import { renderFindings } from './html/findings.ts';
import { renderLoads } from './html/loads.ts';
import { html, type Markup } from './html/markup.ts';
import { renderPage } from './html/page.ts';
import { renderSessions } from './html/sessions.ts';
import { renderSections } from './html/sections.ts';
import type { ReportInput } from './report-input.ts';
import { toReport } from './reports/to-report.ts';

/** Findings, sessions, loads and the probe of one occasion on one page (`page.ts`). */
export function renderReport(input: ReportInput): string {
  return renderPage({
    title: input.title,
    header: html`<h1>${input.title}</h1><p class="quiet">${input.madeAt.slice(0, 16).replace('T', ' ')} UTC</p>${renderTiles(input)}`,
    main: html`${section('Findings', input.files.length > 0 && renderFindings(input.files))}
${section('Sessions while the load ran', input.activity !== null && renderSessions(input.activity, input.application))}
${section('Under load, side by side', input.loads.length > 0 && renderLoads(input.loads))}
${section('Pool size', input.probe !== null && renderSections(toReport(input.probe), 'h3'))}`,
    footer: `Made by ${input.madeBy}. This page contains code and statement texts of the project; share it as you would share those.`,
  });
}

function section(title: string, content: Markup | false): Markup {
  return content === false ? html`` : html`<section><h2>${title}</h2>${content}</section>`;
}

function renderTiles({ files, activity, application, loads, probe }: ReportInput): Markup {
  const findings = files.reduce((sum, { problems }) => sum + problems.length, 0);
  const stuck =
    activity?.sessions.filter(
      (each) =>
        (application === null || each.application === application) &&
        each.state.startsWith('idle in transaction'),
    ).length ?? 0;
  const tiles = [
    ...(files.length > 0 ? [tile(formatCount(findings), 'findings in the code')] : []),
    ...(activity !== null ? [tile(formatCount(stuck), 'sessions idle in a transaction')] : []),
    ...loads.map(({ name, failed, requests }) =>
      tile(formatPercent(requests === 0 ? 0 : failed / requests), `failed requests, ${name}`),
    ),
    ...(probe !== null
      ? [
          tile(
            probe.recommendation === null ? 'no number' : `max: ${probe.recommendation.max}`,
            'recommended pool size',
          ),
        ]
      : []),
  ];
  return html`<ul class="tiles">${tiles}</ul>`;
}

function tile(figure: string, caption: string): Markup {
  return html`<li><b>${figure}</b><span>${caption}</span></li>`;
}
