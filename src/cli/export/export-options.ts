import { Option, type Command } from 'commander';
import { defaultUrl } from '../../k6/script-request.ts';
import { CouldNotRun } from '../exit-code.ts';
import { readCount } from '../probe/options/read-count.ts';

export interface ExportFlags {
  readonly export?: 'k6';
  readonly outputDir?: string;
  readonly force?: true;
  readonly parallelism?: number;
}

/** Of commands that have no other use for an address over HTTP. */
export interface ExportUrlFlags extends ExportFlags {
  readonly url?: string;
}

const help = `
Export: --export k6 measures nothing and connects to nothing. It writes poolguard-k6.js, a script for k6 that asks your application over
HTTP, and poolguard-k6-testrun.yaml for the k6 operator, which shares the load among pods, and says how to run both. poolguard report
reads the summary that the script writes. docs/k6.md has the arithmetic of connections × workers × instances.`;

/** Writing the load as a script instead of making it. */
export function addExportOptions(command: Command): void {
  command
    .optionsGroup('Export:')
    .addOption(
      new Option('--export <tool>', 'write the load as a script for another tool, and run nothing')
        .choices(['k6'])
        .conflicts(['json', 'format', 'output', 'dryRun']),
    )
    .option('--output-dir <folder>', 'of --export: where the files go (default: here)')
    .option('--force', 'of --export: overwrite files that are there')
    .option(
      '--parallelism <pods>',
      'of --export: pods that share the load in a cluster (default: 2)',
      readCount(1, 1000),
    )
    .addHelpText('after', help);
}

/** The address that a script asks, for commands that know none. */
export function addExportUrl(command: Command): void {
  command.option('--url <url>', `of --export: what the script asks (default: ${defaultUrl})`);
}

type ExportOption =
  | 'outputDir'
  | 'force'
  | 'parallelism'
  | 'url'
  | 'rates'
  | 'workers'
  | 'instances'
  | 'deployOverlap';

/** Throws `CouldNotRun` for options that only an export has. */
export function refuseLoneExportOptions(
  flags: ExportFlags & { readonly [name in ExportOption]?: unknown },
  names: readonly ExportOption[],
): void {
  const lone = names.find((name) => flags[name] !== undefined);
  if (flags.export === undefined && lone !== undefined)
    throw new CouldNotRun(
      `--${lone.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} requires --export k6.`,
    );
}
