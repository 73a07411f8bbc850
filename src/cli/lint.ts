import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { Option } from 'commander';
import pc from 'picocolors';
import type { Plugin } from '../lint/plugin.ts';
import type { Pooler } from '../lint/pooler.ts';
import type { LintResult } from './formats/lint-result.ts';
import type { Severities } from './lint-options.ts';
import type { Terminal } from './progress.ts';
import { version } from '../../package.json';
import { toPlainText } from '../activity/plain-text.ts';
import { createLinter } from '../lint/linter.ts';
import { factsOf, ruleIdsOf } from '../lint/plugin.ts';
import { codeOf, findFiles } from './find-files.ts';
import { formatAsEslintJson } from './formats/eslint-json.ts';
import { countProblems, withoutWarnings } from './formats/lint-result.ts';
import { formatAsSarif } from './formats/sarif.ts';
import { formatStylish } from './formats/stylish.ts';
import { lintFiles } from './lint-files.ts';
import { createRuleReader, readCount, readPooler } from './lint-options.ts';
import { createProgress } from './progress.ts';

/** What the command needs of its process. */
export interface LintIo {
  readonly cwd: string;
  readonly stdout: Terminal;
  readonly stderr: Terminal;
  /** Whether standard output shows colours. */
  readonly isColored: boolean;
  readonly now: () => number;
  /** Aborted when the user presses Ctrl-C. */
  readonly signal: AbortSignal;
  setExitCode(code: number): void;
}

interface LintFlags {
  readonly format: keyof typeof formats;
  readonly rule: Severities;
  readonly pooler?: Pooler;
  readonly quiet?: true;
  readonly maxWarnings?: number;
  readonly outputFile?: string;
}

const formats = {
  stylish: (result: LintResult, isColored: boolean) => formatStylish(result, pc.createColors(isColored)),
  json: (result: LintResult) => formatAsEslintJson(result),
  sarif: (result: LintResult) => formatAsSarif(result, version),
};

const examples = `
Examples:
  poolguard lint                                  every source file below this folder that git does not ignore
  poolguard lint src 'packages/*/src/**/*.ts'     folders, files and patterns
  poolguard lint --pooler pgbouncer:transaction:1.21
  poolguard lint --rule no-session-state=error --rule no-pool-per-request=off
  poolguard lint --format sarif --output-file poolguard.sarif

Comments as in ESLint switch a finding off: // eslint-disable-next-line poolguard/no-unreleased-client -- reason

Exit codes: 0 nothing to complain about, 1 errors or too many warnings, 2 could not run.
`;

/** Adds `lint [paths…]`. */
export function addLintCommand(program: Command, io: LintIo, plugin: Plugin): void {
  program
    .command('lint')
    .description('find connection-pool bugs in JavaScript and TypeScript; needs no configuration')
    .argument('[paths...]', 'files, folders or glob patterns', ['.'])
    .addOption(new Option('-f, --format <format>', 'how to report').choices(Object.keys(formats)).default('stylish'))
    .option('--rule <id=severity>', 'set a rule to off, warn or error; may be repeated', createRuleReader(ruleIdsOf(plugin)), {})
    .option('--pooler <kind[:mode[:version]]>', 'the pooler in front of the database, for example pgbouncer:transaction:1.21', readPooler)
    .option('--quiet', 'report errors only')
    .option('--max-warnings <count>', 'exit with 1 when there are more warnings', readCount)
    .option('-o, --output-file <file>', 'write the report to a file')
    .option('--no-color', 'no colours; NO_COLOR=1 does the same')
    .addHelpText('after', examples)
    .action(async (paths: string[], flags: LintFlags) => {
      io.setExitCode(await run(paths, flags, io, plugin));
    });
}

/** The exit code. */
async function run(paths: readonly string[], flags: LintFlags, io: LintIo, plugin: Plugin): Promise<number> {
  const { files, complaints } = await findFiles(paths, io.cwd);
  if (complaints.length > 0) return refuse(complaints, io);
  if (files.length === 0) return refuse([`There is no JavaScript or TypeScript file to check in ${paths.join(', ')} (ignored files and build output do not count).`], io);
  const linted = await lintAll(files, flags, io, plugin);
  if (io.signal.aborted) return refuse(['Stopped before every file was checked, so there is no report.'], io);
  const { errors, warnings } = countProblems(linted);
  const shown = flags.quiet === true ? withoutWarnings(linted) : linted;
  const rules = ruleIdsOf(plugin).map((id) => ({ id, ...factsOf(plugin, id) }));
  const failure = await report({ cwd: io.cwd, files: shown, rules }, flags, io);
  if (failure !== undefined) return refuse([failure], io);
  if (warnings > (flags.maxWarnings ?? Infinity)) {
    io.stderr.write(`Poolguard found ${warnings} warnings, more than the ${flags.maxWarnings} that --max-warnings allows.\n`);
    return 1;
  }
  return errors > 0 ? 1 : 0;
}

function refuse(sentences: readonly string[], io: LintIo): 2 {
  for (const sentence of sentences) io.stderr.write(`${toPlainText(sentence)}\n`);
  return 2;
}

async function lintAll(files: readonly string[], { rule, pooler }: LintFlags, io: LintIo, plugin: Plugin) {
  const lint = createLinter(plugin, { cwd: io.cwd, severities: rule, ...(pooler === undefined ? {} : { pooler }) });
  const progress = createProgress('Checked', files.length, io.stderr, io.now);
  try {
    return await lintFiles(files, lint, () => { progress.step(); }, io.signal);
  } finally {
    progress.end();
  }
}

/** A sentence when the report could not be written. */
async function report(result: LintResult, { format, outputFile }: LintFlags, io: LintIo): Promise<string | undefined> {
  const text = formats[format](result, io.isColored && outputFile === undefined);
  if (outputFile === undefined) {
    io.stdout.write(text);
    return undefined;
  }
  try {
    await writeFile(resolve(io.cwd, outputFile), text);
    return undefined;
  } catch (failure) {
    return `The report could not be written to ${outputFile}: ${codeOf(failure)}.`;
  }
}
