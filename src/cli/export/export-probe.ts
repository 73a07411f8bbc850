import { version } from '../../../package.json';
import type { PlanFrame } from '../../k6/plan-k6.ts';
import { defaultUrl } from '../../k6/script-request.ts';
import { readSharing, type SharingFlags } from '../probe/options/limit-options.ts';
import { readScriptRequest, refuseHttpTarget } from './export-k6.ts';
import type { ExportUrlFlags } from './export-options.ts';

/** What an exported probe of any kind begins with. The database that the command may name is not looked at. */
export function frameOfProbe(
  target: string | undefined,
  flags: ExportUrlFlags & Partial<SharingFlags>,
): PlanFrame {
  refuseHttpTarget(target);
  return {
    request: readScriptRequest({
      url: flags.url ?? defaultUrl,
      method: 'GET',
      headers: {},
      body: null,
    }),
    sharing: readSharing(flags),
    madeBy: version,
  };
}
