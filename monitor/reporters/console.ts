import type { HeldCheckout, Mistake, CounterSample, Report } from '../report.ts';
import type { CreateReporter, Reporter } from '../reporter.ts';
import type { Settings } from '../settings.ts';
import { sayOnStderr } from '../watch/say.ts';
import { createTimesRecorder, type TimesRecorder } from '../watch/times.ts';
import {
  alertText,
  atPlace,
  countOfLine,
  duration,
  endingLines,
  heldText,
  lookText,
  mistakeLines,
  outLines,
  watchedText,
} from './console-lines.ts';

/** What the console knows of a pool. */
interface Shown {
  readonly name: string;
  readonly wait: TimesRecorder;
  readonly hold: TimesRecorder;
  readonly held: Map<number, HeldCheckout>;
  /** The checkouts that had a line of their own. */
  readonly told: Set<number>;
  look: CounterSample | null;
  /** The longest queue, and how many gave up, since the line before. */
  peak: number;
  failed: number;
  isWorthALine: boolean;
  /** On the clock of `now`. */
  printedAt: number;
}

/** Lines on standard error; `now` is in milliseconds, and goes on steadily. */
export function createConsoleReporter(
  { printMs, heldMs }: Pick<Settings, 'printMs' | 'heldMs'>,
  say: (line: string) => void = sayOnStderr,
  now: () => number = () => performance.now(),
): CreateReporter {
  return () => {
    const pools = new Map<number, Shown>();
    const mistakes = new Map<string, number>();
    const line = (pool: number, text: string) =>
      say(`[poolguard] ${pools.get(pool)?.name ?? `pool ${pool}`}: ${text}`);
    const reporter: Reporter = {
      tell: (report) => tell(report, { pools, mistakes, line, say, printMs, heldMs, now }),
      measured: (pool, what, ms) => {
        if (what !== 'create') pools.get(pool)?.[what].record(ms);
      },
      stop: () => undefined,
    };
    return reporter;
  };
}

interface Console {
  readonly pools: Map<number, Shown>;
  /** How often each was made, by what it says of itself. */
  readonly mistakes: Map<string, number>;
  readonly line: (pool: number, text: string) => void;
  readonly say: (line: string) => void;
  readonly printMs: number;
  readonly heldMs: number;
  readonly now: () => number;
}

function tell(report: Report, all: Console): void {
  switch (report.kind) {
    case 'hello':
    case 'broken':
      // Whoever says that the monitor broke writes to the same place.
      return;
    case 'span':
    case 'cut':
      // An answer to a listener.
      return;
    case 'pool':
      all.pools.set(report.pool.id, {
        ...(all.pools.get(report.pool.id) ?? unseen(all.now())),
        name: report.pool.name,
      });
      return all.line(report.pool.id, watchedText(report.pool));
    case 'look':
      return tellLook(report.look, all);
    case 'held':
      return tellHeld(report.held, all);
    case 'returned':
      return tellReturned(report, all);
    case 'mistake':
      return tellMistake(report.mistake, all);
    case 'alert':
      return all.line(report.pool, alertText(report));
    case 'ending':
      for (const text of endingLines(report.out)) all.line(report.pool, text);
      return;
    case 'ended':
      all.pools.delete(report.pool);
      return;
    case 'exit':
      return tellExit(report.out, all);
  }
}

function unseen(now: number): Omit<Shown, 'name'> {
  return {
    wait: createTimesRecorder(),
    hold: createTimesRecorder(),
    held: new Map(),
    told: new Set(),
    look: null,
    peak: 0,
    failed: 0,
    isWorthALine: false,
    printedAt: now,
  };
}

function tellLook(look: CounterSample, { pools, printMs, line, now }: Console): void {
  const shown = pools.get(look.pool);
  if (shown === undefined) return;
  shown.isWorthALine ||=
    shown.look === null
      ? look.acquired > 0 || look.waiting > 0
      : look.acquired > 0 || hasMoved(shown.look, look);
  shown.look = look;
  shown.peak = Math.max(shown.peak, look.peakWaiting);
  shown.failed += look.failed;
  if (printMs > 0 && shown.isWorthALine && now() - shown.printedAt >= printMs)
    printLook(shown, look, line, now());
}

function hasMoved(
  before: CounterSample,
  { total, idle, waiting, max, failed }: CounterSample,
): boolean {
  return (
    before.total !== total ||
    before.idle !== idle ||
    before.waiting !== waiting ||
    before.max !== max ||
    failed > 0
  );
}

function printLook(shown: Shown, look: CounterSample, line: Console['line'], now: number): void {
  line(look.pool, lookText(look, shown.peak, shown.failed, shown.wait.take(), shown.hold.take()));
  shown.peak = look.waiting;
  shown.failed = 0;
  shown.isWorthALine = false;
  shown.printedAt = now;
}

function tellHeld(held: HeldCheckout, { pools, heldMs, line }: Console): void {
  const shown = pools.get(held.pool);
  shown?.held.set(held.checkout, held);
  const count = countOfLine(held, [...(shown?.held.values() ?? [])]);
  if (!isRound(count)) return;
  shown?.told.add(held.checkout);
  line(held.pool, heldText(held, count, heldMs));
}

/** A line that leaks leaks with each request: it is told for 1, 2, 5, 10, 20, 50… of its checkouts. */
function isRound(count: number): boolean {
  return /^[125]0*$/.test(String(count));
}

function tellReturned(
  { pool, checkout, forMs }: Extract<Report, { readonly kind: 'returned' }>,
  { pools, line }: Console,
): void {
  const shown = pools.get(pool);
  const [place] = shown?.held.get(checkout)?.acquiredAt ?? [];
  shown?.held.delete(checkout);
  if (shown?.told.delete(checkout) === false) return;
  line(
    pool,
    `checkout ${checkout} was released after ${duration(forMs)}${place === undefined ? '' : `, acquired ${atPlace(place)}`}`,
  );
}

function tellMistake(mistake: Mistake, { mistakes, pools, line }: Console): void {
  const lines = mistakeLines(mistake);
  const text = `${pools.get(mistake.pool)?.name ?? ''}: ${lines.join('\n')}`;
  const times = mistakes.get(text) ?? 0;
  mistakes.set(text, times + 1);
  // The same line makes the same mistake with each request: it is reported once, and counted.
  if (times === 0) for (const each of lines) line(mistake.pool, each);
}

function tellExit(
  out: readonly HeldCheckout[],
  { pools, mistakes, line, say, printMs, now }: Console,
): void {
  for (const [pool, shown] of pools) {
    if (printMs > 0 && shown.isWorthALine && shown.look !== null)
      printLook(shown, shown.look, line, now());
    for (const text of outLines(out.filter((held) => held.pool === pool))) line(pool, text);
  }
  for (const [text, times] of mistakes)
    if (times > 1) say(`[poolguard] ${times} times in total: ${text.split('\n')[0] ?? ''}`);
}
