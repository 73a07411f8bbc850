import { behaviourOf, isTracked, readsOptions } from '../../model/poolers.ts';
import type { Finding } from '../finding.ts';
import { stepInFile } from '../path-step.ts';
import { excerpt } from '../../syntax/excerpt.ts';
import type { Analysis } from '../analysis.ts';
import { unwrap } from '../../syntax/source-file.ts';
import { isFalsy } from '../../syntax/constants.ts';
import { callsIn } from '../../syntax/calls.ts';
import { driversOnly } from '../../values/pools/made-pools.ts';
import {
  configOf,
  isDirect,
  isMadeByDriver,
  type ConfigProperty,
  type Making,
  type PoolConfig,
} from '../../values/pools/pool-config.ts';
import type { PoolerInUse } from './pooler-setting.ts';
import { sqlOf } from '../../values/texts/text.ts';
import { textsOf } from '../../values/texts/texts.ts';
import type { Here } from '../../values/resolver.ts';

/** What the driver sends when a connection starts, beside the user, the database and the application's name (pg 8.23 `client.js`, `getStartupConf`). */
export const timeouts: ReadonlySet<string> = new Set([
  'statement_timeout',
  'lock_timeout',
  'idle_in_transaction_session_timeout',
]);

const anyParameter =
  /\b(?:statement_timeout|lock_timeout|idle_in_transaction_session_timeout|options)\b/u;

/** Pools and clients that ask for something when they connect that the pooler does not know: it refuses the connection. */
export function findStartupParameters({ file, resolver, settings }: Analysis): readonly Finding[] {
  const inUse = settings.pooler;
  if (inUse === undefined || !anyParameter.test(file.text)) return [];
  return makingsIn({ file, resolver })
    .map((making) => configOf(making, file, resolver))
    .filter((config) => !isDirect(config, settings.direct))
    .flatMap((config) =>
      config.properties.flatMap((property) => {
        const refused = refusedBy(property, inUse, resolver);
        return refused === undefined ? [] : describe(property, refused, config, inUse, file);
      }),
    );
}

/** Where the driver's pools and clients are made. */
export function makingsIn({ file, resolver }: Here): readonly Making[] {
  if (resolver.reader.leadsToDriver?.(file) === false) return [];
  const { calls, constructions } = callsIn(file);
  return [...constructions, ...calls]
    .filter(
      (making) =>
        isMadeByDriver(making, file, driversOnly(resolver)) &&
        isMadeByDriver(making, file, resolver),
    )
    .sort((a, b) => a.range[0] - b.range[0]);
}

/** What the pooler refuses of a property, if anything; undefined also where the value is not known. */
function refusedBy(
  { name, value, file }: ConfigProperty,
  inUse: PoolerInUse,
  resolver: Analysis['resolver'],
): readonly string[] | undefined {
  const { pooler, mode, version } = inUse;
  const subject = timeouts.has(name)
    ? 'startup-parameter'
    : name === 'options'
      ? 'startup-options'
      : undefined;
  if (
    subject === undefined ||
    // The driver sends none of these.
    isFalsy(unwrap(value)) ||
    behaviourOf(pooler, mode, subject, version)?.outcome !== 'breaks'
  )
    return undefined;
  return subject === 'startup-parameter'
    ? [name]
    : refusedOptions(textsOf(value, { file, resolver }).map(sqlOf), inUse);
}

function refusedOptions(
  texts: readonly string[],
  { pooler, version }: PoolerInUse,
): readonly string[] | undefined {
  const [text, ...others] = texts;
  if (text?.trim() === '') return undefined;
  if (!readsOptions(pooler, version)) return ['options'];
  const refused =
    text === undefined || others.length > 0
      ? []
      : parametersIn(text).filter((parameter) => !isTracked(pooler, parameter, version));
  return refused.length === 0 ? undefined : refused;
}

function describe(
  property: ConfigProperty,
  refused: readonly string[],
  config: PoolConfig,
  { pooler }: PoolerInUse,
  file: Analysis['file'],
): Finding {
  const isHere = property.file === file;
  return {
    rule: 'no-pooler-incompatible',
    messageId: 'refusedAtStart',
    data: {
      parameter: isHere ? excerpt(property.node, file) : `\`${property.name}\``,
      refused: refused.join(', '),
      pooler: pooler.name,
    },
    place: (isHere ? property.node : (config.argument ?? config.making)).loc,
    steps: isHere
      ? []
      : [stepInFile(property.file, property.node, `\`${property.name}\` is set here.`, file)],
  };
}

/** `-c search_path=app -c statement_timeout=5s`, `--search_path=app` */
function parametersIn(options: string): readonly string[] {
  return [...options.matchAll(/(?:^|\s)(?:-c\s*|--)([\w.-]+)\s*=/gu)].flatMap(
    ([, name]) => name?.replaceAll('-', '_').toLowerCase() ?? [],
  );
}
