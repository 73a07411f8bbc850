/** What a process of the soak does until it is told to end, by the channel to its parent. */
export interface RoleStart {
  readonly url: string;
  /** A folder of its own, empty. */
  readonly folder: string;
  /** Milliseconds between two samples of the poller. */
  readonly lookEveryMs: number;
  /** What Node gets before the program of a child, so that it notes its heap. */
  readonly execArgv: readonly string[];
}

/** Told to the parent: once when the work goes on, and then how much has been done. */
export type RoleMessage =
  | { readonly kind: 'working'; readonly children: Readonly<Record<string, number>> }
  | { readonly kind: 'done'; readonly count: number }
  | { readonly kind: 'failed'; readonly sentence: string };

/** Returns what ends the work. */
export type Role = (
  start: RoleStart,
  tell: (message: RoleMessage) => void,
) => Promise<() => Promise<void>>;
