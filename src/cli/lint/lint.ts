import { resolve } from 'node:path';
import type { Command } from 'commander';
import { columnsOf, type CliIo } from '../cli-io.ts';
import { declare } from '../command-list.ts';
import type { LintedFile } from '../../lint/linter.ts';
import type { LintResult } from '../formats/lint-result.ts';
import type { KnownRules } from '../../lint/known-rules.ts';
import { Cancelled, CouldNotRun, exitCodes } from '../exit-code.ts';
import { findFiles } from '../../lint/find-files.ts';
import { countProblems, failedFiles, withoutWarnings } from '../formats/lint-result.ts';
import { ledAway, wayTo } from '../../files/inside.ts';
import { cacheFileAt, openLintCache, type LintCache } from '../cache/lint-cache.ts';
import { findSigningKey } from '../cache/signing-key.ts';
import type { CheckSettings } from '../../lint/check-file.ts';
import { toPlainText } from '../../activity/plain-text.ts';
import { openBaseline } from './baseline.ts';
import { configure, type Configuration } from './configuration.ts';
import { lintFiles, type Checking, type LoadCheck } from './lint-files.ts';
import { describeFixes, fixingOf, writeFixes } from './fixes.ts';
import { addLintFlags, type LintFlags } from './lint-flags.ts';
import { lintFormats, lintSummary, type LintView } from './lint-formats.ts';
import { printConfig } from './print-config.ts';
import { createProgress } from '../progress.ts';
import { writeStack } from '../write-stack.ts';
import { writeWhole } from '../../files/write-whole.ts';

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
  const { files, complaints: unfound } = await findFiles(paths, io.cwd, flags.ignorePattern);
  if (unfound.length > 0) throw new CouldNotRun(unfound.join(' '));
  const configuration = await configure(files, paths, flags, io, rules.known);
  if (configuration.files.length === 0)
    throw new CouldNotRun(
      `There is no JavaScript or TypeScript file to check in ${paths.join(', ')} (ignored files and build output do not count).`,
    );
  return await lintAndReport(configuration, flags, io, rules);
}

/** The exit code. What cannot be written makes it 2, and what was found is printed all the same. */
async function lintAndReport(
  configuration: Configuration,
  flags: LintFlags,
  io: CliIo,
  rules: Rules,
): Promise<number> {
  const baseline = openBaseline(flags, rules.known.rules, io.cwd);
  const { checked, complaints: ofCache } = await lintAll(configuration, flags, io, rules);
  if (io.signal.aborted)
    throw new Cancelled('Cancelled before every file was checked; there is no report.');
  const isFixing = flags.fix === true;
  const { files, complaints: ofFixes } = isFixing
    ? writeFixes(checked, io.cwd)
    : { files: checked, complaints: [] };
  const { files: linted, complaints: ofBaseline } = baseline(files);
  const shown = flags.quiet === true ? withoutWarnings(linted) : linted;
  const isDryRun = flags.fixDryRun === true;
  const ofReport = report(
    { cwd: io.cwd, files: shown, rules: rules.known.rules, isDryRun },
    flags,
    io,
  );
  const fixes = describeFixes(linted, isFixing);
  if (fixes !== null) io.stderr.write(`${fixes}\n`);
  for (const { mistake } of linted) writeStack(mistake?.stack, io);
  const complaints = [...ofCache, ...ofFixes, ...ofBaseline, ...ofReport];
  return exitCodeFor(linted, complaints, configuration, io);
}

/** Says why the run fails, where that is not because of errors. */
function exitCodeFor(
  linted: readonly LintedFile[],
  complaints: readonly string[],
  { maxWarnings }: Configuration,
  { stderr }: CliIo,
): number {
  const { errors, warnings } = countProblems(linted);
  const hasTooMany = warnings > maxWarnings;
  if (hasTooMany)
    stderr.write(
      `Poolguard found too many warnings: ${warnings}, at most ${maxWarnings} are allowed.\n`,
    );
  if (complaints.length > 0) {
    stderr.write(`${complaints.join(' ')}\n`);
    return exitCodes.couldNotRun;
  }
  if (errors > 0 || hasTooMany) return exitCodes.findings;
  const isUnknown = linted.some(({ problems }) => problems.some(({ rule }) => rule === null));
  return isUnknown || failedFiles(linted).length > 0 ? exitCodes.notAnalysed : exitCodes.fine;
}

async function lintAll(
  { files, checks }: Configuration,
  flags: LintFlags,
  io: CliIo,
  rules: Rules,
): Promise<{ readonly checked: readonly LintedFile[]; readonly complaints: readonly string[] }> {
  const settings = {
    cwd: io.cwd,
    isNoting: flags.cache === true,
    ...checks,
    ...fixingOf(flags, rules.known.rules),
  };
  const { cache, complaints } = openCache(settings, flags, io, rules);
  const known = new Map(files.flatMap((path) => keyed(path, cache?.find(path))));
  const checked = await checkAll(
    files.filter((path) => !known.has(path)),
    {
      loadCheck: rules.loadCheck,
      settings,
      // What the analysis writes of each file stands in the order of the files.
      concurrency: writesVerdicts(io) ? 'off' : flags.concurrency,
      bundle: io.threadBundle,
      signal: io.signal,
    },
    io,
  );
  // What a cancelled run found is there for the next one.
  const why = cache?.save(checked) ?? null;
  if (why !== null) io.stderr.write(`${notKept} ${why}\n`);
  for (const file of checked) known.set(file.path, file);
  return { checked: files.flatMap((path) => known.get(path) ?? []), complaints };
}

const notKept = 'What was found could not be kept for the next run.';

/** The cache of this run, where it has one, and why the run fails for the place of it. */
function openCache(
  checks: CheckSettings,
  { cache: isCached, cacheLocation, outputFile }: LintFlags,
  io: CliIo,
  rules: Rules,
): { readonly cache?: LintCache; readonly complaints: readonly string[] } {
  if (isCached !== true || writesVerdicts(io)) return { complaints: [] };
  const file = cacheFileAt(cacheLocation, io.cwd);
  const { ledTo } = wayTo(file, io.cwd);
  if (ledTo !== undefined) return { complaints: [ledAway(file, ledTo)] };
  const signing = findSigningKey(io.env, io.cwd);
  if (signing.kind === 'none') {
    io.stderr.write(`${notKept} ${signing.sentence}\n`);
    return { complaints: [] };
  }
  const cache = openLintCache({
    file,
    signingKey: signing.key,
    written: outputFile === undefined ? [] : [resolve(io.cwd, outputFile)],
    checks,
    ruleIds: idsOf(rules),
    bundle: io.engineBundle,
    begun: Date.now(),
  });
  if (cache.isForeign && io.env['POOLGUARD_DEBUG'] === '1')
    io.stderr.write(`${toPlainText(file)} is not used: it is not signed with your key.\n`);
  return { cache, complaints: [] };
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

/** Gives why the report could not be written to its file, if so; it is on standard output then. */
function report(
  result: LintResult,
  { format, json, outputFile }: LintFlags,
  { cwd, isColored, stdout, stderr }: CliIo,
): readonly string[] {
  const textFor = (view: LintView): string =>
    lintFormats[json === true ? 'json' : format](result, view);
  const why =
    outputFile === undefined
      ? null
      : writeWhole(resolve(cwd, outputFile), textFor({ isColored: false, columns: null }), { cwd });
  if (outputFile === undefined || why !== null)
    stdout.write(textFor({ isColored, columns: columnsOf(stdout) }));
  else stderr.write(lintSummary(result, { isColored, columns: columnsOf(stderr) }));
  return why === null ? [] : [why];
}
