import type { Command } from 'commander';
import { Option } from 'commander';
import type { KnownRules } from '../../lint/known-rules.ts';
import type { Pooler } from '../../lint/pooler.ts';
import { cacheName } from '../cache/lint-cache.ts';
import { lintFormats } from './lint-formats.ts';
import { readConcurrency, readCount, readPooler, type Concurrency } from './lint-options.ts';
import { suppressionsName } from './suppressions.ts';

/** What was typed. */
export interface LintFlags {
  /** False for `--no-config`. */
  readonly config?: string | false;
  readonly printConfig?: string;
  readonly preset?: string;
  readonly rule?: readonly string[];
  readonly pooler?: Pooler;
  readonly ignorePattern?: readonly string[];
  readonly fix?: true;
  readonly fixDryRun?: true;
  readonly format: keyof typeof lintFormats;
  readonly json?: true;
  readonly outputFile?: string;
  readonly quiet?: true;
  readonly maxWarnings?: number;
  readonly suppressAll?: true;
  readonly suppressRule?: readonly string[];
  readonly pruneSuppressions?: true;
  readonly passOnUnprunedSuppressions?: true;
  readonly suppressionsLocation?: string;
  readonly cache?: boolean;
  readonly cacheLocation: string;
  readonly concurrency: Concurrency;
}

/** Declares the options of `lint`, in the groups of its help. */
export function addLintFlags(command: Command, known: KnownRules): void {
  addRuleFlags(command.optionsGroup('Rules:'), known);
  command
    .optionsGroup('Files:')
    .option(
      '--ignore-pattern <pattern>',
      'leave out files or folders that match; repeatable',
      several,
    );
  command
    .optionsGroup('Fixes:')
    .option('--fix', 'apply the fixes that change nothing besides what is reported')
    .addOption(
      new Option('--fix-dry-run', 'show what --fix would change, and write nothing').conflicts(
        'fix',
      ),
    );
  addReportFlags(command.optionsGroup('Report:'));
  addSuppressionFlags(command.optionsGroup('Known errors:'));
  addSpeedFlags(command.optionsGroup('Speed:'));
}

function addRuleFlags(command: Command, { presets }: KnownRules): void {
  command
    .option('-c, --config <file>', 'a poolguard.config.* or eslint.config.* (default: the nearest)')
    .option('--no-config', 'read no configuration')
    .option('--print-config <file>', 'print what applies to a file, and from where, as JSON')
    .addOption(
      new Option(
        '--preset <name>',
        'rules and severities to begin with (default: recommended)',
      ).choices(Object.keys(presets)),
    )
    .option(
      '--rule <id: severity>',
      "set a rule to off, warn or error, or 'id: [severity, { options }]'; repeatable",
      several,
    )
    .option(
      '--pooler <kind[:mode[:version]]>',
      'the pooler in front of the database, for example pgbouncer:transaction:1.21',
      readPooler,
    );
}

function addReportFlags(command: Command): void {
  command
    .addOption(
      new Option('-f, --format <format>', 'how to report')
        .choices(Object.keys(lintFormats))
        .default('stylish'),
    )
    .addOption(new Option('--json', 'short for --format json').conflicts('format'))
    .option('-o, --output-file <file>', 'write the report to a file')
    .option('--quiet', 'report errors only')
    .option('--max-warnings <count>', 'exit with 1 when there are more warnings', readCount);
}

function addSuppressionFlags(command: Command): void {
  const others = ['suppressAll', 'suppressRule', 'pruneSuppressions'];
  const exclusive = (flags: string, description: string) => {
    const option = new Option(flags, description);
    return option.conflicts(others.filter((name) => name !== option.attributeName()));
  };
  command
    .addOption(exclusive('--suppress-all', 'suppress every error that there is today'))
    .addOption(
      exclusive('--suppress-rule <id>', 'suppress the errors of a rule; repeatable').argParser(
        several,
      ),
    )
    .addOption(exclusive('--prune-suppressions', 'forget suppressed errors that no longer occur'))
    .option('--pass-on-unpruned-suppressions', 'do not fail because of them')
    .option(
      '--suppressions-location <file>',
      `the file of suppressed errors, as ESLint writes it (default: ${suppressionsName})`,
    );
}

function addSpeedFlags(command: Command): void {
  command
    .option('--cache', 'check only files for which something changed since the last run')
    .option('--cache-location <file|folder>', 'where --cache keeps what it knows', cacheName)
    .option(
      '--concurrency <threads>',
      'number of threads, auto or off; auto starts one for every two cores when there are many files',
      readConcurrency,
      'auto',
    );
}

function several(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
