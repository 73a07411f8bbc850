import { poolers, poolModes, type Pooler, type PoolMode } from '../../model/poolers.ts';
import type { Finding } from '../finding.ts';

/** The pooler in front of the server. */
export interface PoolerInUse {
  readonly pooler: Pooler;
  readonly mode: PoolMode;
  /** Such as `1.24`. */
  readonly version: string | undefined;
}

/** `settings.poolguard` */
export interface Settings {
  readonly pooler: PoolerInUse | undefined;
  /** Whether there is anything to say about a pooler: `pooler: false` says that there is none. */
  readonly isPoolerTold: boolean;
  /** Names of variables whose address leads past the pooler. */
  readonly direct: readonly string[];
  /** Where the settings are written, if that is no configuration of a linter. */
  readonly writtenIn: 'command line' | 'editor' | undefined;
  readonly problems: readonly SettingProblem[];
}

interface SettingProblem {
  readonly messageId: 'unknownPooler' | 'unknownSetting';
  readonly data: Readonly<Record<string, string>>;
}

/** `writtenIn` is what Poolguard's own ways in say; nobody else writes it. */
const known = { settings: ['pooler', 'direct'], pooler: ['kind', 'mode', 'version'] } as const;

/** Reads `settings.poolguard`, which may hold anything. */
export function readSettings(value: unknown): Settings {
  const given = asRecord(value);
  const told = given['pooler'];
  const asked = askedPooler(told);
  const pooler = asked === undefined ? undefined : poolerFor(asked);
  return {
    pooler,
    isPoolerTold: told !== undefined && told !== null,
    direct: Array.isArray(given['direct'])
      ? given['direct'].filter((each) => typeof each === 'string')
      : [],
    writtenIn: waysIn.find((each) => each === given['writtenIn']),
    problems: [
      ...unknownKeys(given, known.settings, 'settings.poolguard'),
      ...(typeof told === 'object'
        ? unknownKeys(asRecord(told), known.pooler, 'settings.poolguard.pooler')
        : []),
      ...(asked === undefined || pooler !== undefined ? [] : [unknownPooler(asked)]),
    ],
  };
}

const waysIn = ['command line', 'editor'] as const;

interface Asked {
  readonly kind: string;
  readonly mode: string;
  readonly version: string | undefined;
}

/** `{ kind: 'pgbouncer', mode: 'transaction', version: '1.24' }`, or the short form `'pgbouncer:transaction:1.24'`; mode and version may be left out. */
function askedPooler(told: unknown): Asked | undefined {
  if (told === undefined || told === null || told === false || told === '') return undefined;
  if (typeof told === 'string') {
    const [kind = '', mode = 'transaction', version] = told.split(':');
    return { kind, mode, version };
  }
  const { kind, mode = 'transaction', version } = asRecord(told);
  return {
    kind: textOf(kind),
    mode: textOf(mode),
    version: version === undefined ? undefined : textOf(version),
  };
}

function poolerFor({ kind, mode, version }: Asked): PoolerInUse | undefined {
  const pooler = poolers.find((each) => each.kind === kind);
  const known = poolModes.find((each) => each === mode);
  return pooler === undefined ||
    known === undefined ||
    (version !== undefined && !/^\d+(?:\.\d+)*$/u.test(version))
    ? undefined
    : { pooler, mode: known, version };
}

function unknownPooler({ kind, mode, version }: Asked): SettingProblem {
  const setting = [kind, mode, ...(version === undefined ? [] : [version])].join(':');
  return {
    messageId: 'unknownPooler',
    data: {
      setting,
      kinds: poolers.map((each) => each.kind).join(', '),
      modes: poolModes.join(', '),
    },
  };
}

function unknownKeys(
  given: Readonly<Record<string, unknown>>,
  names: readonly string[],
  where: string,
): readonly SettingProblem[] {
  return Object.keys(given)
    .filter((key) => !names.includes(key) && key !== 'writtenIn')
    .map((key) => ({
      messageId: 'unknownSetting',
      data: { setting: `${where}.${key}`, names: names.join(', ') },
    }));
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : typeof value;
}

/** A setting that means nothing would switch the pooler's part of the rules off without a word. */
export function findUnknownSettings({ problems }: Settings): readonly Finding[] {
  const start = { line: 1, column: 0 };
  return problems.map(({ messageId, data }, index) => ({
    rule: 'no-session-state',
    messageId,
    data,
    place: { start, end: { line: 1, column: index } },
    steps: [],
  }));
}
