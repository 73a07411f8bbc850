import { toPlainText } from '../../activity/plain-text.ts';
import {
  type CalledFunction,
  firstOwnOid,
  type Oid,
} from '../../database/read-called-functions.ts';
import { readSqlTokens } from '../../sql/sql-tokens.ts';
import { refusedFunctions } from '../workload/refused-functions.ts';
import { readTree } from './tree-references.ts';

/** Something with a schema. */
interface Named {
  readonly schema: string;
  readonly name: string;
}

/** What one statement calls. */
export interface Called {
  readonly functions: readonly CalledFunction[];
  /** What their bodies in standard SQL call, by OID. */
  readonly below: ReadonlyMap<Oid, CalledFunction>;
}

/** An effect that outlasts the rollback. */
export interface Accident {
  /** From what the statement calls to what has the effect: `public.audit(integer)`, `pg_notify`. */
  readonly path: readonly string[];
  /** Goes on after "which ". */
  readonly because: string;
  /** What to allow by name. */
  readonly allowedAs: string;
}

export interface AccidentRules {
  /** Qualified names: what they do is not looked at. */
  readonly allowed: ReadonlySet<string>;
  /** The transaction may write. */
  readonly isWriting: boolean;
}

function qualifiedName({ schema, name }: Named): string {
  return `${schema}.${name}`;
}

/** A function with the types of its arguments. */
function signatureOf(called: CalledFunction): string {
  return `${qualifiedName(called)}(${called.arguments})`;
}

/** All that a statement does by its functions and one level below, and that no rollback takes back. */
export function findAccidents(
  { functions, below }: Called,
  { allowed, isWriting }: AccidentRules,
): readonly Accident[] {
  const why = (names: readonly string[]) => whyIrreversible(names, isWriting);
  return functions.flatMap((each): readonly Accident[] => {
    const allowedAs = qualifiedName(each);
    if (allowed.has(allowedAs)) return [];
    const because = isOwnCode(each) ? null : why(namesOf(each));
    if (because !== null) return [{ path: [signatureOf(each)], because, allowedAs }];
    return calledIn(each, below).flatMap((names) => {
      const deeper = why(names);
      return deeper === null
        ? []
        : [{ path: [signatureOf(each), names[0] ?? ''], because: deeper, allowedAs }];
    });
  });
}

/** Of the database itself: named as its authors like. */
function isOwnCode({ oid, extension }: CalledFunction): boolean {
  return oid >= firstOwnOid && extension === null;
}

/** As `refusedFunctions` are tried: without the schema, and with it. */
function namesOf(called: Named): readonly string[] {
  return [called.name, qualifiedName(called)];
}

function whyIrreversible(names: readonly string[], isWriting: boolean): string | null {
  const found = refusedFunctions.find(
    ({ names: refused, isWrite = false }) =>
      names.some((name) => refused.test(name)) && !(isWrite && isWriting),
  );
  return found?.because ?? null;
}

/** The names of what the body of a function calls; none for one that cannot be read. */
function calledIn(
  { oid, tree, source, language }: CalledFunction,
  below: ReadonlyMap<Oid, CalledFunction>,
): readonly (readonly string[])[] {
  if (oid < firstOwnOid) return [];
  if (tree !== null)
    return readTree(tree).functions.flatMap((called) => {
      const facts = below.get(called);
      return facts === undefined || isOwnCode(facts) ? [] : [namesOf(facts)];
    });
  return language === 'sql' || language === 'plpgsql' ? namesBefore(source ?? '') : [];
}

/** The names that stand before a parenthesis in a text. */
function namesBefore(body: string): readonly (readonly string[])[] {
  const answer = readSqlTokens(body);
  if (answer.kind === 'problem') return [];
  const { tokens } = answer;
  return tokens.flatMap((token, at) => {
    const next = tokens[at + 1];
    const isCalled = next?.kind === 'mark' && next.text === '(';
    if (!isCalled || (token.kind !== 'word' && token.kind !== 'quoted')) return [];
    const schema = tokens[at - 1]?.text === '.' ? tokens[at - 2]?.text : undefined;
    return [[token.text, ...(schema === undefined ? [] : [`${schema}.${token.text}`])]];
  });
}

/** pg_advisory_xact_lock, pg_try_advisory_xact_lock and the shared ones, of one key and of two (pg_proc.dat). */
export const transactionLocks: ReadonlySet<Oid> = new Set([
  3089, 3090, 3091, 3092, 3093, 3094, 3095, 3096,
]);

/** Whether a lock may be held until the transaction ends: code that is not read to its end may take one. */
export function mayLock({ functions }: Called): boolean {
  return functions.some(
    (each) => transactionLocks.has(each.oid) || (isOwnCode(each) && each.volatility !== 'i'),
  );
}

const volatilities = { i: 'immutable', s: 'stable', v: 'volatile' } as const;
const languages: Readonly<Record<string, string>> = { c: 'C', internal: 'C' };

/** `public.order_total(integer): plpgsql, volatile`; no line for what PostgreSQL brings. */
export function describeCall(
  called: CalledFunction,
  allowed: ReadonlySet<string>,
): readonly string[] {
  if (called.oid < firstOwnOid) return [];
  const { kind, language, extension, volatility, isDefiner } = called;
  const nature = [
    `${kind === 'a' ? 'aggregate' : (languages[language] ?? language)}${extension === null ? '' : ` of extension ${extension}`}`,
    volatilities[volatility],
    ...(isDefiner ? ['SECURITY DEFINER'] : []),
    ...(allowed.has(qualifiedName(called)) ? ['allowed by name'] : []),
  ];
  return [toPlainText(`${signatureOf(called)}: ${nature.join(', ')}`)];
}
