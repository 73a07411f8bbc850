import { fork, type ChildProcess } from 'node:child_process';
import { toSentRequest, type ProbeCommand } from './messages.ts';
import type { ExperimentKind } from './experiment.ts';
import type { ProbeRequest } from './request.ts';
import type { ProbeEvent, ProbePlan, ProbeResult, ResultOf } from './result.ts';

export interface RunProbeOptions<Result extends ProbeResult = ProbeResult> {
  /** Cancels: the probe closes its connections and ends with `cancelled`. */
  readonly signal: AbortSignal;
  /** Ends the measuring with what is known by then. Only the size experiment heeds it. */
  readonly enough?: AbortSignal;
  /** Every event, the last one included. */
  readonly onEvent: (event: ProbeEvent<Result>) => void;
  /** The bundle of `process.ts`: `dist/probe.cjs`. */
  readonly processPath: string;
  /** Asked before anything is done; without it the plan is agreed to. The signal takes the question back, when the probe ended meanwhile. */
  readonly confirm?: (plan: ProbePlan, signal: AbortSignal) => Promise<boolean>;
  /** Process id of the measuring process, for whoever must be able to end it. */
  readonly onStart?: (pid: number) => void;
}

/** Whoever cancels hears so after this time at the latest, in milliseconds; the process may still be closing its connections then. */
const answerMs = 200;
/** After a cancel the process has this long to close its connections, in milliseconds. */
const cancelGraceMs = 3000;

/** Runs one probe in a process of its own. Resolves with its last event once that process is gone, or soon after a cancel; never rejects. */
export async function runProbe<Kind extends ExperimentKind>(
  request: Extract<ProbeRequest, { experiment: Kind }>,
  {
    signal,
    enough,
    onEvent,
    processPath,
    onStart,
    confirm = agree,
  }: RunProbeOptions<ResultOf<Kind>>,
): Promise<ProbeEvent<ResultOf<Kind>>> {
  if (signal.aborted) return finish({ kind: 'cancelled' }, onEvent);
  const over = new AbortController();
  const child = startProcess(processPath);
  if (child.pid !== undefined) onStart?.(child.pid);
  let last: ProbeEvent<ResultOf<Kind>> | undefined;
  child.on('message', (event: ProbeEvent<ResultOf<Kind>>) => {
    if (signal.aborted) return;
    if (isLast(event, request)) last = event;
    else onEvent(event);
    if (event.kind === 'plan' && !isLast(event, request))
      void confirm(event.plan, over.signal).then((agreed) =>
        say(child, { kind: agreed ? 'go' : 'cancel' }),
      );
  });
  const conclude = () => say(child, { kind: 'conclude' });
  enough?.addEventListener('abort', conclude, { once: true, signal: over.signal });
  const cancelled = endWhenCancelled(child, signal);
  say(child, { kind: 'start', sent: toSentRequest(request) });
  const sentence = await Promise.race([waitForEnd(child), cancelled]);
  over.abort();
  return finish(
    last ??
      (sentence === null || signal.aborted ? { kind: 'cancelled' } : { kind: 'failed', sentence }),
    onEvent,
  );
}

function agree(): Promise<boolean> {
  return Promise.resolve(true);
}

function startProcess(path: string): ChildProcess {
  return fork(path, [], {
    // Inspector and loader flags of the starting process are not meant for this one.
    execArgv: [],
    // The extension host's executable is Electron.
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

function isLast(event: ProbeEvent, { dryRun }: ProbeRequest): boolean {
  return event.kind === 'plan' ? dryRun : event.kind !== 'progress';
}

function finish<Event>(event: Event, onEvent: (event: Event) => void): Event {
  onEvent(event);
  return event;
}

/** After a cancel, asks first, and kills a process that does not listen. Resolves with null soon after the cancel, if there is one. */
function endWhenCancelled(child: ChildProcess, signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    const begin = () => {
      say(child, { kind: 'cancel' });
      const killing = setTimeout(() => child.kill('SIGKILL'), cancelGraceMs);
      const answering = setTimeout(resolve, answerMs, null);
      child.once('close', () => {
        clearTimeout(killing);
        clearTimeout(answering);
        resolve(null);
      });
    };
    signal.addEventListener('abort', begin, { once: true });
    child.once('close', () => signal.removeEventListener('abort', begin));
  });
}

function say(child: ChildProcess, command: ProbeCommand): void {
  // An error here means that the process has gone, which its `exit` tells as well.
  child.send(command, () => undefined);
}

/** Resolves with what to say if no last event came. */
function waitForEnd(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) =>
      resolve(
        `The probe's process could not be started (${'code' in error ? String(error.code) : error.name}).`,
      ),
    );
    child.once('close', (code, signal) =>
      resolve(
        `The probe's process ended before its answer (${signal ?? `exit code ${code ?? 'unknown'}`}). Its connections are closed; run the probe again.`,
      ),
    );
  });
}
