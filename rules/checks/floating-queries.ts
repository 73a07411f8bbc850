import type { State } from '../flow/explore.ts';
import { isThrown, type Graph, type Point } from '../flow/graph.ts';
import { libraryFor } from '../model/libraries.ts';
import type { Library } from '../model/library.ts';
import { slowWorkIn } from '../summaries/slow-work.ts';
import { isRequest } from '../syntax/call-chain.ts';
import { floatsIn, type Float, type Part } from '../syntax/floats.ts';
import { isFunction, type FunctionNode, type Node } from '../syntax/node.ts';
import { findAncestor, unwrap, type SourceFile } from '../syntax/source-file.ts';
import { isHeld, type Checkout } from '../typestate/checkout.ts';
import type { Fact } from '../typestate/facts.ts';
import type { Here } from '../values/resolver.ts';
import { awaited } from '../fixes/edits.ts';
import type { Suggestion } from '../fixes/suggestion.ts';
import type { Finding } from './finding.ts';
import { stepOf, taken } from './path-step.ts';
import type { Place, Started } from './started.ts';
import { placeHolding, queriesAt, queriesIn, startedIn } from './surely-queries.ts';

/** A query over the handle that is under way, or yet to come, when the connection goes back. */
interface Floating {
  readonly float: Float;
  readonly state: State<Fact>;
  readonly query: Started;
  /** It is sent only then: something is waited for before it. */
  readonly isLate: boolean;
}

/**
 * Queries over a library's connection that nobody waits for before it goes back: `void save(tx)`, `ids.forEach(async (id) => …)`,
 * `setTimeout(() => …)`. The first one is sent before the end, and what it answers is lost; what comes behind another wait is too
 * late. What is awaited afterwards gives all of them the time that they need.
 */
export function findFloatingQueries(checkout: Checkout, here: Here): readonly Finding[] {
  const { file } = here;
  const { acquisition, graph } = checkout;
  const library = libraryFor(acquisition.driver);
  if (library === undefined || graph.root.type === 'Program') return [];
  if (acquisition.style === 'lent' && library.outlivesCallback && !graph.root.async) return [];
  return floatsIn(graph.root, file).flatMap((float) => {
    const floating = floatingAt(float, library, checkout, here);
    const harm = floating && harmOf(floating, library, checkout);
    return floating === undefined || harm === undefined
      ? []
      : [describe(floating, harm, checkout, file)];
  });
}

function floatingAt(
  float: Float,
  library: Library,
  checkout: Checkout,
  { file, resolver }: Here,
): Floating | undefined {
  for (const state of checkout.exploration.states) {
    if (state.point.node !== float.call || !isOut(state.fact, checkout)) continue;
    const place = placeHolding({ file, resolver }, checkout.graph.root, (node) =>
      checkout.valueOf(node, state.fact) === 'client' ? { library, of: checkout } : undefined,
    );
    const [first, ...others] = startedBy(float.part, place);
    const query = [first, ...others].find((each) => each?.isBehind) ?? first;
    if (query !== undefined && isUnawaited(float, state.point, checkout))
      return { float, state, query, isLate: query.isBehind || isDeferred(float.part) };
  }
  return undefined;
}

function isOut(fact: Fact, { acquisition }: Checkout): boolean {
  return !fact.followsImplicitThrow && (fact.status === 'unconnected' || isHeld(fact, acquisition));
}

function startedBy(part: Part, place: Place): readonly Started[] {
  switch (part.kind) {
    case 'once': {
      const plain = unwrap(part.node);
      return isRequest(plain) ? queriesAt(plain, place) : [];
    }
    case 'behind': {
      const isBehind = takesAWhile(part.after, place);
      return queriesOf(part.node, place).map((query) => ({
        ...query,
        isBehind: query.isBehind || isBehind,
      }));
    }
    default:
      return queriesOf(part.node, place);
  }
}

function takesAWhile(promise: Node, place: Place): boolean {
  return (
    startedIn(promise, place).length > 0 ||
    slowWorkIn(promise, place.file, place.resolver) !== undefined
  );
}

