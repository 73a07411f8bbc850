import { aborted } from '../../ownership/aborted.ts';
import { Owner } from '../../ownership/owner.ts';
import type { RefusedOwner, RefusedRole } from '../../probe/refusal.ts';
import type { SizeRequest } from '../../probe/request.ts';
import type { ProbeEvent, ProbePlan, SizeResult } from '../../probe/result.ts';
import type { runProbe } from '../../probe/run-probe.ts';
import type { ProbeState } from '../../webview/to-view.ts';
import { createPlanQuestion, isSamePlan, type PlanQuestion } from './plan-question.ts';

export interface ProbeControlOptions {
  readonly run: typeof runProbe<'size'>;
  /** `dist/probe.cjs`. */
  readonly processPath: string;
  readonly onResult: (request: SizeRequest, result: SizeResult) => void;
  readonly onChange: () => void;
  /** An error of our own, with where it was thrown; the state tells one sentence of it. */
  readonly onError: (stack: string) => void;
  /** Asks whether to do what is planned. */
  readonly confirm: (request: SizeRequest, plan: ProbePlan) => PromiseLike<boolean>;
  /** Asks whether to run as a role that has more rights than a probe needs. */
  readonly askForRole: (role: RefusedRole) => PromiseLike<boolean>;
  /** Asks whether statements may run code of these owners. */
  readonly askForOwners: (
    request: SizeRequest,
    owners: readonly RefusedOwner[],
  ) => PromiseLike<boolean>;
  /** How long a process waits for an answer to its plan, with its connection open, in milliseconds. */
  readonly patienceMs?: number;
}

export interface StartOptions {
  /** Whoever starts it has agreed to what a probe does, so that its plan is not asked about. */
  readonly isAgreed?: boolean;
}

/**
 * What a process that ended leaves to do: nothing; to show what was there before; or another process, with the plan that was agreed
 * to meanwhile, or with the consent that it was refused for, if that is given.
 */
type Attempt =
  | { readonly kind: 'ended' }
  | { readonly kind: 'declined' }
  | { readonly kind: 'agreed'; readonly plan: ProbePlan }
  | LacksConsent;

/** The end of a probe that lacks nothing but a consent. */
type LacksConsent = Extract<ProbeEvent, { kind: 'failed' }>;

/** Less than the minute after which a session of which nothing is heard ends itself. */
const usualPatienceMs = 45_000;

const starting: ProbeState = {
  kind: 'running',
  fraction: 0,
  doing: 'Checking the server',
  sizes: [],
};

/** At most one probe at a time, the one that was started last, and the answer of the last one. Until its plan is agreed to, it only looks at the server. */
export class ProbeControl {
  readonly #options: ProbeControlOptions;
  readonly #owner = new Owner();
  #state: ProbeState = { kind: 'idle' };
  /** What a plan that is declined brings back. */
  #before: ProbeState = { kind: 'idle' };
  #question: PlanQuestion | undefined;
  #enough = new AbortController();

  constructor(options: ProbeControlOptions) {
    this.#options = options;
  }

  get state(): ProbeState {
    return this.#state;
  }

  /** Resolves when the probe has ended and its connections are closed, or when its plan was declined. */
  async start(request: SizeRequest, { isAgreed = false }: StartOptions = {}): Promise<void> {
    this.#withdraw();
    await this.#owner.start((signal) => this.#run(request, isAgreed, signal));
    this.#options.onChange();
  }

