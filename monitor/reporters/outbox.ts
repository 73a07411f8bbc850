import type { HeldCheckout, Report, WatchedPool } from '../report.ts';

/** Reports that wait to be sent, few enough to cost the application nothing. */
export interface Outbox {
  add(report: Report): void;
  /** Takes the oldest, as many as fit into one message. */
  take(): readonly Report[];
  /** Gives back what was taken and never arrived; looks are old by then and go. */
  giveBack(reports: readonly Report[]): void;
  /** Takes what a new connection hears first: who this is, and what has been reported before and still holds. */
  introduce(): readonly Report[];
}

/** Beyond `looks`, the oldest looks go. Beyond `all`, which only a listener that never reads brings about, nothing is added. */
export const outboxSizes = { looks: 500, all: 5_000, message: 200 } as const;

export function createOutbox(): Outbox {
  let waiting: Report[] = [];
  let hello: Report | null = null;
  const pools = new Map<number, WatchedPool>();
  const held = new Map<string, HeldCheckout>();
  const remember = (report: Report): void => {
    if (report.kind === 'hello') hello = report;
    if (report.kind === 'pool') pools.set(report.pool.id, report.pool);
    if (report.kind === 'ended') pools.delete(report.pool);
    if (report.kind === 'held')
      held.set(`${report.held.pool} ${report.held.checkout}`, report.held);
    if (report.kind === 'returned') held.delete(`${report.pool} ${report.checkout}`);
  };
  return {
    add: (report) => {
      remember(report);
      if (report.kind === 'hello') return;
      waiting.push(report);
      limit(waiting);
    },
    take: () => waiting.splice(0, outboxSizes.message),
    giveBack: (reports) => {
      waiting = [...reports.filter(({ kind }) => kind !== 'look' && kind !== 'hello'), ...waiting];
      limit(waiting);
    },
    introduce: () => {
      const known = new Set<unknown>([...pools.values(), ...held.values()]);
      waiting = waiting.filter(
        (report) =>
          !(report.kind === 'pool' && known.has(report.pool)) &&
          !(report.kind === 'held' && known.has(report.held)),
      );
      return [
        ...(hello === null ? [] : [hello]),
        ...[...pools.values()].map((pool) => ({ kind: 'pool', pool }) as const),
        ...[...held.values()].map((each) => ({ kind: 'held', held: each }) as const),
      ];
    },
  };
}

function limit(reports: Report[]): void {
  while (reports.length > outboxSizes.looks) {
    const oldest = reports.findIndex(({ kind }) => kind === 'look');
    if (oldest === -1) break;
    reports.splice(oldest, 1);
  }
  if (reports.length > outboxSizes.all) reports.length = outboxSizes.all;
}
