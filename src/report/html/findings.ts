import { basename } from 'node:path';
import type { PathStep } from '../../../rules/index.ts';
import type { Problem } from '../../lint/problem.ts';
import type { ReportedFile } from '../report-input.ts';
import { plural } from './figures.ts';
import { html, type Markup, prose } from './markup.ts';

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
    <header><span class="severity">${problem.severity}</span> <code class="rule">${problem.rule ?? 'not checked'}</code> <span class="quiet">line ${problem.place.start.line}</span></header>
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

function renderElsewhere({ file = '', place, text }: PathStep): Markup {
  return html`<li><code>${basename(file)}:${place.start.line}</code> ${prose(text)}</li>`;
}

type ExcerptRow =
  | {
      readonly kind: 'line';
      readonly number: number;
      readonly text: string;
      readonly isFinding: boolean;
    }
  /** A step of the path, below the line it is about. */
  | { readonly kind: 'step'; readonly number: number; readonly text: string }
  | { readonly kind: 'gap' };

/** Lines shown before and after one that matters. */
const context = 1;
/** A line of a minified file would fill the page. */
const longestLine = 200;

/** The lines of the finding and of its path in the same file, with the steps below their lines and gaps where lines are left out. */
export function excerptOf(problem: Problem, text: string): readonly ExcerptRow[] {
  const lines = text.split(/\r\n|[\n\r\u2028\u2029]/u);
  const steps = problem.steps
    .filter(({ file }) => file === undefined)
    .map(({ place, text: words }, index) => ({
      line: place.start.line,
      number: index + 1,
      text: words,
    }));
  const shown = shownLines(
    [problem.place.start.line, ...steps.map(({ line }) => line)],
    lines.length,
  );
  return shown.flatMap((number, index): readonly ExcerptRow[] => [
    ...(index > 0 && shown[index - 1] !== number - 1 ? [{ kind: 'gap' } as const] : []),
    {
      kind: 'line',
      number,
      text: shorten(lines[number - 1] ?? ''),
      isFinding: number === problem.place.start.line,
    },
    ...steps
      .filter(({ line }) => line === number)
      .map((step) => ({ kind: 'step', number: step.number, text: step.text }) as const),
  ]);
}

function shownLines(places: readonly number[], last: number): readonly number[] {
  const around = places.flatMap((line) =>
    Array.from({ length: 2 * context + 1 }, (_, offset) => line - context + offset),
  );
  return [...new Set(around)].filter((line) => line >= 1 && line <= last).sort((a, b) => a - b);
}

function shorten(line: string): string {
  return line.length > longestLine ? `${line.slice(0, longestLine)}…` : line;
}
