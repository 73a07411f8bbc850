import { basename, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as v from 'valibot';
import { readOrdinary } from '../../../rules/project/ordinary-file.ts';
import { longestGlob } from '../../globs/glob.ts';
import type { KnownRules } from '../../lint/known-rules.ts';
import { parsePooler, type Pooler } from '../../lint/pooler.ts';
import { record, text, whole } from '../../schema/fields.ts';
import { whatIsWrong } from '../../schema/what-is-wrong.ts';
import { whyUnread } from '../../files/why-unread.ts';
import { CouldNotRun } from '../exit-code.ts';
import { readRuleEntries, type RuleEntries } from './rule-entries.ts';

/** Where a project configures the command, the first one counts. */
export const ownConfigurationNames = ['js', 'mjs', 'cjs', 'ts', 'mts', 'json'].map(
  (ending) => `poolguard.config.${ending}`,
);

/** What `poolguard.config.*` says. */
export interface OwnConfiguration {
  readonly preset?: string;
  readonly rules: RuleEntries;
  /** Patterns from the folder of the file. */
  readonly ignores: readonly string[];
  readonly maxWarnings?: number;
  readonly pooler?: Pooler;
}

/** Runs or reads a configuration of our own. Throws `CouldNotRun`, with the place of the mistake. */
export async function readOwnConfiguration(
  file: string,
  cwd: string,
  known: KnownRules,
): Promise<OwnConfiguration> {
  const place = relative(cwd, file);
  const read = v.safeParse(schemaOf(known), await load(file, place));
  if (!read.success) throw new CouldNotRun(`${place}: ${whatIsWrong(read.issues)}.`);
  const { rules = {}, ignores = [], pooler, ...rest } = read.output;
  return {
    ...rest,
    rules: readRuleEntries(rules, place, known),
    ignores,
    ...(pooler === undefined ? {} : { pooler: readPooler(pooler, place) }),
  };
}

function schemaOf({ presets }: KnownRules) {
  return v.pipe(
    record,
    v.strictObject({
      preset: v.exactOptional(v.picklist(Object.keys(presets))),
      rules: v.exactOptional(record),
      ignores: v.exactOptional(v.array(v.pipe(text, v.maxLength(longestGlob)))),
      maxWarnings: v.exactOptional(whole(0, Infinity)),
      pooler: v.exactOptional(text),
    }),
  );
}

function readPooler(written: string, place: string): Pooler {
  const pooler = parsePooler(written);
  if (typeof pooler === 'string') throw new CouldNotRun(`${place}: pooler: ${pooler}`);
  return pooler;
}

/** In bytes. */
const longestConfiguration = 1_000_000;

async function load(file: string, place: string): Promise<unknown> {
  const read = readOrdinary(file, { longest: longestConfiguration });
  if (read.kind === 'unread') throw new CouldNotRun(whyUnread(place, read, longestConfiguration));
  try {
    if (file.endsWith('.json')) return JSON.parse(read.bytes.toString('utf8')) as unknown;
    const loaded = (await import(pathToFileURL(file).href)) as { readonly default?: unknown };
    return loaded.default;
  } catch (failure) {
    throw new CouldNotRun(`${place} cannot be loaded: ${reasonOf(failure, file)}`);
  }
}

function reasonOf(failure: unknown, file: string): string {
  const { message, code } = failure as { readonly message?: string; readonly code?: string };
  if (code === 'ERR_UNKNOWN_FILE_EXTENSION' && /\.m?ts$/u.test(file))
    return `Node.js ${process.versions.node} cannot run TypeScript. Use Node.js 22.18 or newer, or rename it to ${basename(file).replace(/\.m?ts$/u, '.mjs')}.`;
  const [line = ''] = (message ?? String(failure)).split('\n');
  return `${line.replace(/\.$/u, '')}.`;
}
