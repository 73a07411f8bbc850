import { createHash } from 'node:crypto';
import { renderFindings } from './html/findings.ts';
import { formatCount, formatPercent } from './html/figures.ts';
import { renderLoads } from './html/loads.ts';
import { html, trusted, type Markup } from './html/markup.ts';
import { renderProbe } from './html/probe.ts';
import { renderSessions } from './html/sessions.ts';
import { style } from './html/style.ts';
import type { ReportInput } from './report-input.ts';

/**
 * One HTML page that needs nothing else: no network, no further file. All text of the input is escaped, and the page's
 * content security policy lets run exactly the one script and style that it was made with.
 * @param script The browser part, bundled from src/webview/report.ts.
 */
export function renderReport(input: ReportInput, script: string): string {
  const policy = `default-src 'none'; script-src ${hashOf(script)}; style-src ${hashOf(style)}; base-uri 'none'; form-action 'none'`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${input.title}</title>
<style>${trusted(style)}</style>
</head>
<body>
<header><h1>${input.title}</h1><p class="quiet">${input.madeAt.slice(0, 16).replace('T', ' ')} UTC</p>${renderTiles(input)}</header>
<main>
${section('Findings', input.files.length > 0 && renderFindings(input.files))}
${section('Sessions while the load ran', input.activity !== null && renderSessions(input.activity, input.application))}
${section('Under load, side by side', input.loads.length > 0 && renderLoads(input.loads))}
${section('Pool size', input.probe !== null && renderProbe(input.probe))}
</main>
<footer>Made by ${input.madeBy}. This page contains code and statement texts of the project; share it as you would share those.</footer>
<script>${trusted(script)}</script>
</body>
</html>
`.html;
}

function section(title: string, content: Markup | false): Markup {
  return content === false ? html`` : html`<section><h2>${title}</h2>${content}</section>`;
}

function renderTiles({ files, activity, application, loads, probe }: ReportInput): Markup {
  const findings = files.reduce((sum, { problems }) => sum + problems.length, 0);
  const stuck = activity?.sessions.filter((each) => (application === null || each.application === application) && each.state.startsWith('idle in transaction')).length ?? 0;
  const tiles = [
    ...(files.length > 0 ? [tile(formatCount(findings), 'findings in the code')] : []),
    ...(activity !== null ? [tile(formatCount(stuck), 'sessions idle in a transaction')] : []),
    ...loads.map(({ name, failed, requests }) => tile(formatPercent(requests === 0 ? 0 : failed / requests), `failed requests, ${name}`)),
    ...(probe !== null ? [tile(probe.recommendation === null ? 'no number' : `max: ${probe.recommendation.max}`, 'recommended pool size')] : []),
  ];
  return html`<ul class="tiles">${tiles}</ul>`;
}

function tile(figure: string, caption: string): Markup {
  return html`<li><b>${figure}</b><span>${caption}</span></li>`;
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
