import type { Report } from '../../monitor/report.ts';

/** What the monitors that connect to a listener say. */
export interface ListenerEvents {
  /** Reports of one connected thread, its `hello` first. */
  readonly onReport: (key: string, report: Report) => void;
  /** The thread's connection is gone, with or without an `exit` before. */
  readonly onGone: (key: string) => void;
}

/** A place on this machine where monitors report: a socket that only this user may open. */
export interface Listener extends AsyncDisposable {
  /** What an application needs in its environment to be watched and to report here. `NODE_OPTIONS` is added to what `environment` has. */
  variables(environment: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>>;
  /** Asks a pool of a connected thread for another `max`. False when the thread is gone. */
  setMax(key: string, pool: number, max: number): boolean;
}

export interface ListenOptions extends ListenerEvents {
  /** The bundle of `monitor/register.ts`, which the application loads first. */
  readonly registerPath: string;
}
