import { resolve } from 'node:path';
import type { KnownRules } from '../../lint/known-rules.ts';
import { toJson } from '../../text/to-json.ts';
import type { CliIo } from '../cli-io.ts';
import { exitCodes } from '../exit-code.ts';
import { configure } from './configuration.ts';
import type { LintFlags } from './lint-flags.ts';

/** Prints which rules run in a file, and which configuration says so. The exit code. */
export async function printConfig(
  named: string,
  flags: LintFlags,
  io: CliIo,
  known: KnownRules,
): Promise<number> {
  const file = resolve(io.cwd, named);
  const { files, checks, fileOf, maxWarnings } = await configure([file], [named], flags, io, known);
  const [rules] = files.length > 0 ? checks.configurations : [];
  const { severities = {}, options = {}, pooler, written } = rules ?? {};
  const settings = written ?? (pooler === undefined ? {} : { pooler });
  const printed = {
    file,
    configuration: fileOf(file),
    isLinted: rules !== undefined,
    rules: Object.fromEntries(
      Object.entries(severities).map(([id, severity]) => [id, [severity, ...(options[id] ?? [])]]),
    ),
    settings: { poolguard: settings },
    ...(maxWarnings === Infinity ? {} : { maxWarnings }),
  };
  io.stdout.write(`${toJson(printed, 2)}\n`);
  return exitCodes.fine;
}
