import type { Report, Span } from '../../../monitor/report.ts';
import type { Clock } from '../../probe/clock.ts';
import type { Listener } from '../../running/listener.ts';

/** What asks the monitors for what happened up to now. */
export interface Asker {
  readonly listener: Pick<Listener, 'cut'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** What the monitors tell of the time from `begin` to `end`, and of no other. */
export interface SpanCuts {
  readonly onReport: (key: string, report: Report) => void;
  readonly onGone: (key: string) => void;
  /** Resolves when every monitor has told what was before, or after a while. */
  begin(asker: Asker): Promise<void>;
  /** Resolves when every monitor has told what was since, or after a while. */
  end(asker: Asker): Promise<void>;
  /** Null for a pool of which it is not known. */
  spanOf(key: string, pool: number): Span | null;
}

/** An application at rest answers within milliseconds. */
const answerMs = 2_000;

export function createSpanCuts(): SpanCuts {
  const unanswered = new Set<string>();
  const spans = new Map<string, Span>();
  /** Threads that did not answer at the beginning: what they tell at the end is of more than that time. */
  let mute: ReadonlySet<string> = new Set();
  let current = 0;
  let wake: () => void = () => undefined;
  const answered = (key: string) => {
    if (unanswered.delete(key) && unanswered.size === 0) wake();
  };
  const cut = async ({ listener, clock, signal }: Asker): Promise<void> => {
    spans.clear();
    unanswered.clear();
    const all = new Promise<void>((resolve) => (wake = resolve));
    for (const key of listener.cut((current += 1))) unanswered.add(key);
    if (unanswered.size === 0) return;
    const over = new AbortController();
    await Promise.race([all, clock.wait(answerMs, AbortSignal.any([signal, over.signal]))]);
    over.abort();
  };
  return {
    onReport: (key, report) => {
      if (report.kind === 'span' && report.cut === current)
        spans.set(`${key} ${report.span.pool}`, report.span);
      if (report.kind === 'cut' && report.cut === current) answered(key);
    },
    onGone: answered,
    begin: async (asker) => {
      await cut(asker);
      mute = new Set(unanswered);
    },
    end: cut,
    spanOf: (key, pool) => (mute.has(key) ? null : (spans.get(`${key} ${pool}`) ?? null)),
  };
}
