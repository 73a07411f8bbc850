import Table from 'cli-table3';
import type { Sweep } from './all-files.ts';
import { classWith } from './classes.ts';
import type { PairResults } from './fix-pairs.ts';
import type { RepositoryResults, Run, Verdict } from './run.ts';
import type { Score } from './score.ts';

/** A run for people. */
export function describeRun(run: Run, listsOutside: boolean): string {
  const { sites, pairs, sweep, repositories } = run;
  const parts = [
    ...leftOutPart(run),
    `${sites.measured} labelled sites${sites.missing === 0 ? '' : `, ${sites.missing} more could not be had`}, ${run.plugin.name} ${run.plugin.version}`,
    scoresTable(run),
    ...librariesPart(run),
    repositoriesTable(repositories),
    ...verdictsPart('Misses', sites.misses),
    ...verdictsPart('False alarms', sites.falseAlarms),
    ...(pairs === null ? [] : pairsPart(pairs)),
    ...(sweep === null ? [] : [sweepPart(sweep, repositories)]),
    outsidePart(run, listsOutside),
  ];
  return `${parts.join('\n\n')}\n`;
}

function leftOutPart({ leftOut }: Run): readonly string[] {
  return leftOut.length === 0
    ? []
    : [`Left out, ${leftOut.length} in all:\n${leftOut.map((each) => `  ${each}`).join('\n')}`];
}

export function nameOf(id: string): string {
  return classWith(id)?.name ?? id;
}

function figure(ratio: number | null): string {
  return ratio === null ? '–' : ratio.toFixed(2);
}

function scoresTable({ sites: { scores, outside }, classesWithoutRule }: Run): string {
  const rows = Object.entries(scores).map(
    ([id, { bugs, found, missed, falseAlarms, precision, recall }]) => {
      const rules = classWith(id)?.rules ?? [];
      return [
        nameOf(id),
        bugs,
        found,
        missed,
        falseAlarms,
        figure(precision),
        figure(recall),
        outside.filter(({ rule }) => rules.includes(rule)).length,
      ];
    },
  );
  const without = classesWithoutRule.map((id) => [
    nameOf(id),
    'no rule yet',
    '',
    '',
    '',
    '',
    '',
    '',
  ]);
  return toTable(
    [
      'class',
      'bugs',
      'found',
      'missed',
      'false alarms',
      'precision',
      'recall',
      'outside the labels',
    ],
    [...rows, ...without],
  );
}

function librariesPart({ sites: { byLibrary, byLine } }: Run): readonly string[] {
  if (byLibrary.length === 0) return [];
  const lines = Object.entries(byLine).map(
    ([id, { lines: all, found }]) => `${nameOf(id)} ${found}/${all}`,
  );
  const ids = Object.keys(byLibrary[0]?.scores ?? {});
  const rows = byLibrary.map(({ library, sites, scores }) => [
    library,
    sites,
    ...ids.map((id) => cell(scores[id])),
  ]);
  return [
    `Lines found of those labelled: ${lines.join(', ')}`,
    toTable(['library', 'sites', ...ids], rows),
  ];
}

function repositoriesTable(repositories: readonly RepositoryResults[]): string {
  const ids = Object.keys(repositories[0]?.scores ?? {});
  const rows = repositories.map(({ repo, sites, scores }) => [
    repo,
    sites,
    ...ids.map((id) => cell(scores[id])),
  ]);
  return `Found of the bugs, and false alarms after a plus sign:\n${toTable(['repository', 'sites', ...ids], rows)}`;
}

/** Found of the bugs, and false alarms after a plus sign. */
export function cell(score: Score | undefined): string {
  if (score === undefined || (score.bugs === 0 && score.falseAlarms === 0)) return '';
  return `${score.found}/${score.bugs}${score.falseAlarms === 0 ? '' : ` +${score.falseAlarms}`}`;
}

function verdictsPart(title: string, verdicts: readonly Verdict[]): readonly string[] {
  const lines = verdicts.map(({ bugClass, repo, path, line, label, reason, messages }) => {
    const said = messages.map((message) => `\n      ${message}`).join('');
    return `  ${bugClass}  ${repo} ${path}:${line}  ${label}: ${reason}${said}`;
  });
  return lines.length === 0 ? [] : [`${title} (${lines.length}):\n${lines.join('\n')}`];
}

function pairsPart({ measured, missing, skipped, byRule, failed }: PairResults): readonly string[] {
  const rows = Object.entries(byRule).map(([rule, { pairs, caught, quietAfter, both }]) => [
    rule,
    pairs,
    caught,
    quietAfter,
    both,
  ]);
  const table = toTable(['fixes of', 'pairs', 'speaks before', 'silent after', 'both'], rows);
  const head = `${measured} fix pairs; ${missing} could not be had, ${skipped} skipped because the plugin has no rule for them:`;
  return [
    `${head}\n${table}`,
    ...(failed.length === 0
      ? []
      : [
          `Fix pairs that fail (${failed.length}):\n${failed.map((each) => `  ${each}`).join('\n')}`,
        ]),
  ];
}

function sweepPart(sweep: Sweep, repositories: readonly RepositoryResults[]): string {
  const rows = [
    ...repositories.map(({ repo, sweep: own }) => [repo, own] as const),
    ['all', sweep] as const,
  ].flatMap(([name, own]) => {
    if (own === null) return [];
    const { files, unreadable, parseFailures, crashes, reports, seconds } = own;
    return [
      [
        name,
        files,
        unreadable,
        parseFailures.length,
        crashes.length,
        Object.values(reports).reduce((sum, each) => sum + each, 0),
        seconds.toFixed(1),
      ],
    ];
  });
  const table = toTable(
    ['every file of', 'files', 'no parser reads', 'only we fail', 'crashes', 'reports', 'seconds'],
    rows,
  );
  const troubles = [...sweep.parseFailures, ...sweep.crashes].map((each) => `\n  ${each}`).join('');
  const byRule = Object.entries(sweep.reports)
    .map(([rule, count]) => `${rule} ${count}`)
    .join(', ');
  return `${table}${troubles}\nReports: ${byRule === '' ? 'none' : byRule}`;
}

function outsidePart({ sites: { outside } }: Run, listsThem: boolean): string {
  const head = `${outside.length} reports lie outside the labelled sites.`;
  if (!listsThem) return outside.length === 0 ? head : `${head} --list-unlabelled lists them.`;
  return [
    head,
    ...outside.map(
      ({ repo, path, line, rule, message }) => `  ${repo} ${path}:${line}  ${rule}: ${message}`,
    ),
  ].join('\n');
}

const noBorders = Object.fromEntries(
  [
    'top',
    'top-mid',
    'top-left',
    'top-right',
    'bottom',
    'bottom-mid',
    'bottom-left',
    'bottom-right',
    'left',
    'left-mid',
    'mid',
    'mid-mid',
    'right',
    'right-mid',
  ].map((edge) => [edge, '']),
);

function toTable(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const table = new Table({
    head: [...head],
    chars: { ...noBorders, middle: '  ' },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  table.push(...rows.map((row) => row.map(String)));
  return table.toString().replace(/ +$/gmu, '');
}
