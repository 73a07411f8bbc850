// The entry of the measuring process: a probe needs an event loop that nobody else uses, and one that can be killed.
import { randomInt } from 'node:crypto';
import { systemClock } from './clock.ts';
import { conductProbe } from './conduct-probe.ts';
import { fromSentRequest, type ProbeCommand } from './messages.ts';
import { createRandom } from './random.ts';
import type { ProbeEvent } from './result.ts';

listen();

function listen(): void {
  const ending = new AbortController();
  process.on('message', (command: ProbeCommand) => {
    if (command.kind === 'cancel') ending.abort();
    else void run(command, ending.signal).then(leave, leaveAfterCrash);
  });
  // The one who started the probe is gone, even if it was killed: nobody waits for an answer, so nothing may go on.
  process.on('disconnect', () => process.exit());
  // Ctrl-C in a terminal reaches the whole group; the starting process decides and says `cancel`.
  process.on('SIGINT', () => undefined);
  process.on('uncaughtException', leaveAfterCrash);
}

function run({ sent }: Extract<ProbeCommand, { kind: 'start' }>, signal: AbortSignal): Promise<ProbeEvent> {
  const random = createRandom(randomInt(2 ** 32));
  return conductProbe(fromSentRequest(sent), { emit: send, signal, clock: systemClock, random, nodeEnvironment: process.env['NODE_ENV'] });
}

function send(event: ProbeEvent): void {
  process.send?.(event);
}

/** Exits once the last event is handed over. */
function leave(last: ProbeEvent): void {
  process.send?.(last, undefined, undefined, () => process.exit());
}

function leaveAfterCrash(error: unknown): void {
  const name = error instanceof Error ? error.name : 'error';
  leave({ kind: 'failed', sentence: `The probe broke down (${name}). This is a mistake in Poolguard: please report it with the statement.` });
}
