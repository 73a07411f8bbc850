import { window } from 'vscode';
import { probeCommands } from '../../contributions.ts';
import { sizeDefaults } from '../../probe/request.ts';
import type { LiveActivity } from '../activity/live-activity.ts';
import type { CommandTable } from '../command-table.ts';
import type { ProbeControl } from './probe-control.ts';

export interface ProbeCommandParts {
  readonly live: LiveActivity;
  readonly probe: ProbeControl;
  readonly connectSomewhere: () => Promise<void>;
  /** Shows the sidebar. */
  readonly reveal: () => PromiseLike<unknown>;
  readonly showCurve: () => void;
}

/** What the palette can ask of the probe. */
export function probeTable(parts: ProbeCommandParts): CommandTable<typeof probeCommands> {
  return { [probeCommands.probe]: () => runProbeCommand(parts), [probeCommands.cancelProbe]: () => parts.probe.cancel() };
}

/** Probes the connected database, after asking for one where none is. Resolves when the answer was told. */
async function runProbeCommand({ live, probe, connectSomewhere, reveal, showCurve }: ProbeCommandParts): Promise<void> {
  if (live.open === undefined) await connectSomewhere();
  if (live.open === undefined) return;
  await reveal();
  await probe.start({ ...sizeDefaults, ...live.open });
  const { state } = probe;
  if (state.kind !== 'result') return;
  const max = state.result.recommendation?.max;
  const told = await window.showInformationMessage(max === undefined ? 'The probe ended without a recommendation.' : `The probe recommends max: ${max}.`, 'Show the curve');
  if (told !== undefined) showCurve();
}