  /** Declines the plan that is asked about, or ends the probe that runs. The state tells so at once; resolves when its connections are closed. */
  async cancel(): Promise<void> {
    this.#withdraw();
    await this.#owner.end();
    // It had not begun.
    if (this.#state.kind === 'cancelling') this.#set({ kind: 'cancelled' });
  }

  /** Ends the measuring of the probe that runs: its result is what is known by then. */
  conclude(): void {
    if (this.#state.kind === 'running' && this.#state.sizes.length > 0) this.#enough.abort();
  }

  /** What was found about another database says nothing about this one. */
  async clear(): Promise<void> {
    await this.cancel();
    this.#set({ kind: 'idle' });
  }

  #withdraw(): void {
    if (!this.#owner.isUnderWay) return;
    this.#set(this.#question === undefined ? { kind: 'cancelling' } : this.#before);
    this.#question?.settle(false);
  }

  async #run(request: SizeRequest, isAgreed: boolean, signal: AbortSignal): Promise<void> {
    const before = (this.#before = this.#state);
    let agreed: ProbePlan | 'any' | undefined = isAgreed ? 'any' : undefined;
    let asked = request;
    for (;;) {
      const attempt = await this.#attempt(asked, agreed, signal);
      if (attempt.kind === 'ended') return;
      if (attempt.kind === 'declined') return this.#set(before);
      if (attempt.kind === 'agreed') agreed = attempt.plan;
      else {
        const allowed = await this.#askForConsent(asked, attempt, signal);
        if (allowed === null) return this.#set(signal.aborted ? { kind: 'cancelled' } : attempt);
        asked = allowed;
      }
    }
  }

  /** The request with the consent that it lacked; null where that is not given. A cancel takes the question back. */
  async #askForConsent(
    request: SizeRequest,
    { refusedRole, refusedOwners = [] }: LacksConsent,
    signal: AbortSignal,
  ): Promise<SizeRequest | null> {
    if (signal.aborted) return null;
    const { askForRole, askForOwners } = this.#options;
    const question =
      refusedRole === undefined ? askForOwners(request, refusedOwners) : askForRole(refusedRole);
    if ((await Promise.race([question, aborted(signal)])) !== true) return null;
    return refusedRole === undefined
      ? {
          ...request,
          trustOwners: [...request.trustOwners, ...refusedOwners.map(({ name }) => name)],
        }
      : { ...request, allowRole: refusedRole.name };
  }

  /** A plan that nobody answers keeps no connection open: its process is ended, and the question stays. */
  async #attempt(
    request: SizeRequest,
    agreed: ProbePlan | 'any' | undefined,
    signal: AbortSignal,
  ): Promise<Attempt> {
    this.#set(starting);
    const { run, processPath, patienceMs = usualPatienceMs } = this.#options;
    const outdated = new AbortController();
    this.#enough = new AbortController();
    let question: PlanQuestion | undefined;
    let timer: NodeJS.Timeout | undefined;
    const last = await run(request, {
      signal: AbortSignal.any([signal, outdated.signal]),
      enough: this.#enough.signal,
      processPath,
      confirm: (plan) => {
        if (agreed === 'any' || (agreed !== undefined && isSamePlan(agreed, plan)))
          return Promise.resolve(true);
        timer = setTimeout(() => outdated.abort(), patienceMs);
        question = this.#ask(request, plan);
        return question.answer.finally(() => clearTimeout(timer));
      },
      onEvent: (event) => {
        if (!outdated.signal.aborted && question?.isAgreed() !== false && !lacksConsent(event))
          this.#receive(request, event);
      },
    });
    clearTimeout(timer);
    if (question === undefined) return lacksConsent(last) ? last : { kind: 'ended' };
    if (outdated.signal.aborted) await question.answer;
    // A process that died has no use for an answer.
    this.#forget(question);
    if (question.isAgreed() === false) return { kind: 'declined' };
    return outdated.signal.aborted ? { kind: 'agreed', plan: question.plan } : { kind: 'ended' };
  }

  #ask(request: SizeRequest, plan: ProbePlan): PlanQuestion {
    const question = createPlanQuestion(plan);
    this.#question = question;
    this.#set({ kind: 'planned' });
    void question.answer.then(() => this.#forget(question));
    void this.#options.confirm(request, plan).then((isAgreed) => {
      // Nobody waits for an answer to a plan that was withdrawn.
      if (this.#question !== question) return;
      if (!isAgreed) return void this.cancel();
      this.#set(starting);
      question.settle(true);
    });
    return question;
  }

  #forget(question: PlanQuestion): void {
    if (this.#question === question) this.#question = undefined;
  }

  #receive(request: SizeRequest, event: ProbeEvent<SizeResult>): void {
    // Whoever cancelled waits for the end, not for figures.
    if (event.kind === 'progress' && this.#state.kind === 'cancelling') return;
    if (event.kind === 'result') this.#options.onResult(request, event.result);
    if (event.kind === 'failed' && event.stack !== undefined) this.#options.onError(event.stack);
    this.#set(nextProbeState(this.#state, event));
  }

  #set(state: ProbeState): void {
    this.#state = state;
    this.#options.onChange();
  }
}

function lacksConsent(event: ProbeEvent): event is LacksConsent {
  return (
    event.kind === 'failed' &&
    (event.refusedRole !== undefined || event.refusedOwners !== undefined)
  );
}

function nextProbeState(state: ProbeState, event: ProbeEvent<SizeResult>): ProbeState {
  switch (event.kind) {
    case 'plan':
      return state;
    case 'progress':
      return { kind: 'running', fraction: event.fraction, doing: event.doing, sizes: event.sizes };
    case 'result':
      return { kind: 'result', result: event.result };
    case 'cancelled':
      return event;
    case 'failed':
      return { kind: 'failed', sentence: event.sentence };
  }
}

/** Whether one is under way, its plan included. */
export function isProbing({ kind }: ProbeState): boolean {
  return kind === 'planned' || kind === 'running' || kind === 'cancelling';
}
