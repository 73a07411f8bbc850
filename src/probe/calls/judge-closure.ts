import { firstOwnOid, type Oid } from '../../database/read-call-facts.ts';
import { refusedFunctions } from '../workload/refused-functions.ts';
import type { KnownFunction } from './call-book.ts';
import {
  type Caller,
  type Closure,
  type ClosureRules,
  isCompiled,
  isOfTrustedExtension,
  qualifiedName,
  signatureOf,
} from './call-closure.ts';
import type { RefusedCall } from './describe-calls.ts';
import { refusedNames } from './refused-oids.ts';

/** All that a whole closure calls and must not, nearest first. */
export function refusedIn(
  { functions, foreignTables }: Closure,
  { allowed, isWriting }: ClosureRules,
  isSuperuser: boolean,
): readonly RefusedCall[] {
  const called = functions.flatMap(({ facts, by }): readonly RefusedCall[] => {
    const name = qualifiedName(facts);
    const because = allowed.has(name) ? null : whyRefused(facts, { isSuperuser, isWriting });
    return because === null
      ? []
      : [
          {
            label: signatureOf(facts),
            because,
            by,
            allowedAs: facts.oid >= firstOwnOid ? name : (nearestName(by) ?? name),
          },
        ];
  });
  const tables = foreignTables.flatMap(({ facts, by }): readonly RefusedCall[] => {
    const name = qualifiedName(facts);
    return allowed.has(name)
      ? []
      : [
          {
            label: name,
            because: 'is a foreign table, and reaches other servers, files or programs',
            by,
            allowedAs: name,
          },
        ];
  });
  return [...called, ...tables];
}

/** pg_advisory_xact_lock, pg_try_advisory_xact_lock and the shared ones, of one key and of two (pg_proc.dat). */
export const transactionLocks: ReadonlySet<Oid> = new Set([
  3089, 3090, 3091, 3092, 3093, 3094, 3095, 3096,
]);

/** Whether a lock may be held until the transaction ends. What the user allowed by name is not read, so it may. */
export function mayLock({ functions }: Closure, allowed: ReadonlySet<string>): boolean {
  return functions.some(
    ({ facts }) => transactionLocks.has(facts.oid) || allowed.has(qualifiedName(facts)),
  );
}

/** The function that is to be trusted with what PostgreSQL's own one does. */
function nearestName(caller: Caller): string | null {
  for (let at: Caller | null = caller; at !== null; at = at.above)
    if (at.allowedAs !== null) return at.allowedAs;
  return null;
}

/** Volatile functions in C that extensions bring. */
interface HarmlessFunctions {
  readonly extension: string;
  readonly names: RegExp;
  /** Why nothing of them stays. */
  readonly because: string;
}

/** Everything else that is volatile C is refused until somebody allows it by name: its code cannot be read. */
const harmlessFunctions: readonly HarmlessFunctions[] = [
  { extension: 'uuid-ossp', names: /^uuid_generate_v(?:1|1mc|4)$/, because: 'draws an identifier' },
  { extension: 'pg_uuidv7', names: /^uuid_generate_v7$/, because: 'draws an identifier' },
  {
    extension: 'pgcrypto',
    names: /^gen_(?:random_uuid|random_bytes|salt)$|^pgp_(?:sym|pub)_encrypt(?:_bytea)?$/,
    because: 'draws random bytes',
  },
  { extension: 'tablefunc', names: /^normal_rand$/, because: 'draws random numbers' },
  { extension: 'postgis', names: /^st_generatepoints$/, because: 'draws random points' },
  {
    extension: 'timescaledb',
    names: /^(?:time_bucket_gapfill|locf|interpolate)$/,
    because: 'computes on the rows of its query',
  },
  { extension: 'tsm_system_rows', names: /^system_rows$/, because: 'draws a sample' },
  { extension: 'tsm_system_time', names: /^system_time$/, because: 'draws a sample' },
  {
    extension: 'moddatetime',
    names: /^moddatetime$/,
    because: 'writes the time into the row that it is a trigger of',
  },
  {
    extension: 'pg_stat_statements',
    names: /^pg_stat_statements(?:_info)?$/,
    because: 'reads counters',
  },
  {
    extension: 'pg_buffercache',
    names: /^pg_buffercache_(?:pages|summary|usage_counts)$/,
    because: 'reads counters',
  },
];

interface Standing {
  /** The role has every right, and so has what it calls. */
  readonly isSuperuser: boolean;
  /** The transaction may write. */
  readonly isWriting: boolean;
}

/** One reason to refuse a function: goes on after "which ", null where it does not hold. */
type Reason = (called: KnownFunction, standing: Standing) => string | null;

/** Rows hold in order. What none of them refuses may be called. */
const reasons: readonly Reason[] = [
  refusedByName,
  ({ kind }) => (kind === 'p' ? 'is a procedure, and may end the transaction' : null),
  (called, { isSuperuser }) =>
    isSuperuser && isForeign(called)
      ? 'is code of this database, which would run with the rights of a superuser'
      : null,
  ({ isDefiner, isOwn, owner }) =>
    isDefiner && !isOwn ? `runs with the rights of ${owner} (SECURITY DEFINER)` : null,
  (called) =>
    isUnknownExtensionCode(called)
      ? `is volatile C code of the extension ${called.extension}, and may do more than compute`
      : null,
  (called) =>
    isForeign(called) && isCompiled(called.language) && called.kind !== 'a'
      ? 'is C code that belongs to no extension'
      : null,
  (called) =>
    isForeign(called) && called.kind !== 'a' && !isReadable(called)
      ? `is written in ${called.language}, which cannot be judged`
      : null,
  ({ settings }) =>
    settings.some((setting) => setting.startsWith('standard_conforming_strings='))
      ? 'sets standard_conforming_strings, which changes how its text is read'
      : null,
  (called) => (called.body?.kind === 'refused' && !isTrusted(called) ? called.body.because : null),
];

/** Why a function is not called; null for one that may be. */
export function whyRefused(called: KnownFunction, standing: Standing): string | null {
  for (const reason of reasons) {
    const because = reason(called, standing);
    if (because !== null) return because;
  }
  return null;
}

/**
 * By the name that it comes with, for what PostgreSQL or an extension brings; code of the database is judged by what
 * it does.
 */
function refusedByName(called: KnownFunction, { isWriting }: Standing): string | null {
  if (isForeign(called)) return null;
  const names = [
    called.name,
    `${called.schema}.${called.name}`,
    refusedNames.get(called.oid) ?? called.name,
  ];
  const found = refusedFunctions.find(
    ({ names: refused, isWrite = false }) =>
      names.some((name) => refused.test(name)) && !(isWrite && isWriting),
  );
  return found?.because ?? null;
}

/** Somebody else's than the server's and a superuser's extensions. */
function isForeign(called: KnownFunction): boolean {
  return called.oid >= firstOwnOid && !isOfTrustedExtension(called);
}

function isTrusted(called: KnownFunction): boolean {
  return !isForeign(called) && called.volatility !== 'v';
}

function isUnknownExtensionCode({
  oid,
  name,
  extension,
  language,
  volatility,
  kind,
}: KnownFunction): boolean {
  if (
    oid < firstOwnOid ||
    extension === null ||
    !isCompiled(language) ||
    volatility !== 'v' ||
    kind === 'a'
  )
    return false;
  return !harmlessFunctions.some((each) => each.extension === extension && each.names.test(name));
}

function isReadable({ language }: KnownFunction): boolean {
  return language === 'sql' || language === 'plpgsql';
}
