import { spreadOf, type Row } from '../figures.ts';

/** The ways in which a file is gone through: parsed, linted without rules, with ours, with theirs, with those of theirs that are about pools. */
export type Turn = 'parse' | 'bare' | 'ours' | 'theirs' | 'theirPoolRules';

const turns: readonly Turn[] = ['parse', 'bare', 'ours', 'theirs', 'theirPoolRules'];

/** Each in each place as often as the others, so that none is always the one that finds warm caches. */
export function takeTurns(number: number): readonly Turn[] {
  const start = number % turns.length;
  return [...turns.slice(start), ...turns.slice(0, start)];
}

/** One project gone through once in every way, CPU time in ms. */
export interface NeighbourRound {
  readonly project: string;
  readonly round: number;
  readonly files: number;
  readonly costs: Readonly<Record<Turn, number>>;
}

export interface NeighbourFacts {
  readonly name: string;
  readonly rules: number;
  readonly poolRules: number;
}

type Ruled = Exclude<Turn, 'parse' | 'bare'>;

const method =
  'The same files, in one process, in turn and in rotating order: the parser alone, ESLint’s Linter without rules, with all of Poolguard’s, with all of the other plugin’s, and with those of the other plugin that are about pools. A plugin’s cost is what it adds to the Linter without rules. The other plugin’s rules check one file and the shape of its syntax; Poolguard’s follow clients through the control flow and across files, and are expected to cost more. docs/accuracy.md compares what they find.';

/** Costs as shares of parsing, all projects together, and the ratio; below 1 ours are cheaper. */
export function toNeighbourRows(
  rounds: readonly NeighbourRound[],
  { name, rules, poolRules }: NeighbourFacts,
): readonly Row[] {
  const group = 'beside the nearest other plugin';
  const sums = [...new Set(rounds.map(({ round }) => round))].map((round) =>
    addUp(rounds.filter((each) => each.round === round)),
  );
  const added = (costs: NeighbourRound['costs'], turn: Ruled) => costs[turn] - costs.bare;
  const share = (turn: Ruled) =>
    spreadOf(sums.map((costs) => (100 * added(costs, turn)) / costs.parse));
  const ratio = (turn: Ruled) =>
    spreadOf(sums.map((costs) => added(costs, 'ours') / added(costs, turn)));
  const files = [
    ...new Map(rounds.map(({ project, files: count }) => [project, count])).values(),
  ].reduce((sum, count) => sum + count, 0);
  const note = `CPU, of parsing; ${files} files`;
  const row = (title: string, unit: Row['unit'], value: Row['value'], told: string): Row => ({
    group,
    name: title,
    unit,
    value,
    goal: null,
    note: told,
    method,
  });
  return [
    row('Poolguard, all rules', '%', share('ours'), note),
    row(`${name}, all ${rules} rules`, '%', share('theirs'), note),
    row(`${name}, its ${poolRules} rules about pools`, '%', share('theirPoolRules'), note),
    row(
      'Poolguard, against all of the other’s rules',
      'times',
      ratio('theirs'),
      fasterWords(ratio('theirs').median),
    ),
    row(
      'Poolguard, against the other’s rules about pools',
      'times',
      ratio('theirPoolRules'),
      fasterWords(ratio('theirPoolRules').median),
    ),
  ];
}

function fasterWords(ratio: number): string {
  return ratio > 1 ? 'the other is faster, and does less' : 'Poolguard is faster';
}

function addUp(rounds: readonly NeighbourRound[]): NeighbourRound['costs'] {
  const sum = (turn: Turn) => rounds.reduce((total, { costs }) => total + costs[turn], 0);
  return {
    parse: sum('parse'),
    bare: sum('bare'),
    ours: sum('ours'),
    theirs: sum('theirs'),
    theirPoolRules: sum('theirPoolRules'),
  };
}
