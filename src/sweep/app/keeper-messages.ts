/** What the keeper of an application is told. Its environment may hold secrets: it travels over the channel, in no argument and no file. */
export type KeeperOrder =
  | {
      readonly kind: 'start';
      readonly command: string;
      readonly folder: string;
      readonly environment: Readonly<Record<string, string | undefined>>;
    }
  /** Asks by SIGTERM, and ends what is still there after `graceMs`. */
  | { readonly kind: 'stop'; readonly graceMs: number };

/** What the keeper says. */
export type KeeperMessage =
  | { readonly kind: 'started'; readonly group: number }
  | { readonly kind: 'use'; readonly use: MachineUse }
  /** Nobody of the application is left. */
  | { readonly kind: 'ended'; readonly end: ApplicationEnd };

export interface ApplicationEnd {
  readonly code: number | null;
  readonly signal: string | null;
  /** It did not end when it was asked to. */
  readonly wasKilled: boolean;
  readonly lastLines: readonly string[];
  /** Why it could not be started at all; null when it was. */
  readonly failure: string | null;
}

/** What the machine did for half a second, in cores. */
export interface MachineUse {
  /** Of the whole application; null where the machine does not tell. */
  readonly appCores: number | null;
  /** Of its busiest process. */
  readonly busiestCores: number | null;
  readonly idleCores: number;
}
