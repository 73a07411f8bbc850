import type { Node, CallNode } from '../syntax/node.ts';
import { isConclusive, type Checkout } from '../typestate/checkout.ts';
import { contains, type SourceFile, memberName, unwrap } from '../syntax/source-file.ts';
import { releasingCall, seenFrom } from '../checks/after-release.ts';
import { excerpt } from '../syntax/excerpt.ts';
import type { Place } from '../syntax/place.ts';
import { clientName } from '../checks/client-text.ts';
import { slowWaitsIn, type SlowWait } from '../checks/held-through.ts';
import { leakingStates } from '../typestate/leaking.ts';
import { leavingPlace } from '../checks/way-out.ts';
import type { Analysis } from '../checks/analysis.ts';
import type { DeclaredPool } from '../values/pools/declared-pool.ts';
import { declaredPoolAt } from '../values/pools/declared-pools.ts';
import { enclosing } from '../checks/verdicts.ts';
import { heldLines } from './held-lines.ts';
import type { HeldSpan, SlowAwait, HeldStatement } from './held-span.ts';
import { heldStates } from './held-states.ts';
import { transactionStep } from '../model/protocols.ts';
import type { State } from '../flow/explore.ts';
import { hole } from '../model/sql.ts';
import type { Fact } from '../typestate/facts.ts';
import { libraryFor } from '../model/libraries.ts';
import type { Library } from '../model/library.ts';
import { calledMember, isRequest, methodsBehind, type Request } from '../syntax/call-chain.ts';
import { waysTo } from '../values/handle-paths.ts';
import { takingCall } from '../values/library-calls.ts';
import { sendsAt } from '../values/sent-at.ts';
import type { Here } from '../values/resolver.ts';
import { sqlOf } from '../values/texts/text.ts';
import { textsOf } from '../values/texts/texts.ts';
import { mayBeSql } from './reads-like-sql.ts';

/** The spans of all clients that were followed, in the order of the file. */
export function findHeldSpans({ checkouts, file, resolver }: Analysis): readonly HeldSpan[] {
  return inOrder(
    checkouts.map((checkout) => spanOf(checkout, file, resolver)),
    ({ acquire }) => acquire,
  );
}

function spanOf(checkout: Checkout, file: SourceFile, resolver: Analysis['resolver']): HeldSpan {
  const {
    acquisition: { poolText, style },
  } = checkout;
  const held = heldStates(checkout);
  const acquire = acquirePlace(checkout);
  const isComplete = checkout.exploration.isComplete && isConclusive(checkout);
  return {
    pool: poolText.replace(/(?<!\s)\s+(?=[.?])/gu, '').replace(/\s+/gu, ' '),
    declaredPool: declaredPoolOf(checkout, file, resolver),
    client: clientName(checkout, held),
    acquire,
    isLent: style === 'lent',
    releases: releasesOf(checkout),
    leaves:
      isComplete && style !== 'lent'
        ? uniquePlaces(leakingStates(checkout).map((leak) => leavingPlace(checkout, leak, file)))
        : [],
    given:
      style === 'lent'
        ? []
        : uniquePlaces(
            [...handedOn(checkout), ...(isComplete ? [] : lentAt(checkout))].map(({ loc }) => loc),
          ),
    lines: heldLines(
      checkout,
      held,
      { startLine: acquire.start.line, endLine: acquire.end.line },
      file,
    ),
    statements: heldStatements(checkout, held, { file, resolver }),
    slowAwaits: inOrder(
      slowWaitsIn(checkout, { file, resolver }).map(slowAwaitOf),
      ({ place }) => place,
    ),
    transactions: held.some(({ fact }) => fact.transaction === 'open') ? 'opened' : 'none',
    isComplete,
  };
}

function declaredPoolOf(
  { acquisition: { call } }: Checkout,
  file: SourceFile,
  resolver: Analysis['resolver'],
): DeclaredPool | undefined {
  if (call.type !== 'CallExpression' || call.callee.type !== 'MemberExpression') return undefined;
  const pool = resolver.abstractValueOf(call.callee.object, file);
  return pool?.kind === 'pool' && pool.site.node.type === 'NewExpression'
    ? declaredPoolAt(pool.site.node, pool.site.file, resolver)
    : undefined;
}

