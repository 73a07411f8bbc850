import { spreadOf, type Row } from '../figures.ts';

/** What linting a repository once took: wall and CPU time in ms, peak memory, and the heap that is still in use at the end, in MB. */
export interface Cost {
  readonly wall: number;
  readonly cpu: number;
  readonly memory: number;
  readonly kept: number;
}

/** The ways in which each repository is linted, in turn. */
export type Way = 'parser' | 'ours' | 'theirs';

/** The command, its start included: on all cores, and over what it kept of a run before. */
export type CommandWay = 'lint' | 'cached';

/** One repository in one round; theirs is missing where the other plugin cannot be had. */
export interface RepositoryRound {
  readonly repository: string;
  readonly costs: Readonly<Record<'parser' | 'ours', Cost>> & { readonly theirs?: Cost } & Readonly<
      Partial<Record<CommandWay, Pick<Cost, 'wall'>>>
    >;
}

interface Measure {
  readonly what: keyof Cost;
  readonly words: string;
  /** For the median of the repositories, and for the worst of them. */
  readonly goals: readonly [median: number | null, worst: number | null];
}

const measures: readonly Measure[] = [
  { what: 'wall', words: 'wall time', goals: [1.12, 1.3] },
  { what: 'cpu', words: 'CPU time', goals: [null, null] },
  { what: 'memory', words: 'peak memory', goals: [1.15, 1.4] },
  { what: 'kept', words: 'heap still in use at the end', goals: [null, null] },
];

const commands: readonly {
  readonly way: CommandWay;
  readonly name: string;
  readonly goal: number;
}[] = [
  { way: 'lint', name: '`poolguard lint`', goal: 0.35 },
  { way: 'cached', name: '`poolguard lint --cache`, nothing changed', goal: 0.05 },
];

/** Ratios to ESLint with the parser alone: of each repository the median of its rounds, and over the repositories the median and the worst. */
export function toRepositoryRows(
  rounds: readonly RepositoryRound[],
  neighbour: string | undefined,
): readonly Row[] {
  const repositories = [...new Set(rounds.map(({ repository }) => repository))];
  const ratiosOf = (way: 'ours' | 'theirs' | CommandWay, what: keyof Cost): readonly number[] =>
    repositories.flatMap((name) => {
      const ratios = rounds
        .filter(({ repository }) => repository === name)
        .flatMap(({ costs }) => {
          const cost: Partial<Cost> | undefined = costs[way];
          return cost?.[what] === undefined ? [] : [cost[what] / costs.parser[what]];
        });
      return ratios.length === 0 ? [] : [spreadOf(ratios).median];
    });
  const note = `times ESLint with the parser alone; ${repositories.length} repositories`;
  const rowsOf = (
    way: 'ours' | 'theirs' | CommandWay,
    name: string,
    { what, words, goals }: Measure,
  ): readonly Row[] => {
    const ratios = ratiosOf(way, what);
    const row = (title: string, values: readonly number[], goal: number | null): Row => ({
      group: 'repositories',
      name: title,
      unit: 'times',
      value: spreadOf(values),
      goal: way === 'theirs' ? null : goal,
      note,
    });
    return ratios.length === 0
      ? []
      : [
          row(`${name}: ${words}`, ratios, goals[0]),
          row(`${name}: ${words}, the worst repository`, [Math.max(...ratios)], goals[1]),
        ];
  };
  return [
    ...measures.flatMap((measure) => rowsOf('ours', 'all rules', measure)),
    ...commands.flatMap(({ way, name, goal }) =>
      rowsOf(way, name, { what: 'wall', words: 'wall time', goals: [goal, null] }),
    ),
    ...measures.flatMap((measure) => rowsOf('theirs', neighbour ?? 'the other plugin', measure)),
  ];
}
