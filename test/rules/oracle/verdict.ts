import type { Linter } from 'eslint';
import plugin, { findingsOf } from '../../../rules/index.ts';
import type { PrintedProgram } from './print-program.ts';
import type { Leak, Truth } from './run-program.ts';

/** What the analysis says of one acquire. */
export interface Report {
  readonly rule: string;
  readonly site: number;
  readonly messageId: string;
}

export type Disagreement =
  | { readonly kind: 'false alarm'; readonly report: Report }
  | { readonly kind: 'missed'; readonly leak: Leak };

const leaks = 'no-unreleased-client';
/** Rules on what happens behind a release. Where they speak of a checkout, its leak is part of the same mistake and not reported. */
const misuses: ReadonlySet<string> = new Set(['no-double-release', 'no-use-after-release']);

const config: Linter.Config = {
  plugins: { poolguard: plugin },
  rules: Object.fromEntries([leaks, ...misuses].map((rule) => [`poolguard/${rule}`, 'error'])),
};

/** The program as a whole file. */
export function sourceOf({ text, sites }: PrintedProgram): string {
  const pools = Array.from({ length: sites }, (_, index) => `const pool${index + 1} = new Pool();`);
  return [
    "import { Pool } from 'pg';",
    "import { check, events, holder, log, more, pick, registry, stranger, work } from 'world';",
    ...pools,
    'let shared;',
    text,
    '',
  ].join('\n');
}

export function reportsOn(program: PrintedProgram, linter: Linter): readonly Report[] {
  const source = sourceOf(program);
  const lines = source.split('\n');
  const failure = linter
    .verify(source, [config], { filename: 'program.js' })
    .find(({ messageId }) => messageId === undefined);
  if (failure !== undefined) throw new Error(`${failure.message}\n${source}`);
  return findingsOf(linter.getSourceCode()).flatMap(({ rule, messageId, steps: [acquired] }) => {
    if (acquired === undefined || (rule !== leaks && !misuses.has(rule))) return [];
    const { line, column } = acquired.place.start;
    const site = /(?:pool|[gG]etClientOf|database)(?<site>\d+)/u.exec(
      (lines[line - 1] ?? '').slice(column),
    )?.groups?.['site'];
    return [{ rule, site: Number(site), messageId }];
  });
}

/** Where the analysis and the truth differ. An acquire that no run reaches is judged as if one did, so nothing is said of it. */
export function compare(
  program: PrintedProgram,
  truth: Truth,
  reports: readonly Report[],
): readonly Disagreement[] {
  const falseAlarms = reports.filter(
    ({ rule, site }) =>
      rule === leaks &&
      truth.isComplete &&
      truth.acquired.has(site) &&
      !truth.leaks.some((leak) => leak.site === site),
  );
  const missed = truth.leaks.filter(
    ({ site }) =>
      !reports.some((report) => report.site === site) && !mayBeSilent(program, truth, site),
  );
  return [
    ...falseAlarms.map((report) => ({ kind: 'false alarm' as const, report })),
    ...missed.map((leak) => ({ kind: 'missed' as const, leak })),
  ];
}

function mayBeSilent(program: PrintedProgram, truth: Truth, site: number): boolean {
  return silences.some(({ holds }) => holds(program, truth, site));
}

interface Silence {
  readonly because: string;
  readonly holds: (program: PrintedProgram, truth: Truth, site: number) => boolean;
}

/** Where the analysis says nothing on purpose. */
const silences: readonly Silence[] = [
  {
    because: 'A client that is lent to a function and released nowhere may have found a new owner.',
    holds: ({ lent, released }, truth, site) =>
      lent.has(site) && !(released.has(site) && truth.released.has(site)),
  },
  {
    because: 'Whoever gets a function that can give the client away may answer for the client.',
    holds: ({ captured }, _truth, site) => captured.has(site),
  },
];

/** One line: what differs where, and the answers of the run that shows it. */
export function describeDisagreement(disagreement: Disagreement): string {
  if (disagreement.kind === 'false alarm')
    return `// false alarm on pool${disagreement.report.site}: ${disagreement.report.messageId}, but no run leaks`;
  const { site, how, choices } = disagreement.leak;
  const answers = choices.map(({ question, answer }) => `${question} = ${answer}`).join(', ');
  return `// missed on pool${site}: a run that ${how} leaks (${answers})`;
}
