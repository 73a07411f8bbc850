/** What in an address points at a pooler. */
export interface PoolerSign {
  /** Tested against `//host:port/…?query`, whatever of it is written down. */
  readonly test: RegExp;
  /** How the sign is spoken of. */
  readonly says: string;
  /** What `settings.poolguard.pooler` would be; null for an address of a pooler that keeps sessions. */
  readonly setting: string | null;
  /** A port says nothing about the machine that the code is written on: there, any program may listen on it. */
  readonly isPort?: true;
}

/** First match wins. Sources: the services' guides to their connection strings; PgBouncer `config.md`, `listen_port`. */
export const poolerSigns: readonly PoolerSign[] = [
  { test: /\bpooler\.supabase\.com:5432\b/u, says: '', setting: null },
  {
    test: /\bpooler\.supabase\.com\b/u,
    says: 'a host under `pooler.supabase.com`',
    setting: 'supavisor:transaction',
  },
  {
    test: /-pooler\.[\w.-]{0,253}neon\b/u,
    says: 'a host with `-pooler` in its name',
    setting: 'neon:transaction',
  },
  {
    test: /\.proxy-[\w-]+\.[\w-]+\.rds\.amazonaws\.com\b/u,
    says: 'a host of an RDS Proxy',
    setting: 'rds-proxy:transaction',
  },
  { test: /[?&]pgbouncer=true\b/u, says: '`pgbouncer=true`', setting: 'pgbouncer:transaction' },
  { test: /:6432(?!\d)/u, says: 'port 6432', setting: 'pgbouncer:transaction', isPort: true },
  { test: /:6543(?!\d)/u, says: 'port 6543', setting: 'supavisor:transaction', isPort: true },
];

export const localHost =
  /(?:^|@|\/\/)(?:localhost|127\.0\.0\.1|\[::1\]|0\.0\.0\.0|host\.docker\.internal)(?=[:/?]|$)/u;

/** Words in the name of a variable or property whose address leads past the pooler: `DIRECT_URL`, `POSTGRES_URL_NON_POOLING`, `DATABASE_URL_UNPOOLED`. */
export const directWords =
  /(?:^|_)(?:DIRECT|UNPOOLED|NON_?POOL(?:ING|ED|ER)|NO_?POOL(?:ING|ED|ER)?)(?:_|$)/iu;

/** Variables by which programs name the one address that they have. */
export const usualVariables: ReadonlySet<string> = new Set([
  'DATABASE_URL',
  'POSTGRES_URL',
  'POSTGRESQL_URL',
  'PG_URL',
  'DB_URL',
  'PGHOST',
  'DB_HOST',
  'POSTGRES_HOST',
  'DATABASE_HOST',
]);
