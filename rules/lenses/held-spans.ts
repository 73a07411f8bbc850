import type { Node } from '../syntax/node.ts';
import { isConclusive, type Checkout } from '../typestate/checkout.ts';
import { contains, type SourceFile } from '../syntax/source-file.ts';
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
import type { HeldSpan, SlowAwait } from './held-span.ts';
import { heldStatements } from './held-statements.ts';
import { heldStates } from './held-states.ts';

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
