import { resolve } from 'node:path';
import type { Command } from 'commander';
import { Option } from 'commander';
import type { Pooler } from '../lint/pooler.ts';
import type { CliIo } from './cli-io.ts';
import type { CheckSettings } from '../lint/check-file.ts';
import type { LintedFile } from '../lint/linter.ts';
import type { LintResult } from './formats/lint-result.ts';
import type { Concurrency, Severities } from './lint-options.ts';
import type { KnownRules } from '../lint/known-rules.ts';
import { CouldNotRun, exitCodes } from './exit-code.ts';
import { findFiles } from '../lint/find-files.ts';
import { countProblems, failedFiles, withoutWarnings } from './formats/lint-result.ts';
import { cacheFileAt, cacheName, openLintCache } from './cache/lint-cache.ts';
import { lintFiles, type Checking, type LoadCheck } from './lint-files.ts';
import { lintFormats, lintSummary } from './lint-formats.ts';
import { createRuleReader, readConcurrency, readCount, readPooler } from './lint-options.ts';
import { createProgress } from './progress.ts';
import { readSuppressions, suppressionsName, withoutSuppressed } from './suppressions.ts';
import { writeStack } from './write-stack.ts';
import { writeWhole } from './write-whole.ts';

interface LintFlags {
  readonly format: keyof typeof lintFormats;
  readonly preset: string;
  readonly rule?: Severities;
  readonly ignorePattern?: readonly string[];
  readonly pooler?: Pooler;
  readonly quiet?: true;
  readonly maxWarnings?: number;
  readonly outputFile?: string;
  readonly concurrency: Concurrency;
  readonly cache?: boolean;
  readonly cacheLocation: string;
  readonly suppressionsLocation?: string;
}

const examples = `
Examples:
  poolguard lint                                  every source file below this folder that git does not ignore
  poolguard lint src 'packages/*/src/**/*.ts'     folders, files and patterns
  poolguard lint src '!**/*.test.ts'              all of src but its tests
  poolguard lint --pooler pgbouncer:transaction:1.21
  poolguard lint --rule no-session-state=error --rule no-external-await-while-holding=off
  poolguard lint --format sarif --output-file poolguard.sarif
  poolguard lint --cache                          only what changed since the last run; keep .poolguardcache out of git

Files that cannot reach a pool, judging by their text and imports, are not parsed, so their syntax errors are not reported.
With --cache a file is checked again when its content, an import of it, its configuration or the options have changed. A --cache-location that is a folder gets a file for each working folder.
POOLGUARD_DEBUG=verdicts also writes a line for each acquire: what became of the client, and why nothing is said where nothing is said.
Comments as in ESLint switch a finding off: // eslint-disable-next-line poolguard/no-unreleased-client -- reason
The errors that eslint-suppressions.json of the working folder allows are not reported, as in ESLint.

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
  program
    .command('lint')
    .description('find connection-pool bugs in JavaScript and TypeScript; needs no configuration')
    .argument('[paths...]', 'files, folders or glob patterns', ['.'])
    .addOption(
      new Option('-f, --format <format>', 'how to report')
        .choices(Object.keys(lintFormats))
        .default('stylish'),
    )
    .addOption(
      new Option('--preset <name>', 'rules and severities to begin with')
        .choices(rules.known.presets)
        .default('recommended'),
    )
    .option(
      '--rule <id=severity>',
      'set a rule to off, warn or error; may be repeated',
      createRuleReader(idsOf(rules)),
    )
    .option(
      '--pooler <kind[:mode[:version]]>',
      'the pooler in front of the database, for example pgbouncer:transaction:1.21',
      readPooler,
    )
    .option(
      '--ignore-pattern <pattern>',
      'leave out files or folders that match; may be repeated',
      (pattern: string, before: readonly string[] = []) => [...before, pattern],
    )
    .option('--quiet', 'report errors only')
    .option('--max-warnings <count>', 'exit with 1 when there are more warnings', readCount)
    .option('-o, --output-file <file>', 'write the report to a file')
    .option(
      '--concurrency <threads>',
      'number of threads, auto or off; auto starts one for every two cores when there are many files',
      readConcurrency,
      'auto',
    )
    .option('--cache', 'check only files for which something changed since the last run')
    .option('--cache-location <file|folder>', 'where --cache keeps what it knows', cacheName)
    .option(
      '--suppressions-location <file>',
      `suppressions file of eslint --suppress-all (default: ${suppressionsName}, if it exists)`,
    )
    .addHelpText('after', examples)
    .action(async (paths: string[], flags: LintFlags) => {
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
  const { files, complaints } = await findFiles(paths, io.cwd, flags.ignorePattern);
  if (complaints.length > 0) throw new CouldNotRun(complaints.join(' '));
  if (files.length === 0)
    throw new CouldNotRun(
      `There is no JavaScript or TypeScript file to check in ${paths.join(', ')} (ignored files and build output do not count).`,
    );
  const suppressions = readSuppressions(flags.suppressionsLocation, io.cwd);
  const linted = withoutSuppressed(await lintAll(files, flags, io, rules), suppressions, io.cwd);
  if (io.signal.aborted)
    throw new CouldNotRun('Stopped before every file was checked, so there is no report.');
  const { errors, warnings } = countProblems(linted);
  const shown = flags.quiet === true ? withoutWarnings(linted) : linted;
  report({ cwd: io.cwd, files: shown, rules: rules.known.rules }, flags, io);
  for (const { mistake } of linted) writeStack(mistake?.stack, io);
  if (warnings > (flags.maxWarnings ?? Infinity)) {
    io.stderr.write(
      `Poolguard found ${warnings} warnings, more than the ${flags.maxWarnings} that --max-warnings allows.\n`,
    );
    return exitCodes.findings;
  }
  if (errors > 0) return exitCodes.findings;
  return failedFiles(linted).length > 0 ? exitCodes.notAnalysed : exitCodes.fine;
}

async function lintAll(
  files: readonly string[],
  flags: LintFlags,
  io: CliIo,
  rules: Rules,
): Promise<readonly LintedFile[]> {
  const { concurrency, outputFile, cache: isCached = false, cacheLocation } = flags;
  const settings = toCheckSettings(flags, io.cwd);
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
      bundle: io.lintBundle,
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

function toCheckSettings(
  { preset, rule, pooler, cache = false }: LintFlags,
  cwd: string,
): CheckSettings {
  return {
    cwd,
    preset,
    isNoting: cache,
    ...(rule === undefined ? {} : { severities: rule }),
    ...(pooler === undefined ? {} : { pooler }),
  };
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
  const text = lintFormats[format](result, io.isColored && outputFile === undefined);
  if (outputFile === undefined) return void io.stdout.write(text);
  writeReport(resolve(io.cwd, outputFile), text);
  io.stderr.write(lintSummary(result, io.isColored));
}

function writeReport(file: string, text: string): void {
  const why = writeWhole(file, text);
  if (why !== null) throw new CouldNotRun(why);
}
