import type { WatchedPool } from '../report.ts';

/** What `pg` learns of the server, by whoever makes its clients. */
export interface AddressOptions {
  readonly connectionString?: string | undefined;
  readonly application_name?: string | undefined;
  readonly fallback_application_name?: string | undefined;
  readonly host?: string | undefined;
  readonly port?: number | string | undefined;
  readonly database?: string | undefined;
  readonly user?: string | undefined;
}

type Address = Pick<WatchedPool, 'applicationName' | 'host' | 'port' | 'database'>;

/** As pg's connection-parameters.js reads it: what the connection string says comes first, then the options, then the environment. */
export function addressOf(
  options: AddressOptions,
  environment: NodeJS.ProcessEnv = process.env,
): Address {
  const url = parseUrl(options.connectionString);
  const first = (...texts: readonly unknown[]) =>
    texts.map(presentText).find((text) => text !== null) ?? null;
  const port = Number(first(url?.port, String(options.port ?? ''), environment['PGPORT'], '5432'));
  return {
    applicationName: first(
      url?.searchParams.get('application_name'),
      options.application_name,
      environment['PGAPPNAME'],
      options.fallback_application_name,
    ),
    host: first(
      url?.searchParams.get('host'),
      url && decode(url.hostname),
      options.host,
      environment['PGHOST'],
      'localhost',
    ),
    port: Number.isInteger(port) ? port : null,
    database: first(
      url && decode(url.pathname.slice(1)),
      options.database,
      environment['PGDATABASE'],
      options.user,
      environment['PGUSER'],
    ),
  };
}

export function presentText(text: unknown): string | null {
  return typeof text === 'string' && text !== '' ? text : null;
}

function parseUrl(text: unknown): URL | null {
  return typeof text === 'string' && URL.canParse(text) ? new URL(text) : null;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
