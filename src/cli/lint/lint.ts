import { resolve } from 'node:path';
import type { Command } from 'commander';
import { columnsOf, type CliIo } from '../cli-io.ts';
import { declare } from '../command-list.ts';
import type { LintedFile } from '../../lint/linter.ts';
import type { LintResult } from '../formats/lint-result.ts';
import type { KnownRules } from '../../lint/known-rules.ts';
import { CouldNotRun, exitCodes } from '../exit-code.ts';
import { findFiles } from '../../lint/find-files.ts';
import { countProblems, failedFiles, withoutWarnings } from '../formats/lint-result.ts';
import { cacheFileAt, openLintCache } from '../cache/lint-cache.ts';
import { openBaseline } from './baseline.ts';
import { configure, type Configuration } from './configuration.ts';
import { lintFiles, type Checking, type LoadCheck } from './lint-files.ts';
import { describeFixes, fixingOf, writeFixes } from './fixes.ts';
import { addLintFlags, type LintFlags } from './lint-flags.ts';
import { lintFormats, lintSummary } from './lint-formats.ts';
import { printConfig } from './print-config.ts';
import { createProgress } from '../progress.ts';
import { writeStack } from '../write-stack.ts';
import { writeWhole } from '../write-whole.ts';

const examples = `
Examples:
  poolguard lint                                  every source file below this folder that git does not ignore
  poolguard lint src 'packages/*/src/**/*.ts'     folders, files and patterns
  poolguard lint src '!**/*.test.ts'              all of src but its tests
  poolguard lint --pooler pgbouncer:transaction:1.21
  poolguard lint --rule 'no-external-await-while-holding: off' --rule 'no-session-state: [error, { allow: [listen] }]'
  poolguard lint --format sarif --output-file poolguard.sarif
  poolguard lint --fix-dry-run                    what --fix would change
  poolguard lint --suppress-all                   from now on report new errors only
  poolguard lint --cache                          only what changed since the last run; keep .poolguardcache out of git

Configuration: the project's eslint.config.* where it runs eslint-plugin-poolguard, else poolguard.config.{js,mjs,cjs,ts,mts,json} with { preset, rules, ignores, maxWarnings, pooler }, else the preset recommended. Options count over both. Both are run with your rights: use --no-config in a folder that you do not trust.
--fix keeps a fix only if the problem is gone and no other one has come.
Suppressed errors are not reported. Their file is shared with ESLint: only errors of Poolguard's rules are added to it and taken from it.
Comments as in ESLint switch a finding off: // eslint-disable-next-line poolguard/no-unreleased-client -- reason
Files that cannot reach a pool, judging by their text and imports, are not parsed, so their syntax errors are not reported.
With --cache a file is checked again when its content, an import of it, its configuration or the options have changed. A --cache-location that is a folder gets a file for each working folder.
POOLGUARD_DEBUG=verdicts also writes a line for each acquire: what became of the client, and why nothing is said where nothing is said.

Exit codes: 0 no errors, 1 errors or too many warnings, 2 could not run, 3 no errors, but a file could not be analysed.
POOLGUARD_DEBUG=1 prints the stack of each file that could not be analysed.
`;

/** The rules, and what runs them. */
export interface Rules {
  readonly known: KnownRules;
  readonly loadCheck: LoadCheck;
}

/** Adds `lint [paths…]`. */
export function addLintCommand(program: Command, io: CliIo, rules: Rules): void {
  const command = declare(program, 'lint').argument(
    '[paths...]',
    'files, folders or glob patterns',
    ['.'],
  );
  addLintFlags(command, rules.known);
  command.addHelpText('after', examples).action(async (paths: string[], flags: LintFlags) => {
    io.setExitCode(await run(paths, flags, io, rules));
  });
}

