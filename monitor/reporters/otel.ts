import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { MeterProvider } from '@opentelemetry/api';
import type { CounterSample, Report, WatchedPool } from '../report.ts';
import type { CreateReporter, Reporter } from '../reporter.ts';
import { quietly } from '../quietly.ts';
import {
  attributeNames,
  createPoolMetrics,
  type MeasuredPool,
  type PoolMetrics,
} from './pool-metrics.ts';

export interface OtelOptions {
  /** Where `@opentelemetry/api` is looked for, the application's own folder first. */
  readonly folders: readonly string[];
  /** Tells the person who looks at the application's terminal one sentence. */
  readonly say: (sentence: string) => void;
}

/** The part of `@opentelemetry/api` that is used. */
interface Api {
  readonly metrics: { getMeterProvider(): MeterProvider };
}

/** An application registers its provider while it starts; after this long it will not. */
const providerPatienceMs = 30_000;

/** The folder that an application was started in, that of its script, and that of the monitor. */
export function apiFolders(): readonly string[] {
  const script = process.argv[1];
  return [process.cwd(), ...(script === undefined ? [] : [dirname(script)]), __dirname];
}

/**
 * Reports as OpenTelemetry metrics, by the semantic conventions for connection pools, through the application's own
 * `@opentelemetry/api` and whatever provider of meters is registered there, now or later.
 */
export function otelReporter({ folders, say }: OtelOptions): CreateReporter {
  return () => {
    const api = loadApi(folders);
    if (api === null) {
      say(
        `OpenTelemetry is enabled, but @opentelemetry/api cannot be found from ${folders[0] ?? 'here'}: install it together with an SDK.`,
      );
      return { tell: () => undefined, stop: () => undefined };
    }
    return reportTo(api, say);
  };
}

function reportTo(api: Api, say: OtelOptions['say']): Reporter {
  const pools = new Map<number, MeasuredPool>();
  const metrics = followProvider(api, () => pools.values(), say);
  const tell = (report: Report): void => {
    switch (report.kind) {
      case 'pool':
        return withPool(pools, report.pool, metrics());
      case 'look':
        return withLook(pools, report.look, metrics());
      case 'ended':
        return withEnd(pools, report.pool);
      default:
        // What happens to a single checkout is no metric.
        return;
    }
  };
  const measured: Required<Reporter>['measured'] = (pool, what, ms) => {
    const known = pools.get(pool);
    if (known !== undefined) metrics()?.measured(known.attributes, what, ms);
  };
  return {
    tell: quietly(tell),
    measured: quietly(measured),
    stop: quietly(() => metrics()?.stop()),
  };
}

function withPool(
  pools: Map<number, MeasuredPool>,
  pool: WatchedPool,
  metrics: PoolMetrics | null,
): void {
  const known = pools.get(pool.id);
  const attributes = known?.attributes ?? {
    [attributeNames.pool]: uniqueName(
      pool,
      [...pools.values()].filter(({ isEnded }) => !isEnded),
    ),
  };
  for (const [id, each] of pools)
    if (each.isEnded && each.attributes[attributeNames.pool] === attributes[attributeNames.pool])
      pools.delete(id);
  pools.set(pool.id, { pool, attributes, look: known?.look ?? null, isEnded: false });
  // So that the rate of the first timeout can be told.
  metrics?.timedOut(attributes, 0);
}

function withLook(
  pools: Map<number, MeasuredPool>,
  look: CounterSample,
  metrics: PoolMetrics | null,
): void {
  const known = pools.get(look.pool);
  if (known === undefined) return;
  pools.set(look.pool, { ...known, look });
  const timeouts = look.timedOut ?? look.failed;
  if (timeouts > 0) metrics?.timedOut(known.attributes, timeouts);
}

/** An SDK goes on telling the last value of what is no longer observed, so an ended pool is observed as empty, until another has its name. */
function withEnd(pools: Map<number, MeasuredPool>, id: number): void {
  const known = pools.get(id);
  if (known !== undefined) pools.set(id, { ...known, isEnded: true });
}

/** The conventions want a name that is unique in the application, and address and database where a pool has none of its own. */
function uniqueName(pool: WatchedPool, others: readonly MeasuredPool[]): string {
  const isNamed =
    pool.applicationName !== null || !/^pool \d+$/.test(pool.name) || pool.host === null;
  const name = isNamed ? pool.name : `${pool.host}:${pool.port ?? 5_432}/${pool.database ?? ''}`;
  const taken = new Set(others.map(({ attributes }) => attributes[attributeNames.pool]));
  const names = [name, ...others.map((_, index) => `${name} (${index + 2})`)];
  return names.find((each) => !taken.has(each)) ?? `${name} (${pool.id})`;
}

/** The instruments of the provider that is registered at the moment of asking; null while there is none. */
function followProvider(
  { metrics: api }: Api,
  pools: () => Iterable<MeasuredPool>,
  say: OtelOptions['say'],
): () => PoolMetrics | null {
  const since = performance.now();
  let known: { readonly provider: MeterProvider; readonly metrics: PoolMetrics | null } | null =
    null;
  let isSaid = false;
  return () => {
    const provider = api.getMeterProvider();
    if (provider !== known?.provider) {
      known?.metrics?.stop();
      known = {
        provider,
        metrics: isNoop(provider) ? null : createPoolMetrics(provider.getMeter(meterName), pools),
      };
    }
    if (known.metrics === null && !isSaid && performance.now() - since > providerPatienceMs) {
      isSaid = true;
      say(
        'OpenTelemetry is enabled, but this application registers no meter provider, so its metrics are not collected.',
      );
    }
    return known.metrics;
  };
}

const meterName = 'poolguard-monitor';

/** What the API gives as long as nobody has registered a provider (`NoopMeterProvider.js`). */
function isNoop(provider: MeterProvider): boolean {
  return provider.constructor.name === 'NoopMeterProvider';
}

/** Every copy of the API of one major version leads to the same provider, so any that is found will do. */
function loadApi(folders: readonly string[]): Api | null {
  for (const folder of folders) {
    try {
      const found: unknown = createRequire(join(folder, 'any.js'))('@opentelemetry/api');
      if (isApi(found)) return found;
    } catch {
      // Not from there.
    }
  }
  return null;
}

function isApi(value: unknown): value is Api {
  if (typeof value !== 'object' || value === null || !('metrics' in value)) return false;
  const { metrics } = value;
  return (
    typeof metrics === 'object' &&
    metrics !== null &&
    'getMeterProvider' in metrics &&
    typeof metrics.getMeterProvider === 'function'
  );
}
