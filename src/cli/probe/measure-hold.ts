import { commonDefaults } from '../../probe/request.ts';
import type { ProbeEvent } from '../../probe/result.ts';
import { runProbe } from '../../probe/run-probe.ts';
import { CouldNotRun } from '../exit-code.ts';
import type { TargetFlags } from '../read-target.ts';
import { writeStack } from '../write-stack.ts';
import { readConsent, type ConsentFlags } from './options/safety-options.ts';
import { readWorkload, type StatementFlags } from './options/workload-options.ts';
import { createProbeProgress } from './probe-progress.ts';
import { askFor, readProbeTarget, type ExperimentIo } from './run-experiment.ts';

export type HoldAnswer =
  | { readonly kind: 'held'; readonly holdMs: number; readonly notes: readonly string[] }
  | { readonly kind: 'cancelled' };

/** Long enough for a mean. */
const seconds = 2;

/** How long the statement holds a client of a real pool, when it has the server to itself. Throws `CouldNotRun` with a sentence. */
export async function measureHold(
  url: string | undefined,
  flags: TargetFlags & StatementFlags & ConsentFlags,
  { io, processPath }: ExperimentIo,
): Promise<HoldAnswer> {
  if ([flags.sql, flags.file, flags.top, flags.fromCode].every((each) => each === undefined))
    throw new CouldNotRun(
      '--hold is needed: how long a request holds its client, in milliseconds. Or name a database and --sql, to have the statement timed.',
    );
  if (flags.yes !== true && io.onKey === undefined)
    throw new CouldNotRun(
      'Timing the statement needs your consent, but this terminal is not interactive. Add --yes or --hold.',
    );
  // The users' experiment, with one user who never pauses and a pool of one.
  const one = [
    { seconds: 0.05, users: 1 },
    { seconds, users: 1 },
  ];
  const request = {
    ...commonDefaults,
    ...(await readProbeTarget(url, flags, io)),
    ...(await readWorkload(flags, io.cwd)),
    ...readConsent(flags),
    experiment: 'users' as const,
    stages: one,
    sizes: [1],
    thinkMs: 0,
    max: 2,
  };
  const last = await runProbe(request, {
    signal: io.signal,
    processPath,
    onEvent: tellTiming(createProbeProgress(io.stderr)),
    confirm: askFor(flags, io).ask,
  });
  if (last.kind === 'cancelled') return last;
  if (last.kind === 'failed') writeStack(last.stack, io);
  if (last.kind !== 'result')
    throw new CouldNotRun(last.kind === 'failed' ? last.sentence : 'The probe gave no answer.');
  const held = last.result.rows[0]?.load.database ?? null;
  if (held === null) throw new CouldNotRun('The statement gave no answer, so it cannot be timed.');
  const holdMs = Math.round(held.averageMs * 100) / 100;
  return {
    kind: 'held',
    holdMs,
    notes: [
      `The hold time of ${holdMs} ms was measured: ${held.count} times, one after the other. A request that does more with its client than this statement holds it longer.`,
    ],
  };
}

/** The plan and the progress in the words of what is done here, in place of those of the experiment that does it. */
function tellTiming(show: (event: ProbeEvent) => void): (event: ProbeEvent) => void {
  let isTimed = false;
  return (event) => {
    if (event.kind === 'plan')
      show({
        kind: 'plan',
        plan: {
          ...event.plan,
          sizes: [],
          steps: [`Run the statement on one client, one run after the other, for ${seconds} s`],
        },
      });
    // Before the plan it tells of other probes that it waits for.
    else
      show(
        event.kind === 'progress' && isTimed ? { ...event, doing: 'timing the statement' } : event,
      );
    isTimed ||= event.kind === 'plan';
  };
}
