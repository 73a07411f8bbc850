import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { sizeDefaults } from '../../probe/request.ts';
import type { CliIo } from '../cli-io.ts';
import { targetHelp } from '../read-target.ts';
import { addCommonOptions, readCommon, runExperiment, type CommonFlags, type ExperimentIo } from './run-experiment.ts';

interface SizeFlags extends CommonFlags {
  readonly validate: boolean;
}

const examples = `
Examples:
  poolguard probe postgres://app@localhost:5432/shop --sql "SELECT * FROM users LIMIT 100"
  poolguard probe --sql "SELECT * FROM users WHERE id = $1" --param 1..100000
  poolguard probe --sql "SELECT …" --workers 4      address from DATABASE_URL or the PG* variables
  poolguard probe postgres://app@localhost/shop --dry-run
  poolguard probe --yes --json > probe.json

The probe opens its connections once and lets 1, 2, 3, … of them work by turns for fractions of a second. It recommends the smallest
size that reaches 90 % of the best throughput. It reads only unless --allow-writes is given, leaves half of the free connections and at
least five to others, and refuses targets that look like production unless --i-know is given. It shows its plan and asks before it begins.

Exit codes: 0 a size was found, 1 too noisy to name one, 2 could not run, 130 cancelled.
`;

/** The experiments that are commands under \`probe\`: a row each. */
const experimentCommands: readonly ((probe: Command, parts: ExperimentIo) => void)[] = [];

/** Adds `probe [url]` and the experiments below it. The measuring process is `dist/probe.cjs`, which lies beside the bundle of the command line. */
export function addProbeCommand(program: Command, io: CliIo, processPath = fileURLToPath(new URL('./probe.cjs', import.meta.url))): void {
  const probe = addCommonOptions(program.command('probe').description('measure which pool size (max) a statement needs on a development database'))
    .option('--no-validate', 'skip the check with a real pool')
    .addHelpText('after', `${targetHelp}\n${examples}`)
    .action(async (url: string | undefined, flags: SizeFlags) => {
      io.setExitCode(await runExperiment({ ...sizeDefaults, ...(await readCommon(url, flags, io)), validate: flags.validate }, flags, { io, processPath }));
    });
  for (const add of experimentCommands) add(probe, { io, processPath });
}
