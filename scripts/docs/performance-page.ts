import { isMet, type Row } from '../bench/figures.ts';
import { figure } from '../bench/print-rows.ts';
import type { PartResult, Results } from '../bench/results.ts';
import { fillBetween, marksFor } from './marks.ts';
import { partsOnPage, type PartOnPage } from './performance-parts.ts';

const head = `<!-- All of this page is written from scripts/bench/results.json by \`npm run docs\`. -->

# What it costs

The first tables have what a run and an installation take; the others have the parts. Each figure has its date, its machine and its method. Median and extremes are those of the rounds, unless a row says otherwise. A goal is met by a median of at most that much; missed goals stay on this page.

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

function circumstances({ measuredAt, machine, wasBusy, isQuick, rows }: PartResult): string {
  const warnings = [
    ...(isQuick ? ['with small code and few rounds'] : []),
    ...(wasBusy && rows.some(({ unit }) => unit !== 'MB')
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

/** What the README says of costs: of which part and row, and in which words. */
const costs: readonly {
  readonly part: string;
  readonly name: RegExp;
  readonly say: (value: string, row: Row) => string;
}[] = [
  {
    part: 'run',
    name: /^`poolguard lint`, src: time$/u,
    say: (value, { note }) => `\`poolguard lint\` checks ${note.split(';')[0]}, in ${value}.`,
  },
  {
    part: 'run',
    name: /^`poolguard lint`, src: memory$/u,
    say: (value) => `Its memory peaks at ${value}.`,
  },
  {
    part: 'run',
    name: /^`poolguard lint`, src: time with/u,
    say: (value) => `With \`--cache\`, when nothing changed, it takes ${value}.`,
  },
  {
    part: 'install',
    name: /^`poolguard`: installed$/u,
    say: (value) => `The command takes ${value} on disk.`,
  },
  {
    part: 'install',
    name: /^`eslint-plugin-poolguard`: installed$/u,
    say: (value) => `The ESLint plugin takes ${value} on disk.`,
  },
  {
    part: 'share',
    name: /^all together$/u,
    say: (value) =>
      `All rules together cost ${value} of the time that the TypeScript parser takes.`,
  },
  {
    part: 'editor',
    name: /^p95, /u,
    say: (value) =>
      `A keystroke in a file of 2,000 lines is answered within ${value} (95th percentile).`,
  },
  {
    part: 'observer',
    name: /^our backend/u,
    say: (value) => `Sampling 500 sessions once a second costs the server ${value} of one core.`,
  },
  {
    part: 'monitor',
    name: /^throughput of pool\.query/u,
    say: (value) =>
      `The monitor takes ${value} of the throughput of an application that only queries.`,
  },
];

/** What the README says of costs, as a list with its dates; empty when none of it was measured. */
export function costList(results: Results): string {
  const facts = costs.flatMap(({ part, name, say }) => {
    const result = results[part];
    const row = result?.rows.find((each) => name.test(each.name));
    return result === undefined || row === undefined || Number.isNaN(row.value.median)
      ? []
      : [{ line: `- ${say(rounded(row, result), row)}`, day: result.measuredAt }];
  });
  if (facts.length === 0) return '';
  const days = [...new Set(facts.map(({ day }) => day))].sort();
  return [
    ...facts.map(({ line }) => line),
    '',
    `Measured on ${new Intl.ListFormat('en').format(days)}; [docs/performance.md](docs/performance.md) has the machine, the method, and more.`,
  ].join('\n');
}

/** As coarse as a sentence needs it; a time that other programs made longer says so. */
function rounded({ value: { median }, unit }: Row, { wasBusy }: PartResult): string {
  const digits = median >= 10 ? Math.ceil(Math.log10(median + 1)) : 2;
  const circumstance = wasBusy && unit === 's' ? ' beside other programs' : '';
  return `${Number(median.toPrecision(digits))} ${unit}${circumstance}`;
}

export const costMarks = marksFor('costs');

/** The README with that list between its marks; unchanged where it has none. */
export function fillCosts(readme: string, results: Results): string {
  return fillBetween(readme, costMarks, costList(results)) ?? readme;
}
