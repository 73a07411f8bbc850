import { spreadOf, type Row } from '../figures.ts';
import { undisturbed } from './beside-load.ts';
import type { BenchReport } from './print-table.ts';
import { toScore } from './score.ts';

const method =
  'The whole probe, as a user starts it, against servers whose right answer is known: poolers of a known size, locks, a statement that sleeps and one that only uses the processor. docs/probe.md has each of them.';

/** What a run of `npm run bench:probe` found, in the lines of the performance page. */
export function toProbeRows({
  runs: allRuns,
  ratios,
}: Pick<BenchReport, 'runs' | 'ratios'>): readonly Row[] {
  const runs = allRuns.filter(({ level }) => level === undisturbed.name);
  const group = 'probe';
  const { named, rightShare, confidenceWhenWrong } = toScore(runs);
  const surest =
    confidenceWhenWrong === null
      ? ''
      : `; the surest wrong answer had a confidence of ${confidenceWhenWrong.toFixed(2)}`;
  const regrets = runs.flatMap(({ regret }) => (regret === null ? [] : [100 * (1 - regret)]));
  return [
    {
      group,
      name: 'wrong answers',
      unit: '%',
      value: spreadOf([100 * (1 - rightShare)]),
      goal: null,
      note: `of ${named} answers in ${runs.length} runs${surest}`,
      method,
    },
    {
      group,
      name: 'throughput given away at the pick',
      unit: '%',
      value: spreadOf(regrets),
      goal: null,
      note: 'of the best, where a formula or brute force gives it',
      method,
    },
    {
      group,
      name: 'time of a probe',
      unit: 's',
      value: spreadOf(runs.map(({ elapsedMs }) => elapsedMs / 1000)),
      goal: 20,
      note: 'with its check by a real pool',
      method,
    },
    ...ratios.map(({ title, clients, pgbench, own }): Row => ({
      group,
      name: `pgbench with one thread, beside one Node thread: ${title}`,
      unit: 'times',
      value: spreadOf([pgbench / own]),
      goal: null,
      note: `${clients} clients, statements a second`,
      method,
    })),
  ];
}
