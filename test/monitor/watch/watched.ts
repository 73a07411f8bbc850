import pg from 'pg';
import type { MonitorOptions } from '../../../monitor/options.ts';
import type { Command, Report } from '../../../monitor/report.ts';
import { createMonitor } from '../../../monitor/watch/monitor.ts';

/** A real pool under a monitor of its own, whose reports are kept. */
export interface Watched {
  readonly pool: pg.Pool;
  readonly reports: readonly Report[];
  readonly onCommand: (command: Command) => void;
  /** The reports of one kind so far. */
  readonly of: <K extends Report['kind']>(
    kind: K,
  ) => readonly Extract<Report, { readonly kind: K }>[];
  /** What stood on standard error. */
  readonly said: readonly string[];
  readonly watchAnything: (pool: unknown) => void;
  readonly watchAgain: (options: MonitorOptions) => void;
  readonly unwatch: () => void;
}

/** `Pool` is the class of whichever pg-pool is tried. */
export function watched(
  config: pg.PoolConfig,
  options: MonitorOptions = {},
  Pool: typeof pg.Pool = pg.Pool,
): Watched {
  const reports: Report[] = [];
  const said: string[] = [];
  let onCommand: (command: Command) => void = () => undefined;
  const monitor = createMonitor(
    {},
    (_settings, obeyed) => {
      onCommand = obeyed;
      return [{ tell: (report) => reports.push(report), stop: () => undefined }];
    },
    (line) => said.push(line),
  );
  const pool = new Pool(config);
  pool.on('error', () => undefined);
  monitor.watch(pool, options, null);
  return {
    pool,
    reports,
    onCommand: (command) => onCommand(command),
    of: (kind) =>
      reports.filter(
        (report): report is Extract<Report, { readonly kind: typeof kind }> => report.kind === kind,
      ),
    said,
    watchAnything: (anything) => monitor.watch(anything as pg.Pool, options, null),
    watchAgain: (again) => monitor.watch(pool, again, null),
    unwatch: () => monitor.unwatch(pool),
  };
}
