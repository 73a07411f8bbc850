import { version } from '../../../package.json';
import type { UserStage } from '../../probe/experiment.ts';
import { planUsers } from '../../k6/plan-k6.ts';
import type { HttpRequest } from '../../sweep/load/load-tool.ts';
import type { CliIo } from '../cli-io.ts';
import { CouldNotRun } from '../exit-code.ts';
import type { SharingFlags } from '../probe/options/limit-options.ts';
import { exportK6, readScriptRequest } from './export-k6.ts';
import type { ExportFlags } from './export-options.ts';

interface SweepAsked extends ExportFlags, SharingFlags {
  readonly sizes: readonly number[];
  readonly think: number;
}

/** The users of a sweep as a script; its sizes are for whoever starts the application. */
export function exportSweep(
  http: HttpRequest,
  stages: readonly UserStage[],
  flags: SweepAsked,
  io: Pick<CliIo, 'cwd' | 'stdout'>,
): void {
  const { workers, instances, deployOverlap, sizes, think: thinkMs } = flags;
  const plan = planUsers(
    {
      request: readScriptRequest(http),
      sharing: { workers, instances, deployOverlap },
      madeBy: version,
    },
    { origin: 'sweep', stages, thinkMs, sizes },
  );
  if (plan === null)
    throw new CouldNotRun(
      'The stages have no users. Use the form 10s:10,20s:30: the length of each stage, and the number of users at its end.',
    );
  exportK6(plan, flags, io);
}
