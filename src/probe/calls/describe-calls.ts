import { toPlainText, toShortText } from '../../activity/plain-text.ts';
import { firstOwnOid, type FunctionFacts } from '../../database/read-call-facts.ts';
import {
  isOfTrustedExtension,
  qualifiedName,
  signatureOf,
  type Caller,
  type Closure,
} from './call-closure.ts';

/** Something that a statement calls and must not. */
export interface RefusedCall {
  /** For example "public.audit(integer)". */
  readonly label: string;
  /** Goes on after "which ". */
  readonly because: string;
  readonly by: Caller;
  /** What to allow by name. */
  readonly allowedAs: string;
}

const longestLabel = 120;
/** Longer paths lose their middle. */
const mostSteps = 6;

const volatilities = { i: 'immutable', s: 'stable', v: 'volatile' } as const;
const languages: Readonly<Record<string, string>> = { c: 'C', internal: 'C' };

/**
 * What a statement calls that PostgreSQL does not bring, a line each: `public.order_total(integer): plpgsql,
 * volatile, called by view public.order_list`.
 */
export function callLines(
  { functions, foreignTables }: Closure,
  allowed: ReadonlySet<string>,
): readonly string[] {
  const shown = functions.filter(
    ({ facts, by }) => isShown(facts, by) || allowed.has(qualifiedName(facts)),
  );
  const isAllowed = (name: string) => (allowed.has(name) ? ', allowed by name' : '');
  return [
    ...shown.map(
      ({ facts, by }) =>
        `${signatureOf(facts)}: ${natureOf(facts)}, called by ${by.label}${isAllowed(qualifiedName(facts))}`,
    ),
    ...foreignTables.map(
      ({ facts, by }) =>
        `${qualifiedName(facts)}: foreign table, read by ${by.label}${isAllowed(qualifiedName(facts))}`,
    ),
  ].map((line) => toPlainText(line));
}

/** What belongs to a type of an extension says nothing of the statement. */
function isShown(facts: FunctionFacts, by: Caller): boolean {
  return facts.oid >= firstOwnOid && !(isOfTrustedExtension(facts) && by.label.startsWith('type '));
}

function natureOf({
  language,
  extension,
  kind,
  volatility,
  isDefiner,
  owner,
  isOwn,
}: FunctionFacts): string {
  const brought = extension === null ? '' : ` of extension ${extension}`;
  const rights = isDefiner ? `, SECURITY DEFINER${isOwn ? '' : ` of ${owner}`}` : '';
  return `${kind === 'a' ? 'aggregate' : (languages[language] ?? language)}${brought}, ${volatilities[volatility]}${rights}`;
}

/**
 * Why a statement is refused, by which path, and how to allow it. `subject` is, for example, "The statement calls".
 */
export function describeRefused(subject: string, refused: readonly RefusedCall[]): string {
  const [first] = refused;
  if (first === undefined) return '';
  const names = [...new Set(refused.map(({ allowedAs }) => allowedAs))];
  const path = pathTo(first);
  const sentences = [
    `${subject} ${clean(first.label)}, which ${first.because}.`,
    ...(path === null ? [] : [`Path: ${path}.`]),
    `If you trust ${names.length === 1 ? 'it' : 'all of them'}: --allow-functions ${names.map(clean).join(',')}`,
  ];
  return `${toPlainText(sentences.join(' '))}.`;
}

/** Null for what the root itself calls. */
function pathTo({ label, by }: RefusedCall): string | null {
  const steps = [label];
  for (let at: Caller | null = by; at !== null; at = at.above) steps.unshift(at.label);
  if (steps.length <= 2) return null;
  const shown =
    steps.length <= mostSteps ? steps : [...steps.slice(0, mostSteps - 2), '…', ...steps.slice(-2)];
  return shown.map(clean).join(' → ');
}

function clean(text: string): string {
  return toShortText(text, longestLabel);
}
