export type { MonitorOptions, ReporterName } from './options.ts';
export type { CodePlace, HeldCheckout, Mistake, PoolLook, Report, Times, WatchedPool } from './report.ts';