/** The exit code. */
async function run(
  paths: readonly string[],
  flags: LintFlags,
  io: CliIo,
  rules: Rules,
): Promise<number> {
  if (flags.printConfig !== undefined && paths.join() !== '.')
    throw new CouldNotRun('--print-config takes its one file, and no other path.');
  if (flags.printConfig !== undefined)
    return await printConfig(flags.printConfig, flags, io, rules.known);
  const { files, complaints } = await findFiles(paths, io.cwd, flags.ignorePattern);
  if (complaints.length > 0) throw new CouldNotRun(complaints.join(' '));
  const configuration = await configure(files, paths, flags, io, rules.known);
  if (configuration.files.length === 0)
    throw new CouldNotRun(
      `There is no JavaScript or TypeScript file to check in ${paths.join(', ')} (ignored files and build output do not count).`,
    );
  const baseline = openBaseline(flags, rules.known.rules, io.cwd);
  const checked = await lintAll(configuration, flags, io, rules);
  if (io.signal.aborted)
    throw new CouldNotRun('Stopped before every file was checked, so there is no report.');
  if (flags.fix === true) writeFixes(checked, io.cwd);
  const { files: linted, complaint } = baseline(checked);
  const shown = flags.quiet === true ? withoutWarnings(linted) : linted;
  const isDryRun = flags.fixDryRun === true;
  report({ cwd: io.cwd, files: shown, rules: rules.known.rules, isDryRun }, flags, io);
  const fixes = describeFixes(linted, flags.fix === true);
  if (fixes !== null) io.stderr.write(`${fixes}\n`);
  for (const { mistake } of linted) writeStack(mistake?.stack, io);
  return exitCodeFor(linted, complaint, configuration, io);
}

/** Says why the run fails, where that is not because of errors. */
function exitCodeFor(
  linted: readonly LintedFile[],
  complaint: string | null,
  { maxWarnings }: Configuration,
  { stderr }: CliIo,
): number {
  const { errors, warnings } = countProblems(linted);
  const hasTooMany = warnings > maxWarnings;
  if (hasTooMany)
    stderr.write(
      `Poolguard found too many warnings: ${warnings}, at most ${maxWarnings} are allowed.\n`,
    );
  if (complaint !== null) {
    stderr.write(`${complaint}\n`);
    return exitCodes.couldNotRun;
  }
  if (errors > 0 || hasTooMany) return exitCodes.findings;
  return failedFiles(linted).length > 0 ? exitCodes.notAnalysed : exitCodes.fine;
}

async function lintAll(
  { files, checks }: Configuration,
  flags: LintFlags,
  io: CliIo,
  rules: Rules,
): Promise<readonly LintedFile[]> {
  const { concurrency, outputFile, cache: isCached = false, cacheLocation } = flags;
  const settings = {
    cwd: io.cwd,
    isNoting: isCached,
    ...checks,
    ...fixingOf(flags, rules.known.rules),
  };
  const cache =
    !isCached || writesVerdicts(io)
      ? undefined
      : openLintCache({
          file: cacheFileAt(cacheLocation, io.cwd),
          written: outputFile === undefined ? [] : [resolve(io.cwd, outputFile)],
          checks: settings,
          ruleIds: idsOf(rules),
          bundle: io.engineBundle,
          begun: Date.now(),
        });
  const known = new Map(files.flatMap((path) => keyed(path, cache?.find(path))));
  const checked = await checkAll(
    files.filter((path) => !known.has(path)),
    {
      loadCheck: rules.loadCheck,
      settings,
      // What the analysis writes of each file stands in the order of the files.
      concurrency: writesVerdicts(io) ? 'off' : concurrency,
      bundle: io.threadBundle,
      signal: io.signal,
    },
    io,
  );
  if (!io.signal.aborted) {
    const why = cache?.save(checked) ?? null;
    if (why !== null)
      io.stderr.write(`What was found could not be kept for the next run. ${why}\n`);
  }
  for (const file of checked) known.set(file.path, file);
  return files.flatMap((path) => known.get(path) ?? []);
}

function idsOf({ known }: Rules): string[] {
  return known.rules.map(({ id }) => id);
}

function keyed<Value>(key: string, value: Value | undefined): (readonly [string, Value])[] {
  return value === undefined ? [] : [[key, value]];
}

async function checkAll(files: readonly string[], checking: Checking, io: CliIo) {
  const progress = createProgress('Checked', files.length, io.stderr, io.now);
  try {
    return await lintFiles(files, checking, () => {
      progress.step();
    });
  } finally {
    progress.end();
  }
}

function writesVerdicts({ env }: CliIo): boolean {
  return env['POOLGUARD_DEBUG'] === 'verdicts';
}

function report(result: LintResult, { format, outputFile }: LintFlags, io: CliIo): void {
  const text = lintFormats[format](
    result,
    outputFile === undefined
      ? { isColored: io.isColored, columns: columnsOf(io.stdout) }
      : { isColored: false, columns: null },
  );
  if (outputFile === undefined) return void io.stdout.write(text);
  writeReport(resolve(io.cwd, outputFile), text);
  io.stderr.write(lintSummary(result, { isColored: io.isColored, columns: columnsOf(io.stderr) }));
}

function writeReport(file: string, text: string): void {
  const why = writeWhole(file, text);
  if (why !== null) throw new CouldNotRun(why);
}
