import { poolers } from '../../model/poolers.ts';
import { isTestPath } from '../../model/test-files.ts';
import type { PoolerSign } from '../../model/pooler-signs.ts';
import type { EnvSample } from '../../project/env-samples.ts';
import { constantText } from '../../syntax/constants.ts';
import type { Node } from '../../syntax/node.ts';
import { someIn } from '../../syntax/preorder.ts';
import { keyName, memberName, type SourceFile } from '../../syntax/source-file.ts';
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
import type { Settings } from './pooler-setting.ts';
import { makingsIn, timeouts } from './startup-parameters.ts';
import { pathInProject } from '../../project/module-reader.ts';

/** A word with which a statement begins that lasts, or that only such a statement has in it. */
const sessionWord =
  /(?:^|[;\n])[^\S\n]*(?:SET|LISTEN|PREPARE|LOAD)\b(?!\s*[(.=:])|\b(?:TEMP(?:ORARY)?|HOLD)\b|advisory|set_config|(?:statement|lock|session)_timeout/i;

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
  const isInTest = isTestPath(pathInProject(file, resolver.reader));
  if (settings.isPoolerTold || isInTest || !isWorthTelling(file)) return [];
  return makingsIn({ file, resolver }).flatMap((making) => {
    if (resolver.abstractValueOf(making, file)?.kind !== 'pool') return [];
    const config = configOf(making, file, resolver);
    const pointer = isDirect(config, settings.direct)
      ? undefined
      : (writtenPointer(config) ?? samplePointer(config, resolver.reader.envSampleFor?.(file)));
    return pointer === undefined ? [] : describe(config, pointer, settings);
  });
}

/** Others import the pool, or something is written here that a pooler might not keep. */
function isWorthTelling(file: SourceFile): boolean {
  return someIn(
    file,
    file.ast,
    (node) =>
      node.type.startsWith('Export') ||
      (node.type === 'AssignmentExpression' && isOfExports(node.left)) ||
      (node.type === 'Property' && timeouts.has(keyName(node.key, node.computed) ?? '')) ||
      isWordOfSession(node),
  );
}

/** `module.exports`, `exports.pool` */
function isOfExports(target: Node): boolean {
  if (target.type === 'Identifier') return target.name === 'exports';
  return (
    target.type === 'MemberExpression' &&
    (memberName(target) === 'exports' || isOfExports(target.object))
  );
}

function isWordOfSession(node: Node): boolean {
  const text = node.type === 'TemplateElement' ? node.value.cooked : constantText(node);
  return typeof text === 'string' && sessionWord.test(text);
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