/** A callback is no part of the place: what happens in it comes later. */
function acquirePlace({ acquisition: { call, style } }: Checkout): Place {
  const withCallback = style === 'callback' || style === 'lent';
  return withCallback && call.type === 'CallExpression'
    ? { start: call.loc.start, end: call.callee.loc.end }
    : call.loc;
}

/** In a helper of this file that stands in the graph, the call of the helper is where the function itself sees the release. */
function releasesOf(checkout: Checkout): readonly Place[] {
  const {
    exploration: { marked, isComplete },
    graph,
    acquisition,
  } = checkout;
  if (!isComplete) return [];
  const releases = marked.flatMap(({ from }) => {
    const node = from?.point.node ?? null;
    if (from === null || node === null) return [];
    const call = releasingCall(node, from, checkout);
    const seen = seenFrom(call, from.point, graph);
    return [contains(seen, acquisition.call) ? call : seen];
  });
  return uniquePlaces(releases.map(({ loc }) => loc));
}

function handedOn({ exploration: { states, isComplete } }: Checkout): readonly Node[] {
  if (!isComplete) return [];
  return states.flatMap(({ fact, from }) => {
    const node = from?.point.node ?? null;
    const isGiven = fact.status === 'escaped' || fact.status === 'returned';
    return isGiven && from !== null && node !== null && from.fact.status !== fact.status
      ? [enclosing(node)]
      : [];
  });
}

/** Who was lent the client may have it still. */
function lentAt({ exploration: { isComplete }, lends }: Checkout): readonly Node[] {
  return isComplete ? [...lends] : [];
}

function slowAwaitOf({ node, work }: SlowWait): SlowAwait {
  const [helper] = work.via;
  const called =
    work.node.type === 'CallExpression' || work.node.type === 'NewExpression'
      ? work.node.callee
      : work.node;
  return {
    place: node.loc,
    what: work.what,
    call: helper?.text ?? excerpt(called, work.file).slice(1, -1),
  };
}

function uniquePlaces(places: readonly Place[]): readonly Place[] {
  const unique = new Map(
    places.map((place) => [
      `${place.start.line}:${place.start.column}-${place.end.line}:${place.end.column}`,
      place,
    ]),
  );
  return inOrder([...unique.values()], (place) => place);
}

function inOrder<Placed>(
  placed: readonly Placed[],
  placeIn: (each: Placed) => Place,
): readonly Placed[] {
  return [...placed].sort(
    (a, b) =>
      placeIn(a).start.line - placeIn(b).start.line ||
      placeIn(a).start.column - placeIn(b).start.column,
  );
}

/** The queries that are made in these states, and the calls of helpers that surely send something, in the order of the file. */
function heldStatements(
  checkout: Checkout,
  held: readonly State<Fact>[],
  here: Here,
): readonly HeldStatement[] {
  const found = new Map<Request, string | undefined>();
  for (const state of held) {
    const { kind, node } = state.point;
    if (kind !== 'eval' || node === null || !isRequest(node) || found.has(node)) continue;
    const statement =
      overHandle(node, state, checkout, here) ??
      (node.type === 'CallExpression' ? overClient(node, state, checkout, here) : null);
    if (statement !== null) found.set(node, statement.words);
  }
  const inOrder = [...found].sort(([a], [b]) => a.range[0] - b.range[0]);
  return inOrder.map(([node, words]) => ({ place: node.loc, words }));
}

type Words = Pick<HeldStatement, 'words'>;