/** Of a function that is not asynchronous, only what it drops itself: what else it starts somebody may keep. */
function queriesOf(fn: FunctionNode, place: Place): readonly Started[] {
  if (fn.async) return queriesIn(fn, place);
  if (fn.body.type !== 'BlockStatement') return startedBy({ kind: 'once', node: fn.body }, place);
  return floatsIn(fn, place.file).flatMap(({ part }) => startedBy(part, place));
}

function isDeferred({ kind }: Part): boolean {
  return kind === 'timer' || kind === 'event';
}

/** A timer does not ask whether the code around it has come to its end, as long as that is what ends the connection. */
function isUnawaited({ part }: Float, point: Point, checkout: Checkout): boolean {
  const endsHere = checkout.acquisition.style === 'lent' || checkout.releaseSites.size > 0;
  return (part.kind === 'timer' && endsHere) || reachesEnd(point, checkout);
}

/** Control reaches the end of the callback, or what ends the transaction, and nothing is waited for on the way. */
function reachesEnd(from: Point, { graph, acquisition, releaseSites }: Checkout): boolean {
  const isLent = acquisition.style === 'lent';
  const seen = new Set<Point>([from]);
  for (const point of seen) {
    const { kind, node, edges } = point;
    if (isLent ? kind === 'exit' : node !== null && releaseSites.has(node)) return true;
    if (point !== from && isWait(point, graph)) continue;
    for (const { to, when } of edges) if (!isThrown(when)) seen.add(to);
  }
  return false;
}

function isWait({ kind, node }: Point, graph: Graph): boolean {
  if (node === null) return false;
  const waits =
    kind === 'settle' ||
    (kind === 'eval' &&
      (node.type === 'AwaitExpression' ||
        node.type === 'YieldExpression' ||
        (node.type === 'ForOfStatement' && node.await) ||
        (node.type === 'ReturnStatement' &&
          node.argument !== null &&
          mayBePromise(node.argument))));
  return (
    waits && findAncestor(node, (each): each is Node => graph.detached.has(each)) === undefined
  );
}

const plainValues: ReadonlySet<string> = new Set([
  'Literal',
  'TemplateLiteral',
  'ObjectExpression',
  'AwaitExpression',
  'BinaryExpression',
  'UnaryExpression',
]);

function mayBePromise(value: Node): boolean {
  return !plainValues.has(unwrap(value).type);
}

/** What it comes to; undefined where it does no harm. */
function harmOf(
  { isLate, state }: Floating,
  { lateQuery, unawaited }: Library,
  { acquisition: { style, itself } }: Checkout,
): string | undefined {
  if (isLate && itself !== undefined) return 'it runs outside the transaction';
  if (isLate) return lateQuery === '' ? undefined : lateQuery;
  return style === 'lent' && state.fact.transaction === 'open'
    ? (unawaited ?? undefined)
    : undefined;
}

function messageOf({ float: { part }, isLate }: Floating): string {
  if (isDeferred(part)) return 'deferred';
  return isLate ? 'floating' : 'unawaited';
}

function describe(floating: Floating, harm: string, checkout: Checkout, file: SourceFile): Finding {
  const { float, query, state } = floating;
  const started = float.part.kind === 'once' ? float.call : query.node;
  const { acquisition } = checkout;
  const held = state.fact.transaction === 'open' ? 'transaction' : 'connection';
  return {
    rule: 'no-use-after-release',
    messageId: messageOf(floating),
    data: { held, pool: acquisition.poolText, harm },
    place: started.loc,
    steps: [
      taken(checkout),
      stepOf(started, file, `starts and is not awaited before the ${held} ends: ${harm}.`),
    ],
    suggestions: suggestAwait(float, checkout),
  };
}

function suggestAwait({ call, part }: Float, { graph }: Checkout): readonly Suggestion[] {
  const isStatement = call.parent.type === 'ExpressionStatement';
  return isStatement && part.kind === 'once' && isFunction(graph.root) && graph.root.async
    ? [{ messageId: 'addAwait', data: {}, edits: awaited([call]) }]
    : [];
}
