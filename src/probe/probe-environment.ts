import type { SessionLimits } from '../database/session-limits.ts';
import type { Environment } from '../database/target.ts';
import type { Clock } from './clock.ts';
import type { RandomSource } from './random.ts';
import type { ProbeEvent, ProbePlan } from './result.ts';

/** What the measuring process gives to whatever runs in it. */
export interface ProbeEnvironment {
  readonly emit: (event: ProbeEvent) => void;
  /** Cancels. */
  readonly signal: AbortSignal;
  /** Fires when the user wants the answer that there is by now. */
  readonly enough: AbortSignal;
  readonly clock: Clock;
  /** Milliseconds in which a server that answers nothing is taken for lost. */
  readonly longestSilenceMs: number;
  readonly random: RandomSource;
  /** Variables of the user. */
  readonly environment: Environment;
  /** Six letters and digits that tell this probe from others. */
  readonly probeId: string;
  /** ISO 8601. */
  readonly startedAt: string;
  /** Resolves when the plan was agreed to; false when it was not, or the probe was cancelled. */
  readonly confirm: (plan: ProbePlan) => Promise<boolean>;
  /** Told of a server that breaks the protocol, over whatever connection of the probe. */
  readonly onBreach?: (sentence: string) => void;
}

/** What every connection of this probe has in common. */
export function commonLimits(
  around: Pick<ProbeEnvironment, 'probeId' | 'onBreach'>,
): Pick<SessionLimits, 'applicationName' | 'onBreach'> {
  const { onBreach } = around;
  return {
    applicationName: applicationName(around),
    ...(onBreach !== undefined && { onBreach }),
  };
}

/** `application_name` of every connection of this probe. */
function applicationName({ probeId }: Pick<ProbeEnvironment, 'probeId'>): string {
  return `poolguard-probe/${probeId}`;
}
