import { libraryFor } from '../../model/libraries.ts';
import type { Library } from '../../model/library.ts';
import { lastingKind, statementKinds, type StatementKind } from '../../model/sql.ts';
import { sessionWords, subjectOf } from '../../model/session-words.ts';
import type { Effect } from '../../summaries/effects.ts';
import type { HoldingCode } from '../../summaries/held-calls.ts';
import { heldThrough, type Held } from '../../summaries/held-paths.ts';
import { isRequest, type Request } from '../../syntax/call-chain.ts';
import { excerpt } from '../../syntax/excerpt.ts';
import type { Node } from '../../syntax/node.ts';
import type { SourceFile } from '../../syntax/source-file.ts';
import type { Checkout } from '../../typestate/checkout.ts';
import { derivedLibrary } from '../../values/derived-library.ts';
import { beginningCall, lendingCall } from '../../values/library-calls.ts';
import type { Here } from '../../values/resolver.ts';
import { speaksToPostgresql } from '../../values/server-of.ts';
import { mayWriteLastingStatement, sqlTexts } from '../../values/texts/session-texts.ts';
import type { Finding } from '../finding.ts';
import type { Analysis } from '../analysis.ts';
import { stepInFile, stepOf, taken } from '../path-step.ts';
import { helperStatements, textOver } from './helper-state.ts';

/** A statement over the handle of a library's connection, as far as its text is known, or those of a helper that is given it. */
interface Sent {
  readonly request: Request;
  readonly kinds: readonly StatementKind[];
  /** The statement of a helper that leaves something behind. */
  readonly inside: Effect | undefined;
}

/** Session state that a statement over a library's handle leaves on its connection, where the library keeps that when the connection goes back. */
export function findLibraryState(analysis: Analysis): readonly Finding[] {
  const { checkouts, file } = analysis;
  return checkouts.flatMap((checkout) => {
    const library = libraryFor(checkout.acquisition.driver);
    if (library?.keepsSession !== true || checkout.acquisition.kept !== undefined) return [];
    const end = endOf(checkout);
    const sent = end === undefined ? [] : sentOver(checkout, library, analysis);
    const isKnown = sent.length > 0 && isPostgresql(checkout, library, analysis);
    return sent.flatMap((each) => {
      const kind = lastingKind(each.kinds);
      return kind === undefined ||
        end === undefined ||
        !(isKnown || isPostgresqlOnly(kind)) ||
        isUndone(kind, sent)
        ? []
        : [describe(each, kind, end, checkout, file)];
    });
  });
}

/** The line at which the connection goes back: the end of the callback's call, or the first call that ends it. */
function endOf({ acquisition, releaseSites }: Checkout): number | undefined {
  if (acquisition.style === 'lent') return acquisition.call.loc.end.line;
  return [...releaseSites][0]?.loc.start.line;
}

function sentOver(checkout: Checkout, library: Library, here: Here): readonly Sent[] {
  const found = new Map<Request, Sent>();
  for (const { point, fact } of checkout.exploration.states) {
    const { node, kind } = point;
    if (kind !== 'eval' || node === null || !isRequest(node) || found.has(node)) continue;
    if (fact.followsImplicitThrow || fact.status === 'released' || fact.status === 'none') continue;
    const libraryAt = (each: Node): Library | undefined =>
      derivedLibrary(each, (part) =>
        checkout.valueOf(part, fact) === 'client' ? library : undefined,
      );
    const text = textOver(node, libraryAt, here);
    const sent =
      text === undefined
        ? sentByHelper(node, codeHolding(libraryAt, checkout, here))
        : sentItself(node, text, here);
    if (sent.kinds.length > 0) found.set(node, sent);
  }
  return [...found.values()];
}

function codeHolding(
  libraryAt: (node: Node) => Library | undefined,
  of: Checkout,
  { file, resolver }: Here,
): HoldingCode {
  const at = (node: Node): Held | undefined => {
    const library = libraryAt(node);
    return library && { library, of };
  };
  const paths = heldThrough({ at, member: () => undefined, keysOf: () => [] }, file);
  return { file, resolver, paths, ofThis: [] };
}

function sentByHelper(request: Request, code: HoldingCode): Sent {
  const inside = helperStatements(request, code);
  return {
    request,
    kinds: inside.flatMap(({ kinds }) => kinds),
    inside: inside.find(({ kinds }) => lastingKind(kinds) !== undefined),
  };
}

function sentItself(request: Request, text: Node, here: Here): Sent {
  const { file } = here;
  const kinds = mayWriteLastingStatement(file) ? kindsOf(text, here) : [];
  return { request, kinds, inside: undefined };
}

/** Of several texts the one that leaves something behind matters. */
function kindsOf(text: Node, { file, resolver }: Here): readonly StatementKind[] {
  const alternatives = sqlTexts(text, { file, resolver }).map(statementKinds);
  return alternatives.find((kinds) => lastingKind(kinds) !== undefined) ?? alternatives[0] ?? [];
}

function isPostgresql(
  { acquisition: { call } }: Checkout,
  library: Library,
  { file, resolver }: Here,
): boolean {
  if (call.type !== 'CallExpression') return library.postgresql.only;
  const taken = lendingCall(call, file, resolver) ?? beginningCall(call, file, resolver);
  const asked = call.callee.type === 'MemberExpression' ? call.callee.object : undefined;
  const handle = taken?.handle ?? asked;
  return speaksToPostgresql(handle && resolver.abstractValueOf(handle, file), library, resolver);
}

/** Settings that no other database has. */
const settingsOfPostgresql: ReadonlySet<string> = new Set([
  'search_path',
  'statement_timeout',
  'lock_timeout',
  'idle_in_transaction_session_timeout',
  'row_security',
  'session_replication_role',
  'work_mem',
]);

/** A statement that tells its database by itself: `set_config`, `pg_advisory_lock`, LISTEN. */
function isPostgresqlOnly({ effect, verb, parameter }: StatementKind): boolean {
  return (
    effect === 'advisory-lock' ||
    effect === 'listen' ||
    (effect === 'set' && (verb !== 'SET' || settingsOfPostgresql.has(parameter ?? '')))
  );
}

/** Some statement over the same handle takes it back. */
function isUndone({ effect }: StatementKind, sent: readonly Sent[]): boolean {
  return sent.some(({ kinds }) =>
    kinds.some(({ undoes }) => undoes.some((each) => each === effect || each === 'all')),
  );
}

function describe(
  { request, inside }: Sent,
  kind: StatementKind,
  line: number,
  checkout: Checkout,
  file: SourceFile,
): Finding {
  const { effect, parameter } = kind;
  const known = effect ?? 'set';
  return {
    rule: 'no-session-state',
    messageId: 'atRelease',
    data: {
      subject: subjectOf(known, kind),
      cure: sessionWords[known].cure,
      via: '',
      effect: effect ?? '',
      setting: parameter ?? '',
      line: String(line),
    },
    place: request.loc,
    steps: [
      taken(checkout),
      stepOf(request, file, 'changes the session of the connection.'),
      ...(inside === undefined
        ? []
        : [stepInFile(inside.file, inside.node, excerpt(inside.node, inside.file), file)]),
    ],
  };
}
