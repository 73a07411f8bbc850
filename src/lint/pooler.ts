/** The program between application and server, as `settings.poolguard.pooler` names it. */
export interface Pooler {
  readonly name: string;
  readonly mode: PoolMode;
  /** For example `1.21.0`; absent means unknown. */
  readonly version?: string;
}

export type PoolMode = 'session' | 'transaction' | 'statement';

const modes: readonly string[] = ['session', 'transaction', 'statement'];
const spelling = /^(?<name>[a-z][\w-]*)(?::(?<mode>[a-z]+)(?::(?<version>\d+(?:\.\d+)*))?)?$/u;

/**
 * Reads `name[:mode[:version]]`, for example `pgbouncer:transaction:1.21`. The mode defaults to transaction, which is why people run a pooler.
 * Answers a sentence when the text means nothing.
 */
export function parsePooler(text: string): Pooler | string {
  const { name, mode = 'transaction', version } = spelling.exec(text.trim().toLowerCase())?.groups ?? {};
  if (name === undefined || !modes.includes(mode)) {
    return 'A pooler is written name[:mode[:version]], for example pgbouncer, pgbouncer:session or pgbouncer:transaction:1.21.';
  }
  return { name, mode: mode as PoolMode, ...(version === undefined ? {} : { version }) };
}
