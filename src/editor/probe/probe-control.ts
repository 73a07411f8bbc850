import type { SizeRequest } from '../../probe/request.ts';
import type { ConnectionTarget } from '../../database/target.ts';
import type { ProbeEvent, SizeResult } from '../../probe/result.ts';
import type { runProbe } from '../../probe/run-probe.ts';
import type { ProbeState } from '../../webview/messages.ts';

export interface ProbeControlOptions {
  readonly run: typeof runProbe<'size'>;
  /** `dist/probe.cjs`. */
  readonly processPath: string;
  readonly onResult: (target: ConnectionTarget, result: SizeResult) => void;
  readonly onChange: () => void;
}

/** At most one probe at a time, and the answer of the last one. */
export class ProbeControl {
  readonly #options: ProbeControlOptions;
  #state: ProbeState = { kind: 'idle' };
  #running: { readonly abort: AbortController; readonly ended: Promise<unknown> } | undefined;

  constructor(options: ProbeControlOptions) {
    this.#options = options;
  }

  get state(): ProbeState {
    return this.#state;
  }

  /** Resolves when the probe has ended and its connections are closed. */
  async start(request: SizeRequest): Promise<void> {
    if (this.#running !== undefined) return;
    const abort = new AbortController();
    this.#set({ kind: 'running', fraction: 0, doing: 'Looking at the server', sizes: [] });
    const ended = this.#options.run(request, { signal: abort.signal, processPath: this.#options.processPath, onEvent: (event) => this.#receive(request, event) });
    this.#running = { abort, ended };
    await ended;
    this.#running = undefined;
    this.#options.onChange();
  }

  async cancel(): Promise<void> {
    this.#running?.abort.abort();
    await this.#running?.ended;
  }

  /** What was found about another database says nothing about this one. */
  async clear(): Promise<void> {
    await this.cancel();
    this.#set({ kind: 'idle' });
  }

  #receive({ target }: SizeRequest, event: ProbeEvent<SizeResult>): void {
    if (event.kind === 'result') this.#options.onResult(target, event.result);
    this.#set(nextProbeState(this.#state, event));
  }

  #set(state: ProbeState): void {
    this.#state = state;
    this.#options.onChange();
  }
}

export function nextProbeState(state: ProbeState, event: ProbeEvent<SizeResult>): ProbeState {
  switch (event.kind) {
    case 'plan':
      return state;
    case 'progress':
      return { kind: 'running', fraction: event.fraction, doing: event.doing, sizes: event.sizes };
    case 'result':
      return { kind: 'result', result: event.result };
    case 'cancelled':
    case 'failed':
      return event;
  }
}