/** A query of a library over the handle that is held, or one that learns of it. */
function overHandle(
  request: Request,
  state: State<Fact>,
  checkout: Checkout,
  here: Here,
): Words | null {
  const { file, resolver } = here;
  const library = libraryFor(checkout.acquisition.driver);
  if (library === undefined) return null;
  const isHeld = (node: Node): boolean => checkout.holdsClient(node, state);
  const behind = methodsBehind(request);
  const isAsked = waysTo(request).some(
    ({ handle, path }) => isHeld(handle) && sendsAt(library, path, request, behind),
  );
  if (!isAsked && !isTold(request, library, isHeld, here)) return null;
  const text = textOf(request);
  const isSql = text && textsOf(text, { file, resolver }).some(mayBeSql);
  return { words: isSql === true ? wordsOfText(text, here) : undefined };
}

/** `User.create(values, { transaction })`, ``sql`…`.execute(tx)`` */
function isTold(
  request: Request,
  { carries }: Library,
  isHeld: (node: Node) => boolean,
  { file, resolver }: Here,
): boolean {
  if (request.type !== 'CallExpression') return false;
  const [first] = request.arguments;
  const isCarried = carries !== null && calledMember(request) === carries.by;
  if (isCarried && first !== undefined && isHeld(first)) return true;
  const taken = takingCall(request, file, resolver);
  return taken?.sends === true && taken.told.kind === 'some' && isHeld(taken.told.node);
}

/** What a request tags, is given, or carries: ``sql`…`.execute(tx)``. */
function textOf(request: Request): Node | undefined {
  if (request.type === 'TaggedTemplateExpression') return request;
  const { callee, arguments: given } = request;
  return callee.type === 'MemberExpression' &&
    unwrap(callee.object).type === 'TaggedTemplateExpression'
    ? unwrap(callee.object)
    : given[0];
}

function overClient(
  call: CallNode,
  state: State<Fact>,
  checkout: Checkout,
  here: Here,
): Words | null {
  return isStatement(call, state, checkout) ? { words: wordsOf(call, checkout, here) } : null;
}

function isStatement(call: CallNode, state: State<Fact>, checkout: Checkout): boolean {
  const { driver } = checkout.acquisition;
  if (call.callee.type !== 'MemberExpression' || !checkout.holdsClient(call.callee.object, state))
    return (checkout.session.sent.get(call)?.kinds.length ?? 0) > 0;
  const name = memberName(call.callee) ?? '';
  return driver.queries.includes(name) || transactionStep(driver, name) !== undefined;
}

function wordsOf(
  call: CallNode,
  { acquisition: { driver }, session }: Checkout,
  here: Here,
): string | undefined {
  const { resolver } = here;
  const name = call.callee.type === 'MemberExpression' ? (memberName(call.callee) ?? '') : '';
  const step = transactionStep(driver, name);
  if (step !== undefined) return step.toUpperCase();
  if (driver.queries.includes(name)) return wordsOfText(call.arguments[0], here);
  const source = session.sent.get(call)?.source;
  return source === undefined
    ? undefined
    : wordsOfText(source.query.arguments[0], { file: source.file, resolver });
}

/** Undefined when the text is not known, or is one of several that begin differently. */
function wordsOfText(argument: Node | undefined, { file, resolver }: Here): string | undefined {
  const texts = argument === undefined ? [] : textsOf(argument, { file, resolver }).map(sqlOf);
  const [only, ...more] = new Set(texts.map(firstWords));
  return more.length > 0 ? undefined : only;
}

const maximalWords = 4;
const longest = 60;

/** `UPDATE accounts\n SET balance = $1` begins with "UPDATE accounts SET balance". A bracket, a text and a part that is not known end it. */
function firstWords(sql: string): string | undefined {
  const [known = ''] = withoutComments(sql).split(hole);
  const [plain = ''] = known.split(/[('$;]/u);
  const words = plain.trim().split(/\s+/u).slice(0, maximalWords);
  while (words.length > 1 && words.join(' ').length > longest) words.pop();
  const text = words.join(' ').replace(/(?<![\s,.])[\s,.]+$/u, '');
  return /^[a-z]/iu.test(text) && text.length <= longest ? text : undefined;
}

function withoutComments(sql: string): string {
  return sql.replace(/^(?:\s|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)+/u, '');
}
