import type { labelFiles } from './label-sets.ts';
import { cell, nameOf } from './text-report.ts';
import type { Run } from './run.ts';
import type { Score } from './score.ts';

/** The part of a run that is kept in the repository: figures, no lists of single reports and no times. */
export interface StoredResults {
  readonly date: Run['date'];
  readonly plugin: Run['plugin'];
  readonly classesWithoutRule: Run['classesWithoutRule'];
  readonly repositories: readonly {
    readonly repo: string;
    readonly commit: string;
    readonly sites: number;
  }[];
  readonly leftOut: number;
  readonly sites: {
    readonly measured: number;
    readonly missing: number;
    readonly scores: Readonly<Record<string, Score>>;
    readonly firstScores: Run['sites']['firstScores'];
    readonly byLine: Run['sites']['byLine'];
    readonly byLibrary: Run['sites']['byLibrary'];
    readonly outside: number;
  };
  readonly misses: readonly Disagreement[];
  readonly falseAlarms: readonly Disagreement[];
  readonly pairs: Omit<NonNullable<Run['pairs']>, 'failed'> | null;
  readonly sweep: {
    readonly files: number;
    readonly unreadable: number;
    readonly parseFailures: number;
    readonly crashes: number;
    readonly reports: Readonly<Record<string, number>>;
  } | null;
}

interface Disagreement {
  readonly bugClass: string;
  readonly repo: string;
  readonly commit: string;
  readonly path: string;
  readonly line: number;
  readonly label: string;
  readonly reason: string;
}

export function toStoredResults({
  date,
  plugin,
  classesWithoutRule,
  leftOut,
  sites,
  pairs,
  sweep,
  repositories,
}: Run): StoredResults {
  return {
    date,
    plugin,
    classesWithoutRule,
    repositories: repositories.map(({ repo, commit, sites: count }) => ({
      repo,
      commit,
      sites: count,
    })),
    leftOut: leftOut.length,
    sites: {
      measured: sites.measured,
      missing: sites.missing,
      scores: sites.scores,
      firstScores: sites.firstScores,
      byLine: sites.byLine,
      byLibrary: sites.byLibrary,
      outside: sites.outside.length,
    },
    misses: sites.misses.map(toDisagreement),
    falseAlarms: sites.falseAlarms.map(toDisagreement),
    pairs:
      pairs === null
        ? null
        : {
            measured: pairs.measured,
            missing: pairs.missing,
            skipped: pairs.skipped,
            byRule: pairs.byRule,
          },
    sweep:
      sweep === null
        ? null
        : {
            files: sweep.files,
            unreadable: sweep.unreadable,
            parseFailures: sweep.parseFailures.length,
            crashes: sweep.crashes.length,
            reports: sweep.reports,
          },
  };
}

/** Labels are our words; messages quote other people's code and stay out. */
function toDisagreement({
  bugClass,
  repo,
  commit,
  path,
  line,
  label,
  reason,
}: Disagreement): Disagreement {
  return { bugClass, repo, commit, path, line, label, reason };
}

/** The generated part of docs/accuracy.md about checkouts. */
function accuracyBlock(results: StoredResults): string {
  const { pairs, sweep } = results;
  return [
    headOf(results, 'sites'),
    scoresTable(results),
    ...(pairs === null ? [] : [pairsText(pairs)]),
    ...(sweep === null ? [] : [sweepText(sweep)]),
    disagreements('Missed', results.misses),
    disagreements('False alarms', results.falseAlarms),
  ].join('\n\n');
}

function headOf(
  { date, plugin, repositories, leftOut, sites }: StoredResults,
  noun: string,
): string {
  return `Measured on ${date} with \`${plugin.name}\` ${plugin.version}: ${sites.measured} labelled ${noun} in ${repositories.length} repositories${leftOutText(sites.missing, leftOut)}.`;
}

/** The generated part of docs/accuracy.md about query builders and ORMs. */
function transactionsBlock(results: StoredResults): string {
  const { scores, byLine, byLibrary } = results.sites;
  const ids = Object.keys(scores);
  const lines = Object.entries(byLine).map(
    ([id, { lines: all, found }]) => `${nameOf(id)} ${found} of ${all}`,
  );
  return [
    headOf(results, 'transactions'),
    scoresTable(results),
    `A transaction may have the bug on several lines. Of the labelled lines are found: ${lines.join(', ')}.`,
    'By library, found of the bugs, and false alarms after a plus sign:',
    [
      row(['library', 'transactions', ...ids.map(nameOf)]),
      `|---|---:|${ids.map(() => '---:|').join('')}`,
      ...byLibrary.map(({ library, sites, scores: own }) =>
        row([library, sites, ...ids.map((id) => cell(own[id]))]),
      ),
    ].join('\n'),
  ].join('\n\n');
}

function leftOutText(missing: number, leftOut: number): string {
  return missing === 0 && leftOut === 0
    ? ''
    : `; ${missing} sites and ${leftOut} commits could not be had and are left out`;
}

