import { toShortText } from '../../activity/plain-text.ts';
import type { Recommendation, SizeResult } from '../size/size-result.ts';

/** Lines to copy into a file. */
export interface ConfigurationSnippet {
  readonly language: 'js' | 'ini';
  /** Where it belongs. */
  readonly title: string;
  /** Ends without a line break. */
  readonly text: string;
}

/** Ten seconds, the default, is shorter than the pause between two bursts of many an application. */
const idleTimeoutMs = 30_000;

/** What to write into the application, and into the configuration of the PgBouncer in between; empty when no number is recommended. */
export function toSnippets(result: SizeResult): readonly ConfigurationSnippet[] {
  const { recommendation } = result;
  if (recommendation === null) return [];
  const pooler = listPoolerLines(result, recommendation);
  return [
    { language: 'js', title: 'In the application', text: formatPool(result, recommendation) },
    ...(pooler.length === 0
      ? []
      : [
          {
            language: 'ini' as const,
            title: 'In pgbouncer.ini',
            text: ['[pgbouncer]', ...pooler].join('\n'),
          },
        ]),
  ];
}

function formatPool(
  result: SizeResult,
  { max, interval: [low, high], confidence, limitedBy, connectionTimeoutMs }: Recommendation,
): string {
  const range = low === high ? `${low}` : `${low} to ${high}`;
  return [
    'new Pool({',
    ...comment(
      `Measured ${describeOrigin(result)}: ${range} plausible (confidence ${Math.round(confidence * 100)} %).${describeReal(result)} Limited by ${toComment(limitedBy)}.`,
    ),
    `  max: ${max},`,
    ...comment(
      'Ten times what nearly all requests waited for a client at 70 % of the load, in whole seconds.',
    ),
    `  connectionTimeoutMillis: ${connectionTimeoutMs},`,
    ...comment('Clients outlive the pause between two bursts.'),
    `  idleTimeoutMillis: ${idleTimeoutMs},`,
    '})',
  ].join('\n');
}

function describeReal({ validation }: SizeResult): string {
  const real = validation?.closed?.load.throughput;
  return real ? ` A real pool did ${real.toFixed()} statements/s.` : '';
}

/** So that a terminal of 80 columns shows it as a whole. */
const commentWidth = 74;

function comment(text: string): readonly string[] {
  const lines = text.split(/ (?!%)/).reduce<readonly string[]>((wrapped, word) => {
    const last = wrapped.at(-1);
    return last === undefined || last.length + word.length >= commentWidth
      ? [...wrapped, word]
      : [...wrapped.slice(0, -1), `${last} ${word}`];
  }, []);
  return lines.map((line) => `  // ${line}`);
}

/** Clients beyond those of all pools: for people, and for a pool that is being replaced. */
const spareClients = 1.25;

function listPoolerLines(
  result: SizeResult,
  { max, defaultPoolSize }: Recommendation,
): readonly string[] {
  const {
    server: { pooler },
    limits,
    verdict,
  } = result;
  if (pooler === null) return [];
  const now = pooler.defaultPoolSize;
  const clients = max * limits.pools;
  const most = pooler.maxClientConnections;
  return [
    ...(defaultPoolSize === null
      ? []
      : [
          `; Measured ${describeOrigin(result)}: backends for all clients together${now === null ? '' : `; ${now} so far`}.`,
          `default_pool_size = ${defaultPoolSize}`,
        ]),
    ...(verdict.kind === 'pooler-bound' && now !== null
      ? [
          `; All ${now} were used. More may help: raise the limit and measure again.`,
          `; default_pool_size = ${now}`,
        ]
      : []),
    ...(most === null || most >= clients
      ? []
      : [
          `; ${limits.pools} pools of ${max}, and a quarter to spare.`,
          `max_client_conn = ${Math.ceil(clients * spareClients)}`,
        ]),
  ];
}

/** For example "2026-01-02 by poolguard on shop". */
function describeOrigin({ startedAt, server }: SizeResult): string {
  return `${startedAt.slice(0, 10)} by poolguard on ${toComment(server.database)}`;
}

/** The name of a database may hold anything; a line break would end the comment. */
function toComment(text: string): string {
  return toShortText(text, 120);
}
