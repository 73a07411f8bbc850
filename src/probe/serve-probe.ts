import { randomInt } from 'node:crypto';
import { stackOf } from '../database/secret.ts';
import { conductProbe } from './conduct-probe.ts';
import { fromSentRequest, type ProbeCommand, type SentRequest } from './messages.ts';
import { createRandom } from './random.ts';
import type { ProbeEvent } from './result.ts';
import type { ProbeEnvironment } from './probe-environment.ts';

/** Without a listener the process has this long to cancel its statements and to close its connections, in milliseconds. */
const closingMs = 2000;

/** Waits in this process for the order to probe, runs it by that clock, and exits once its last event is handed over. */
export function serveProbe(time: Pick<ProbeEnvironment, 'clock' | 'longestSilenceMs'>): void {
  const [ending, enough] = [new AbortController(), new AbortController()];
  let agree: (isAgreed: boolean) => void = () => undefined;
  const agreed = new Promise<boolean>((resolve) => (agree = resolve));
  ending.signal.addEventListener('abort', () => agree(false));
  const answers: {
    readonly [Kind in ProbeCommand['kind']]: (
      command: Extract<ProbeCommand, { kind: Kind }>,
    ) => void;
  } = {
    start: ({ sent }) =>
      void run(sent, {
        ...time,
        signal: ending.signal,
        enough: enough.signal,
        confirm: () => agreed,
      }).then(leave, leaveAfterCrash),
    go: () => agree(true),
    conclude: () => enough.abort(),
    cancel: () => ending.abort(),
  };
  process.on('message', (command: ProbeCommand) =>
    (answers[command.kind] as (command: ProbeCommand) => void)(command),
  );
  // The one who started the probe is gone, even if it was killed: nobody waits for an answer, so nothing may go on.
  process.on('disconnect', () => {
    ending.abort();
    setTimeout(() => process.exit(), closingMs);
  });
  // Ctrl-C in a terminal reaches the whole group; the starting process decides and says `cancel`.
  process.on('SIGINT', () => undefined);
  process.on('uncaughtException', leaveAfterCrash);
}

function run(
  sent: SentRequest,
  given: Pick<ProbeEnvironment, 'clock' | 'longestSilenceMs' | 'signal' | 'enough' | 'confirm'>,
): Promise<ProbeEvent> {
  return conductProbe(fromSentRequest(sent), {
    ...given,
    emit: send,
    random: createRandom(randomInt(2 ** 32)),
    environment: process.env,
    probeId: randomInt(36 ** 6)
      .toString(36)
      .padStart(6, '0'),
    startedAt: new Date().toISOString(),
  });
}

function send(event: ProbeEvent): void {
  if (process.connected) process.send?.(event, undefined, undefined, () => undefined);
}

/** Exits once the last event is handed over. */
function leave(last: ProbeEvent): void {
  if (!process.connected) process.exit();
  process.send?.(last, undefined, undefined, () => process.exit());
}

function leaveAfterCrash(error: unknown): void {
  const name = error instanceof Error ? error.name : 'error';
  leave({
    kind: 'failed',
    sentence: `The probe failed unexpectedly (${name}). This is a mistake in Poolguard: please report it with the statement.`,
    stack: stackOf(error),
  });
}
