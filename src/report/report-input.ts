import type { ActivityReport } from '../activity/snapshot.ts';
import type { Problem } from '../lint/problem.ts';
import type { SizeResult } from '../probe/result.ts';

/** What a report can show. Every string may come from hostile source text or a hostile database. */
export interface ReportInput {
  readonly title: string;
  /** ISO 8601. */
  readonly madeAt: string;
  /** For example "poolguard 0.1.0". */
  readonly madeBy: string;
  readonly files: readonly ReportedFile[];
  /** A look at the server, for example while a load ran; null when there was none. */
  readonly activity: ActivityReport | null;
  /** Which application the sessions table is about; null shows all. */
  readonly application: string | null;
  readonly loads: readonly LoadFigures[];
  readonly probe: SizeResult | null;
}

export interface ReportedFile {
  /** As shown, usually relative to the project. */
  readonly path: string;
  readonly text: string;
  readonly problems: readonly Problem[];
}

/** One run of a load generator against one service. Latencies are of answered requests, in milliseconds. */
export interface LoadFigures {
  readonly name: string;
  readonly seconds: number;
  readonly callers: number;
  readonly requests: number;
  /** Requests answered as a correct service answers them. */
  readonly answered: number;
  /** Answers with status 5xx, timeouts and broken connections. */
  readonly failed: number;
  /** Correct answers per second. */
  readonly throughput: number;
  readonly averageMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Clients that were still out when the load had ended. */
  readonly lostClients: number;
  readonly poolMax: number;
}
