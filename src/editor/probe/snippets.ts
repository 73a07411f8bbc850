import { toPlainText } from '../../activity/plain-text.ts';
import type { SizeResult } from '../../probe/result.ts';

/** What to paste where the pool is made; undefined without a recommendation. */
export function poolSnippet({ recommendation, startedAt }: Pick<SizeResult, 'recommendation' | 'startedAt'>): string | undefined {
  if (recommendation === null) return undefined;
  const { max, interval: [low, high], connectionTimeoutMs } = recommendation;
  return `new Pool({\n  // Measured ${startedAt.slice(0, 10)} by poolguard: ${low === high ? low : `${low} to ${high}`} plausible.\n  max: ${max},\n  connectionTimeoutMillis: ${connectionTimeoutMs},\n})\n`;
}

/** Lines of `pgbouncer.ini`; undefined when no pooler stands in between. */
export function poolerSettings({ recommendation, server }: Pick<SizeResult, 'recommendation' | 'server'>): string | undefined {
  if (recommendation === null || recommendation.defaultPoolSize === null) return undefined;
  return `; pgbouncer.ini, measured on ${toPlainText(server.database)}\n[pgbouncer]\ndefault_pool_size = ${recommendation.defaultPoolSize}\n`;
}
