import type { ErrorCounts, Latency } from '../load/pool-load.ts';
import type { ResultHead } from '../result-head.ts';

/** In the order in which they happen; `tls` is missing where it is off, `dns` where the host is an address. */
export const connectPhases = ['dns', 'tcp', 'tls', 'authentication', 'firstQuery'] as const;
export type ConnectPhase = (typeof connectPhases)[number];

export interface ConnectPath {
  readonly name: 'direct' | 'pooler';
  /** Host and port, for reading. */
  readonly address: string;
  readonly sequential: {
    readonly total: Latency | null;
    readonly phases: Readonly<Partial<Record<ConnectPhase, Latency>>>;
    readonly errors: ErrorCounts;
  };
  readonly concurrent: {
    readonly at: number;
    readonly total: Latency | null;
    /** Connections made per second. */
    readonly perSecond: number;
    readonly errors: ErrorCounts;
  };
}

/** What a new connection costs. */
export interface ConnectResult extends ResultHead {
  readonly experiment: 'connect';
  readonly paths: readonly ConnectPath[];
}
