import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Command } from 'commander';
import type { ESLint } from 'eslint';
import type { CliIo } from '../../../src/cli/cli-io.ts';
import { CouldNotRun, exitCodes } from '../../../src/cli/exit-code.ts';
import { toStoredResults, withBlock, writtenBlocks, type StoredResults } from './accuracy-docs.ts';
import { readFixPairs, readSites, ruledBy } from './labels.ts';
import type { WorkerProgram } from './lane.ts';
import { lintCommits, type LintedCommit } from './lint-commits.ts';
import { resultsOf, tasksOf, type Request, type Run } from './run.ts';
import { describeRun } from './text-report.ts';

interface Flags {
  readonly mirrors?: string;
  readonly cache: string;
  readonly remote: string;
  readonly labels: string;
  readonly rulings?: string | false;
  readonly repo?: readonly string[];
  readonly tests?: true;
  readonly pairs?: string | true;
  readonly allFiles?: boolean;
  readonly settings: string;
  readonly json?: string;
  readonly listUnlabelled?: true;
  readonly writeDocs?: true;
}

/** Where this repository lies and what it is run with. */
export interface CorpusSetting {
  readonly io: CliIo;
  readonly worker: WorkerProgram;
  /** The repository of Poolguard itself. */
  readonly root: string;
  /** YYYY-MM-DD */
  readonly today: () => string;
}

const teaching = `
Lints public repositories at fixed commits with the plugin as it was built from these sources, and compares
what it says with what people said who read the code. The labels lie in test/corpus; ARCHITECTURE.md says more.

A bug counts as found when a rule of its class reports it: a leak on the line of the acquire, the others
anywhere in the function around it, or on a line that its label names. Sites of tests, unclear ones, and those
in programs that end anyway are left out unless --tests is given.

Examples:
  npm run corpus                                  fetch what is missing from GitHub, and measure
  npm run corpus -- --mirrors ~/mirrors           bare git directories owner+name or owner/name.git
  npm run corpus -- --repo NodeBB/NodeBB --list-unlabelled
  npm run corpus -- --pairs --all-files --json run.json
  npm run corpus -- --labels test/corpus/transactions.tsv
  npm run corpus -- --write-docs                  all of it, into test/corpus/sites.json and docs/accuracy.md

Exit codes: 0 measured, 1 a rule crashed or a file could not be read by us alone, 2 could not run.
`;

export function addCorpusOptions(program: Command, setting: CorpusSetting): Command {
  const { io, root } = setting;
  const labelsFolder = join(root, 'test', 'corpus');
  return program
    .description('Measures the precision and recall of Poolguard on labelled public code.')
    .option('--mirrors <folder>', 'take repositories from bare git directories in this folder')
    .option(
      '--cache <folder>',
      'where fetched repositories and laid out sources stay',
      defaultCache(io.env),
    )
    .option(
      '--remote <url>',
      'where repositories are fetched from without --mirrors',
      'https://github.com',
    )
    .option('--labels <file>', 'another table of labelled sites', join(labelsFolder, 'sites.tsv'))
    .option('--rulings <file>', 'another table of sites whose labels were read once more')
    .option('--no-rulings', 'judge by the labels as they were first written')
    .option('--repo <owner/name...>', 'only these repositories')
    .option('--tests', 'also sites of tests, unclear ones, and those in programs that end anyway')
    .option('--pairs [file]', 'also bug fixes: it must speak before and be silent after')
    .option('--all-files', 'also lint every source file, and look for crashes')
    .option('--no-all-files', 'with --write-docs: only the labelled sites and the bug fixes')
    .option(
      '--settings <json>',
      'ESLint settings, for example \'{"poolguard":{"pooler":"pgbouncer"}}\'',
      '{}',
    )
    .option('--list-unlabelled', 'list the reports outside the labelled sites')
    .option('--json <file>', 'write the whole run as JSON')
    .option('--write-docs', 'measure everything, and write the figures into the documents')
    .addHelpText('after', teaching)
    .action((flags: Flags) => measure(flags, setting));
}

/** What the platform keeps for programs that can make it again. */
export function defaultCache(env: CliIo['env']): string {
  const folders: Readonly<Record<string, string | undefined>> = {
    darwin: join(homedir(), 'Library', 'Caches'),
    win32: env['LOCALAPPDATA'],
  };
  return join(
    env['XDG_CACHE_HOME'] ?? folders[process.platform] ?? join(homedir(), '.cache'),
    'poolguard-corpus',
  );
}

