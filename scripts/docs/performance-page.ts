import { isMet, type Row } from '../bench/figures.ts';
import { figure } from '../bench/print-rows.ts';
import type { PartResult, Results } from '../bench/results.ts';
import { fillBetween, marksFor } from './marks.ts';
import { partsOnPage, type PartOnPage } from './performance-parts.ts';

const head = `<!-- All of this page is written from scripts/bench/results.json by \`npm run docs\`. -->

# What it costs

Figures with their date, their machine and the way in which they were measured. Median and extremes are those of the rounds, unless a row says otherwise. A goal is met by a median of at most that much; missed goals stay on this page.

\`npm run bench -- --all --write-docs\` measures everything and rewrites this page: more than half an hour on two cores that do nothing else. With names of parts, as in \`npm run bench -- --only share editor --write-docs\`, the others stay as they are. \`npm run bench -- --help\` explains the rest.
`;

/** docs/performance.md, whole. */
export function performancePage(results: Results): string {
  return `${[head, ...partsOnPage.map((part) => section(part, results[part.name]))].join('\n')}`;
}

function section({ title, method, command }: PartOnPage, result: PartResult | undefined): string {
  if (result === undefined) return `## ${title}\n\nNot measured yet: \`${command}\`.\n`;
  const methods = [...new Set([method, ...result.rows.map(methodOf)])].filter(
    (text) => text !== '',
  );
  return [
    `## ${title}\n`,
    ...methods.map((text) => `${text}\n`),
    table(result.rows),
    '',
    `${circumstances(result)}\n`,
  ].join('\n');
}

function methodOf({ method }: Row): string {
  return method ?? '';
}

function circumstances({ measuredAt, machine, wasBusy, isQuick }: PartResult): string {
  const warnings = [
    ...(isQuick ? ['with small code and few rounds'] : []),
    ...(wasBusy
      ? ['while other programs used the processor: only the shares and ratios say much']
      : []),
  ];
  return `Measured on ${measuredAt}, ${machine}${warnings.length === 0 ? '' : `; ${warnings.join('; ')}`}.`;
}

function table(rows: readonly Row[]): string {
  const lines = rows.map(
    (row) =>
      `| ${[named(row), figure(row.value.median, row), extremes(row), goal(row), row.note].map(cell).join(' | ')} |`,
  );
  return ['| what | median | from – to | goal | |', '|---|---:|---:|---|---|', ...lines].join('\n');
}

/** Groups of one part share a table; a row whose name leaves that open says which one it is of. */
function named({ group, name }: Row): string {
  return /^(?:cold start|keystroke|workspace check|extension)$/u.test(group)
    ? `${group}: ${name}`
    : name;
}

function extremes({ value: { median, low, high }, unit }: Row): string {
  return low === median && high === median
    ? ''
    : `${figure(low, { unit })} – ${figure(high, { unit })}`;
}

function goal(row: Row): string {
  const met = isMet(row);
  return met === null
    ? ''
    : `≤ ${row.goal}${row.unit === 'power' ? '' : ` ${row.unit}`}: ${met ? 'met' : '**missed**'}`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

/** What the README says of speed, in a sentence with its dates; empty when none of it was measured. */
export function speedSentence(results: Results): string {
  const facts = [
    fact(
      results,
      'share',
      /^all together$/u,
      (value) => `all rules together cost ${value} of the time that the TypeScript parser takes`,
    ),
    fact(
      results,
      'editor',
      /^p95, /u,
      (value) =>
        `a keystroke in a file of 2,000 lines is answered within ${value} (95th percentile)`,
    ),
    fact(
      results,
      'observer',
      /^our backend/u,
      (value) => `looking at 500 sessions once a second costs the server ${value} of one core`,
    ),
    fact(
      results,
      'monitor',
      /^throughput of pool\.query/u,
      (value) => `the monitor takes ${value} of the throughput of an application that only queries`,
    ),
  ].filter((each) => each !== undefined);
  if (facts.length === 0) return '';
  const days = [...new Set(facts.map(({ day }) => day))].sort();
  const text = facts.map(({ words }) => words).join('; ');
  return `Measured on ${days.join(' and ')}: ${text}. [docs/performance.md](docs/performance.md) says how, on which machine, and more.`;
}

function fact(
  results: Results,
  part: string,
  name: RegExp,
  say: (value: string) => string,
): { readonly words: string; readonly day: string } | undefined {
  const result = results[part];
  const row = result?.rows.find((each) => name.test(each.name));
  if (result === undefined || row === undefined || Number.isNaN(row.value.median)) return undefined;
  return { words: say(rounded(row)), day: result.measuredAt };
}

/** As coarse as a sentence needs it. */
function rounded({ value: { median }, unit }: Row): string {
  return `${Number(median.toPrecision(median >= 10 ? Math.ceil(Math.log10(median + 1)) : 2))} ${unit}`;
}

export const speedMarks = marksFor('speed figures');

/** The README with that sentence between its marks; unchanged where it has none. */
export function fillSpeedFigures(readme: string, results: Results): string {
  return fillBetween(readme, speedMarks, speedSentence(results)) ?? readme;
}
