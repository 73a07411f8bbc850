import { window } from 'vscode';
import { probeCommands } from '../../contributions.ts';
import { sizeDefaults, type WorkloadRequest } from '../../probe/request.ts';
import type { LiveActivity } from '../activity/live-activity.ts';
import type { CodeIndex } from '../code-index.ts';
import type { CommandTable } from '../command-table.ts';
import { plainMessage } from '../connections/plain-labels.ts';
import { isProbing, type ProbeControl } from './probe-control.ts';
import type { ProbeMemory } from './probe-memory.ts';

export interface ProbeCommandParts {
  readonly live: LiveActivity;
  readonly probe: ProbeControl;
  readonly memory: ProbeMemory;
  readonly code: CodeIndex;
  readonly connectSomewhere: () => Promise<void>;
  /** Shows the sidebar. */
  readonly reveal: () => PromiseLike<unknown>;
  readonly showCurve: () => void;
}

/** What palette, lenses and pages can ask of the probe. */
export function probeTable(parts: ProbeCommandParts): CommandTable<typeof probeCommands> {
  const { live, probe, memory, code } = parts;
  const lastWorkload = () => live.open && memory.workloadOf(live.open.target);
  const choice = () => ({ memory, last: lastWorkload(), facts: code.code?.facts });
  return {
    [probeCommands.probe]: () =>
      probeWith(parts, async () => (await whatToProbe()).chooseWorkload(choice())),
    [probeCommands.probeAgain]: () =>
      probeWith(parts, async () => lastWorkload() ?? (await whatToProbe()).onlyWorkload(choice())),
    [probeCommands.probeQuery]: (place) =>
      probeWith(parts, async () => {
        const statement = await (await whatToProbe()).chooseQuery(place, code, memory);
        return statement && { kind: 'statements', statements: [statement] };
      }),
    [probeCommands.cancelProbe]: () => probe.cancel(),
    [probeCommands.concludeProbe]: () => probe.conclude(),
    [probeCommands.askBeforeProbes]: () => askAgain(memory),
  };
}

function whatToProbe() {
  return import('./what-to-probe.ts');
}

/** Probes the connected database, after asking for one where none is. Resolves when the answer was told. */
async function probeWith(
  parts: ProbeCommandParts,
  choose: () => Promise<WorkloadRequest | undefined>,
): Promise<void> {
  const { live, probe, memory, connectSomewhere, reveal } = parts;
  if (isProbing(probe.state))
    return void window.showInformationMessage('A probe is already running.');
  if (live.open === undefined) await connectSomewhere();
  const { open } = live;
  if (open === undefined) return;
  const workload = await choose();
  // The question may have been answered long after it was asked.
  if (workload === undefined || live.open !== open) return;
  await reveal();
  await memory.keepWorkload(open.target, workload);
  const before = probe.state;
  await probe.start(
    { ...sizeDefaults, ...open, workload, trustOwners: memory.trustedOwnersOf(open.target) },
    { isAgreed: memory.isAgreed(open.target) },
  );
  // A plan that is declined brings back what was there.
  if (probe.state !== before) await tellAnswer(parts);
}

async function tellAnswer({ probe: { state }, showCurve }: ProbeCommandParts): Promise<void> {
  if (state.kind !== 'result') return;
  const max = state.result.recommendation?.max;
  const told = await window.showInformationMessage(
    plainMessage(
      max === undefined
        ? 'The probe ended without a recommendation.'
        : `The probe recommends max: ${max}.`,
    ),
    'Show the curve',
  );
  if (told !== undefined) showCurve();
}

async function askAgain(memory: ProbeMemory): Promise<void> {
  const databases = await memory.askAgain();
  void window.showInformationMessage(
    plainMessage(
      databases === 0
        ? 'Poolguard already asks before every probe.'
        : 'Poolguard will ask before every probe again.',
    ),
  );
}
