import { poolers } from '../../rules/model/poolers.ts';

/** The program between application and server, as `settings.poolguard.pooler` names it. */
export interface Pooler {
  /** A row of rules/model/poolers.ts, for example `pgbouncer`. */
  readonly kind: string;
  readonly mode: PoolMode;
  /** For example `1.21.0`; absent means unknown. */
  readonly version?: string;
}

export type PoolMode = 'session' | 'transaction' | 'statement';

const modes: readonly string[] = ['session', 'transaction', 'statement'];
const spelling = /^(?<kind>[a-z][\w-]*)(?::(?<mode>[a-z]+)(?::(?<version>\d+(?:\.\d+)*))?)?$/u;

/**
 * Reads `kind[:mode[:version]]`, for example `pgbouncer:transaction:1.21`. The mode defaults to transaction, which is why people run a pooler.
 * Answers a sentence when the text means nothing.
 */
export function parsePooler(text: string): Pooler | string {
  const {
    kind,
    mode = 'transaction',
    version,
  } = spelling.exec(text.trim().toLowerCase())?.groups ?? {};
  if (kind === undefined || !modes.includes(mode)) {
    return 'Use kind[:mode[:version]], for example pgbouncer, pgbouncer:session or pgbouncer:transaction:1.21.';
  }
  const kinds = poolers.map((pooler) => pooler.kind);
  if (!kinds.includes(kind)) return `Unknown kind of pooler. Use one of ${kinds.join(', ')}.`;
  return { kind, mode: mode as PoolMode, ...(version === undefined ? {} : { version }) };
}
