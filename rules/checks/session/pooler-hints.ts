import { poolers } from '../../model/poolers.ts';
import type { PoolerSign } from '../../model/pooler-signs.ts';
import type { EnvSample } from '../../project/env-samples.ts';
import type { SourceFile } from '../../syntax/source-file.ts';
import type { Finding } from '../finding.ts';
import type { Analysis } from '../analysis.ts';
import {
  addressNames,
  configOf,
  isDirect,
  signIn,
  signOf,
  type PoolConfig,
} from '../../values/pools/pool-config.ts';
import { mayWriteLastingStatement } from '../../values/texts/session-texts.ts';
import type { Settings } from './pooler-setting.ts';
import { makingsIn } from './startup-parameters.ts';

interface Pointer {
  readonly sign: PoolerSign;
  /** Where it stands, to be read behind "in". */
  readonly where: string;
}

/**
 * Pools whose address plainly is that of a pooler that the settings say nothing of. Only pools that others use, or beside which
 * something stands that a pooler might not keep: for a script that only reads, the setting changes nothing.
 */
export function suggestPoolerSetting({ file, resolver, settings }: Analysis): readonly Finding[] {
  if (settings.isPoolerTold || isTestFile(file) || !isWorthTelling(file)) return [];
  return makingsIn({ file, resolver }).flatMap((making) => {
    if (resolver.abstractValueOf(making, file)?.kind !== 'pool') return [];
    const config = configOf(making, file, resolver);
    const pointer = isDirect(config, settings.direct)
      ? undefined
      : (writtenPointer(config) ?? samplePointer(config, resolver.reader.envSampleFor?.(file)));
    return pointer === undefined ? [] : describe(config, pointer, settings);
  });
}

function isTestFile({ path }: SourceFile): boolean {
  return /[\\/](?:tests?|__tests__|spec|e2e|fixtures?|benchmarks?)[\\/]|\.(?:test|spec)\.\w+$/u.test(
    path,
  );
}

function isWorthTelling(file: SourceFile): boolean {
  return (
    /\bexport\b|\bmodule\.exports\b|\bexports\.|statement_timeout|lock_timeout|session_timeout/u.test(
      file.text,
    ) || mayWriteLastingStatement(file)
  );
}

function writtenPointer(config: PoolConfig): Pointer | undefined {
  const sign = signIn(config);
  return sign === undefined ? undefined : { sign, where: 'its address' };
}

/** `DATABASE_URL` of `.env.example`, where the address names that variable. */
function samplePointer(config: PoolConfig, sample: EnvSample | undefined): Pointer | undefined {
  if (sample === undefined) return undefined;
  for (const name of addressNames(config)) {
    const value = sample.values.get(name);
    const sign = value === undefined ? undefined : signOf(value);
    if (sign !== undefined) return { sign, where: `\`${name}\` of ${sample.name}` };
  }
  return undefined;
}

function describe(
  { making }: PoolConfig,
  { sign, where }: Pointer,
  settings: Settings,
): readonly Finding[] {
  const { setting } = sign;
  const pooler = poolers.find(({ kind }) => setting?.startsWith(`${kind}:`) === true);
  if (setting === null || pooler === undefined) return [];
  return [
    {
      rule: 'no-pooler-incompatible',
      messageId: 'setPooler',
      data: { sign: sign.says, where, pooler: pooler.name, cure: cureFor(setting, settings) },
      place: making.loc,
      steps: [],
    },
  ];
}

/** How the pooler is named, in the way in that somebody uses. */
function cureFor(setting: string, { writtenIn }: Settings): string {
  switch (writtenIn) {
    case 'command line':
      return `Use \`--pooler ${setting}\`, or set the option \`hint\` of this rule to \`false\` if there is no pooler`;
    case 'editor':
      return `Set \`poolguard.pooler\` to \`${setting}\` in the settings of the editor`;
    case undefined:
      return `Add \`settings: { poolguard: { pooler: '${setting}' } }\` to the configuration of your linter, or \`pooler: false\` if there is no pooler`;
  }
}