async function measure(flags: Flags, setting: CorpusSetting): Promise<void> {
  const { io, root, worker, today } = setting;
  const plugin = await loadPlugin(root);
  const request = requestOf(flags, setting, Object.keys(plugin.rules ?? {}));
  const tasks = tasksOf(request);
  const place = (path: string) => resolve(io.cwd, path);
  const linted = await lintCommits(tasks, {
    origins: {
      mirrors: flags.mirrors === undefined ? null : place(flags.mirrors),
      remote: flags.remote,
      cache: place(flags.cache),
    },
    worker,
    job: { rules: request.rules, settings: readSettings(flags.settings), plugin: pluginFile(root) },
    signal: io.signal,
    onDone: (commit, done) =>
      io.stderr.write(`${done}/${tasks.length} ${describeCommit(commit)}\n`),
  });
  const { name = 'eslint-plugin-poolguard', version = '' } = plugin.meta ?? {};
  const run = resultsOf(request, linted, { date: today(), plugin: { name, version } });
  io.stdout.write(describeRun(run, flags.listUnlabelled === true));
  if (flags.json !== undefined)
    writeFileSync(place(flags.json), `${JSON.stringify(run, null, 1)}\n`);
  if (flags.writeDocs === true) writeDocs(toStoredResults(run), nameOf(flags.labels), root);
  if (hasTrouble(run, linted)) io.setExitCode(exitCodes.findings);
}

function pluginFile(root: string): string {
  return join(root, 'rules', 'dist', 'index.js');
}

async function loadPlugin(root: string): Promise<ESLint.Plugin> {
  const file = pluginFile(root);
  if (!existsSync(file))
    throw new CouldNotRun(
      `${file} is missing. Run \`npm run build\` in the repository of Poolguard first.`,
    );
  return ((await import(pathToFileURL(file).href)) as { default: ESLint.Plugin }).default;
}

/** Those beside the labels of this repository unless others are wanted, or none. */
function rulingsFile({ rulings }: Flags, { io, root }: CorpusSetting): string | undefined {
  if (rulings === false) return undefined;
  if (typeof rulings === 'string') return resolve(io.cwd, rulings);
  const own = join(root, 'test', 'corpus', 'rulings.tsv');
  return existsSync(own) ? own : undefined;
}

function requestOf(flags: Flags, setting: CorpusSetting, rules: readonly string[]): Request {
  const { io, root } = setting;
  const { labels, repo, tests, pairs, writeDocs } = flags;
  const isWanted = (name: string) => repo === undefined || repo.includes(name);
  const { set, sites: labelled } = readSites(resolve(io.cwd, labels));
  const rulings = rulingsFile(flags, setting);
  const all = rulings === undefined ? labelled : ruledBy(rulings, labelled);
  const sites = all.filter((site) => isWanted(site.repo) && (tests === true || site.isHeadline));
  const isFull = writeDocs === true && nameOf(labels) === 'sites';
  const pairsFile =
    typeof pairs === 'string'
      ? resolve(io.cwd, pairs)
      : join(root, 'test', 'corpus', 'fix_pairs.tsv');
  const wantsPairs = pairs !== undefined || isFull;
  const request = {
    set,
    sites,
    pairs: wantsPairs
      ? readFixPairs(pairsFile).filter(({ before }) => isWanted(before.repo))
      : null,
    wantsAll: flags.allFiles ?? isFull,
    rules,
  };
  if (sites.length === 0 && (request.pairs ?? []).length === 0)
    throw new CouldNotRun(
      'No labelled site is left to measure. Check --labels and --repo, which wants owner/name.',
    );
  return request;
}

function readSettings(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // The same sentence serves text that is no JSON and JSON that is no object.
  }
  throw new CouldNotRun(
    '--settings wants a JSON object, for example \'{"poolguard":{"pooler":"pgbouncer"}}\'.',
  );
}

function describeCommit({ repo, commit, folder, because, sources }: LintedCommit): string {
  const name = `${repo}@${commit.slice(0, 10)}`;
  if (folder === null) return `${name} is left out: ${because}`;
  const seconds = sources.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 1_000;
  return `${name}: ${sources.length} files, ${seconds.toFixed(1)} s`;
}

function hasTrouble({ sweep }: Run, linted: readonly LintedCommit[]): boolean {
  const crashes = linted
    .flatMap(({ sources }) => sources)
    .some(({ trouble }) => trouble?.kind === 'crash' || trouble?.kind === 'ours');
  return crashes || (sweep?.parseFailures.length ?? 0) > 0;
}

/** `sites` of `test/corpus/sites.tsv` */
function nameOf(labels: string): string {
  return basename(labels, '.tsv');
}

function writeDocs(results: StoredResults, name: string, root: string): void {
  const file = join(root, 'test', 'corpus', `${name}.json`);
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
  for (const block of writtenBlocks.filter(({ labels }) => labels === name)) {
    const path = join(root, block.file);
    const text = withBlock(readFileSync(path, 'utf8'), block, results);
    if (text === null)
      throw new CouldNotRun(`${path} has lost the marks between which the figures stand.`);
    writeFileSync(path, text);
  }
}
