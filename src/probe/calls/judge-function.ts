import { firstOwnOid } from '../../database/read-call-facts.ts';
import { refusedFunctions } from '../workload/refused-functions.ts';
import type { KnownFunction } from './call-book.ts';
import { isCompiled, isOfTrustedExtension } from './call-closure.ts';
import { harmlessFunctions } from './harmless-functions.ts';
import { refusedNames } from './refused-oids.ts';

export interface Standing {
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
      ? 'sets standard_conforming_strings, so that its text cannot be judged'
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
