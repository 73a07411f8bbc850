import { fixtures } from './fixtures.ts';
import type { GeneratorRatio } from './generator-ratio.ts';
import type { GroundTruth } from './brute-force.ts';
import { levels, undisturbed } from './beside-load.ts';
import { type LevelScore, toLevelScore, toScore, type Run } from './score.ts';

/** Everything that one run of the benchmark found. */
export interface BenchReport {
  readonly machine: string;
  readonly measuredAt: string;
  readonly runs: readonly Run[];
  readonly truths: readonly GroundTruth[];
  readonly ratios: readonly GeneratorRatio[];
}

/** The report as Markdown. */
export function printTable(report: BenchReport): string {
  const { machine, measuredAt, truths, ratios } = report;
  const runs = report.runs.filter(({ level }) => level === undisturbed.name);
  const all = toScore(runs);
  return [
    `Measured ${measuredAt.slice(0, 10)} on ${machine}.`,
    '',
    '| Fixture | Right answer | Answers | Right | Confidence when wrong | Throughput at the pick, of the best | Time, median (slowest) | Other programs |',
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
    ...fixtures
      .filter(({ name }) => runs.some(({ fixture }) => fixture === name))
      .map(({ name, title, answer }) =>
        printRow(
          title,
          answer,
          runs.filter(({ fixture }) => fixture === name),
        ),
      ),
    '',
    `All together: ${percent(all.rightShare)} right of ${all.named} answers in ${all.runs} runs; median time ${all.medianSeconds.toFixed(1)} s, slowest ${all.slowestSeconds.toFixed(1)} s. ${all.confidenceWhenWrong === null ? 'No wrong answer.' : `Highest confidence of a wrong answer: ${all.confidenceWhenWrong.toFixed(2)}.`}`,
    ...printLevels(report.runs),
    ...truths.flatMap(printTruth),
    ...printRatios(ratios),
  ].join('\n');
}

/** Nothing where all runs had the machine for themselves. */
function printLevels(runs: readonly Run[]): readonly string[] {
  const rows = levels.flatMap(({ name }) => {
    const own = runs.filter(({ level }) => level === name);
    return own.length === 0 ? [] : [printLevel(name, toLevelScore(own))];
  });
  return runs.every(({ level }) => level === undisturbed.name)
    ? []
    : [
        '',
        '| Other programs use | Runs | Named an interval | It holds the right answer | Wrong with a confidence of 0.9 or more | Its end, in starts (median) | Time, median |',
        '| --- | --- | --- | --- | --- | --- | --- |',
        ...rows,
      ];
}

function printLevel(name: string, score: LevelScore): string {
  const { runs, named, heldShare, confidentlyWrong, medianWidth, medianSeconds } = score;
  const width = medianWidth === null ? '–' : medianWidth.toFixed(1);
  return `| ${name} | ${runs} | ${named} | ${named === 0 ? '–' : percent(heldShare)} | ${confidentlyWrong} | ${width} | ${medianSeconds.toFixed(1)} s |`;
}

function printRow(title: string, answer: string, runs: readonly Run[]): string {
  const {
    runs: count,
    named,
    rightShare,
    confidenceWhenWrong,
    regret,
    picks,
    medianSeconds,
    slowestSeconds,
  } = toScore(runs);
  const refused = count - named;
  const foreign = runs.flatMap(({ foreignCores }) => (foreignCores === null ? [] : [foreignCores]));
  const cells = [
    title,
    answer,
    `${countEach(picks)}${refused > 0 ? `${picks.length > 0 ? ', ' : ''}too noisy × ${refused}` : ''}`,
    named === 0 ? '–' : percent(rightShare),
    confidenceWhenWrong === null ? '–' : confidenceWhenWrong.toFixed(2),
    regret === null ? '–' : regret.toFixed(2),
    `${medianSeconds.toFixed(1)} s (${slowestSeconds.toFixed(1)} s)`,
    foreign.length === 0
      ? '–'
      : `${(foreign.reduce((sum, each) => sum + each, 0) / foreign.length).toFixed(2)} cores`,
  ];
  return `| ${cells.join(' | ')} |`;
}

/** For example "4 × 9, 6". */
function countEach(picks: readonly number[]): string {
  const counts = new Map<number, number>();
  for (const pick of picks) counts.set(pick, (counts.get(pick) ?? 0) + 1);
  return [...counts]
    .map(([pick, times]) => (times === 1 ? `${pick}` : `${pick} × ${times}`))
    .join(', ');
}

function printTruth({ statement, pick, interval, curve }: GroundTruth): readonly string[] {
  const best = Math.max(...curve.map(({ throughput }) => throughput));
  return [
    '',
    `Brute force with pgbench, \`${statement}\`: ${pick} (${interval[0]} to ${interval[1]}).`,
    '',
    `| Clients | ${curve.map(({ size }) => size).join(' | ')} |`,
    `| --- | ${curve.map(() => '---').join(' | ')} |`,
    `| Transactions/s | ${curve.map(({ throughput }) => Math.round(throughput)).join(' | ')} |`,
    `| Of the best | ${curve.map(({ throughput }) => percent(throughput / best)).join(' | ')} |`,
  ];
}

function printRatios(ratios: readonly GeneratorRatio[]): readonly string[] {
  if (ratios.length === 0) return [];
  return [
    '',
    '| Generator | Clients | One Node thread | pgbench -j 1 | Ratio | Goal |',
    '| --- | --- | --- | --- | --- | --- |',
    ...ratios.map(
      ({ title, clients, own, pgbench, ratio, goal }) =>
        `| ${title} | ${clients} | ${Math.round(own)}/s | ${Math.round(pgbench)}/s | ${ratio.toFixed(2)} | ≥ ${goal} |`,
    ),
  ];
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