/** With a column of precision and recall by the labels as they were first written, where rulings changed some. */
function scoresTable({
  sites: { scores, firstScores },
  classesWithoutRule,
}: StoredResults): string {
  const first = (id: string): readonly string[] => {
    const score = firstScores?.[id];
    return score === undefined ? [] : [`${percent(score.precision)} / ${percent(score.recall)}`];
  };
  const rows = Object.entries(scores).map(([id, { bugs, found, falseAlarms, precision, recall }]) =>
    row([nameOf(id), bugs, found, falseAlarms, percent(precision), percent(recall), ...first(id)]),
  );
  const more = firstScores === null ? [] : ['as first labelled'];
  const without = classesWithoutRule.map((id) =>
    row([nameOf(id), 'no rule yet', '', '', '', '', ...more.map(() => '')]),
  );
  return [
    row(['class', 'bugs', 'found', 'false alarms', 'precision', 'recall', ...more]),
    `|---|---:|---:|---:|---:|---:|${more.map(() => '---:|').join('')}`,
    ...rows,
    ...without,
  ].join('\n');
}

function pairsText({
  measured,
  missing,
  skipped,
  byRule,
}: NonNullable<StoredResults['pairs']>): string {
  const rows = Object.entries(byRule).map(([rule, { pairs, caught, quietAfter, both }]) =>
    row([rule, pairs, caught, quietAfter, both]),
  );
  const apart = [
    missing === 0 ? '' : `${missing} could not be had`,
    skipped === 0 ? '' : `${skipped} need a rule that does not exist`,
  ]
    .filter((each) => each !== '')
    .join(', ');
  const head = `Bug fixes, before and after: ${measured} pairs${apart === '' ? '' : ` (${apart})`}.`;
  return [
    head,
    '',
    row(['fixes of', 'pairs', 'reported before', 'silent after', 'both']),
    '|---|---:|---:|---:|---:|',
    ...rows,
  ].join('\n');
}

function sweepText({
  files,
  unreadable,
  parseFailures,
  crashes,
  reports,
}: NonNullable<StoredResults['sweep']>): string {
  const byRule = Object.entries(reports)
    .map(([rule, count]) => `${rule} ${count}`)
    .join(', ');
  return `Every source file of these repositories: ${count(files)} files linted, ${count(unreadable)} that the TypeScript parser does not read, ${parseFailures} that only Poolguard fails to read, ${crashes} crashes. Reports by rule: ${byRule === '' ? 'none' : byRule}.`;
}

function disagreements(title: string, list: readonly Disagreement[]): string {
  if (list.length === 0) return `${title}: none.`;
  const lines = list.map(({ bugClass, repo, commit, path, line, label, reason }) => {
    const link = `[${repo} ${path}:${line}](https://github.com/${repo}/blob/${commit}/${encodeURI(path)}#L${line})`;
    return `- ${nameOf(bugClass)}, ${link}, ${label}: ${reason}`;
  });
  return `${title} (after the link: how the release is labelled, and why):\n\n${lines.join('\n')}`;
}

/** The generated part of docs/accuracy.md about a further set of checkouts. */
function furtherBlock(results: StoredResults): string {
  return [
    headOf(results, 'sites'),
    scoresTable(results),
    disagreements('Missed', results.misses),
    disagreements('False alarms', results.falseAlarms),
  ].join('\n\n');
}

function row(cells: readonly (string | number)[]): string {
  return `| ${cells.join(' | ')} |`;
}

function percent(ratio: number | null): string {
  return ratio === null ? '–' : ratio.toFixed(2);
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}

/** A part of a document that a run writes. */
interface WrittenBlock {
  readonly file: string;
  /** The table of labels in test/corpus. */
  readonly labels: (typeof labelFiles)[number];
  /** The comments before and after it. */
  readonly begin: string;
  readonly end: string;
  readonly toText: (results: StoredResults) => string;
}

const corpusMarks = {
  begin:
    '<!-- corpus figures: `npm run corpus -- --write-docs` writes what stands between these marks -->',
  end: '<!-- end of corpus figures -->',
};

function marksOf(name: string, labels: string): Pick<WrittenBlock, 'begin' | 'end'> {
  return {
    begin: `<!-- ${name} figures: \`npm run corpus -- --labels test/corpus/${labels}.tsv --write-docs\` writes what stands between these marks -->`,
    end: `<!-- end of ${name} figures -->`,
  };
}

export const writtenBlocks: readonly WrittenBlock[] = [
  { file: 'docs/accuracy.md', labels: 'sites', ...corpusMarks, toText: accuracyBlock },
  {
    file: 'docs/accuracy.md',
    labels: 'wild',
    ...marksOf('wild', 'wild'),
    toText: furtherBlock,
  },
  {
    file: 'docs/accuracy.md',
    labels: 'unseen',
    ...marksOf('unseen', 'unseen'),
    toText: furtherBlock,
  },
  {
    file: 'docs/accuracy.md',
    labels: 'transactions',
    ...marksOf('transaction', 'transactions'),
    toText: transactionsBlock,
  },
];

/** Puts the figures between their marks in a document; null when it has none. */
export function withBlock(
  document: string,
  { begin, end, toText }: WrittenBlock,
  results: StoredResults,
): string | null {
  const [from, to] = [document.indexOf(begin), document.indexOf(end)];
  if (from === -1 || to < from) return null;
  return `${document.slice(0, from + begin.length)}\n\n${toText(results)}\n\n${document.slice(to)}`;
}
