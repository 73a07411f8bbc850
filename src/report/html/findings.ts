import { basename } from 'node:path';
import type { Problem, Step } from '../../lint/problem.ts';
import type { ReportedFile } from '../report-input.ts';
import { excerptOf, type ExcerptRow } from './excerpt.ts';
import { plural } from './figures.ts';
import { html, prose, type Markup } from './markup.ts';

export function renderFindings(files: readonly ReportedFile[]): Markup {
  const withFindings = files.filter(({ problems }) => problems.length > 0);
  if (withFindings.length === 0)
    return html`<p class="good">Nothing found in ${plural(files.length, 'file')}.</p>`;
  return html`${withFindings.map(renderFile)}`;
}

function renderFile(file: ReportedFile): Markup {
  return html`<section class="file">
    <h3><code>${file.path}</code> <span class="quiet">${plural(file.problems.length, 'finding')}</span></h3>
    ${file.problems.map((problem) => renderProblem(problem, file.text))}
  </section>`;
}

function renderProblem(problem: Problem, text: string): Markup {
  const elsewhere = problem.steps.filter(({ file }) => file !== undefined);
  return html`<article class="finding ${problem.severity}">
    <header><span class="severity">${problem.severity}</span> <code class="rule">${problem.rule ?? 'not checked'}</code> <span class="quiet">line ${problem.line}</span></header>
    <p>${prose(problem.message)}</p>
    <div class="code">${excerptOf(problem, text).map(renderRow)}</div>
    ${elsewhere.length > 0 ? html`<ul class="elsewhere">${elsewhere.map(renderElsewhere)}</ul>` : null}
  </article>`;
}

function renderRow(row: ExcerptRow): Markup {
  switch (row.kind) {
    case 'gap':
      return html`<div class="gap">⋯</div>`;
    case 'step':
      return html`<div class="step"><span class="mark">${row.number}</span> ${prose(row.text)}</div>`;
    case 'line':
      return html`<div class="line${row.isFinding ? ' here' : ''}"><span class="number">${row.number}</span><code>${row.text === '' ? ' ' : row.text}</code></div>`;
  }
}

function renderElsewhere({ file = '', line, message }: Step): Markup {
  return html`<li><code>${basename(file)}:${line}</code> ${prose(message)}</li>`;
}
