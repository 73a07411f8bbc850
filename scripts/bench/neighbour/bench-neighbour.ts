import * as typescriptParser from '@typescript-eslint/parser';
import { Linter, type ESLint } from 'eslint';
import type { Bench } from '../bench.ts';
import type { Row } from '../figures.ts';
import { allRules, configFor, doesParse, parserOptions, type SourceText } from '../lint-run.ts';
import { readProject, type Project } from '../project-files.ts';
import { loadNeighbour, neighbourName } from './load-neighbour.ts';
import { takeTurns, toNeighbourRows, type NeighbourRound, type Turn } from './neighbour-rows.ts';

/** Its rules that are about pools, as ours all are. */
const poolRules = [
  'no-missing-client-release',
  'prevent-double-release',
  'no-transaction-on-pool',
  'prefer-pool-query',
  'no-floating-query',
];
const prefix = 'neighbour';

/** The rules beside those of the nearest other plugin: the same files, in the same process, in turn. */
export async function benchNeighbour(
  bench: Bench,
  projects: readonly Project[],
): Promise<readonly Row[]> {
  bench.progress(`${neighbourName} is fetched`);
  const loaded = await loadNeighbour(bench.scratch, bench.neighbour);
  if (loaded.kind === 'missing') {
    bench.warn(`${loaded.sentence} Nothing is compared with it.`);
    return [];
  }
  const measured = projects
    .map((project) => ({ project, files: readProject(project, bench.files).filter(doesParse) }))
    .filter(({ files }) => files.length > 0);
  const rounds: NeighbourRound[] = [];
  for (let round = 0; round < bench.rounds; round++) {
    for (const { project, files } of measured) {
      bench.progress(
        `${project.name} beside ${neighbourName}: round ${round + 1} of ${bench.rounds}`,
      );
      const costs = await lintInTurn(files, project.folder, loaded.plugin, round, bench);
      rounds.push({ project: project.name, round, files: files.length, costs });
    }
  }
  return toNeighbourRows(rounds, {
    name: `${neighbourName} ${loaded.version}`,
    rules: Object.keys(loaded.plugin.rules ?? {}).length,
    poolRules: poolRules.length,
  });
}

/** CPU time of each way of linting, in ms, summed up over the files. */
async function lintInTurn(
  files: readonly SourceText[],
  folder: string,
  plugin: ESLint.Plugin,
  round: number,
  { stopwatch }: Bench,
): Promise<Readonly<Record<Turn, number>>> {
  const parser = { ...typescriptParser };
  const others = { [prefix]: plugin };
  const theirs = (ids: readonly string[]): Linter.RulesRecord =>
    Object.fromEntries(ids.map((id) => [`${prefix}/${id}`, 'error']));
  const configs = {
    bare: await configFor(folder, parser, {}, others),
    ours: await configFor(folder, parser, allRules(), others),
    theirs: await configFor(folder, parser, theirs(Object.keys(plugin.rules ?? {})), others),
    theirPoolRules: await configFor(folder, parser, theirs(poolRules), others),
  };
  const linter = new Linter({ cwd: folder });
  const sums: Record<Turn, number> = { parse: 0, bare: 0, ours: 0, theirs: 0, theirPoolRules: 0 };
  for (const [index, { path, text }] of files.entries()) {
    // Sources of their own that were parsed and walked once, so that the noise of parsing is in none.
    const sourceFor = (config: (typeof configs)['bare']) => {
      linter.verify(text, configs.bare, { filename: path });
      const source = linter.getSourceCode();
      return () => void linter.verify(source, config, { filename: path });
    };
    const work: Record<Turn, () => void> = {
      parse: () => void parser.parseForESLint(text, parserOptions(path)),
      bare: sourceFor(configs.bare),
      ours: sourceFor(configs.ours),
      theirs: sourceFor(configs.theirs),
      theirPoolRules: sourceFor(configs.theirPoolRules),
    };
    for (const turn of takeTurns(index + round)) sums[turn] += stopwatch(work[turn]).cpu;
  }
  return sums;
}
