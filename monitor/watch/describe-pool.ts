import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { WatchedPool } from '../report.ts';
import { filesOf, placesOf } from './code-places.ts';
import type { InnerPool, PoolOptions } from './pool-shape.ts';
import type { FindSource } from './source-maps.ts';
import type { CapturedStack } from './stack.ts';

export interface Described {
  readonly id: number;
  /** What `watchPool` was told. */
  readonly givenName: string | null;
  readonly madeFrom: CapturedStack | null;
  readonly findSource: FindSource;
}

type Options = Partial<PoolOptions & { readonly min: number }>;

/** What a pool says of itself. Never a password. */
export function describePool(
  pool: Partial<InnerPool>,
  { id, givenName, madeFrom, findSource }: Described,
): WatchedPool {
  const options: Options = pool.options ?? {};
  const address = addressOf(options, process.env);
  return {
    id,
    name: givenName ?? address.applicationName ?? `pool ${id}`,
    ...address,
    max: options.max ?? 0,
    min: options.min ?? 0,
    connectionTimeoutMs: options.connectionTimeoutMillis || null,
    driverVersion: madeFrom === null ? null : versionOf(madeFrom),
    madeAt: placesOf(madeFrom, findSource)[0] ?? null,
  };
}

type Address = Pick<WatchedPool, 'applicationName' | 'host' | 'port' | 'database'>;

/** As pg's connection-parameters.js reads it: what the connection string says comes first, then the options, then the environment. */
function addressOf(options: Options, environment: NodeJS.ProcessEnv): Address {
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

function presentText(text: unknown): string | null {
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

/** Of the pg-pool whose constructor is among the frames. */
function versionOf(madeFrom: CapturedStack): string | null {
  const file = filesOf(madeFrom).find((path) => /[\\/]pg-pool[\w.-]*[\\/]index\.js$/u.test(path));
  if (file === undefined) return null;
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(dirname(file), 'package.json'), 'utf8'));
    return typeof manifest === 'object' && manifest !== null && 'version' in manifest
      ? presentText(manifest.version)
      : null;
  } catch {
    return null;
  }
}
