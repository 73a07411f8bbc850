import type { State } from '../../flow/explore.ts';
import type { Node } from '../../flow/graph.ts';
import { isAnswerable, type Checkout } from '../client/checkout.ts';
import type { Fact } from '../client/facts.ts';
import { contains, type SourceFile } from '../files/source-file.ts';
import { releasingCall, seenFrom } from '../findings/after-release.ts';
import type { Place } from '../findings/finding.ts';
import { slowWaitsIn, type SlowWait } from '../findings/held-through.ts';
import { leakingStates, leavingPlace } from '../findings/leaks.ts';
import { mention, placeOf } from '../findings/mention.ts';
import type { Scene } from '../findings/scene.ts';
import { enclosing } from '../findings/verdicts.ts';
import { heldLines, type LineRange } from './held-lines.ts';
import { heldStatements, type HeldStatement } from './held-statements.ts';
import { heldStates } from './held-states.ts';

export type { LineRange } from './held-lines.ts';
export type { HeldStatement } from './held-statements.ts';

/** An await of something slow outside of the database. */
export interface SlowAwait {
  readonly place: Place;
  /** For example "an HTTP request". */
  readonly what: string;
  /** What is called, as it is written: `fetch`, `chargeCard`. */
  readonly call: string;
}

/** Where one followed client is held. Places are those of the file in which the client is checked out. */
export interface HeldSpan {
  /** The pool as it is written (`this.db`), or the function that gives the client (`getClient()`). */
  readonly pool: string;
  /** The variable that the client has, if any. */
  readonly client: string | undefined;
  /** The call that checks the client out, up to a callback; for a lent client the call that is given the callback. */
  readonly acquire: Place;
  /** True when somebody else holds the client while a callback of this file runs, and releases it: `withTransaction(async (client) => …)`. */
  readonly isLent: boolean;
  /** Where it goes back to the pool. */
  readonly releases: readonly Place[];
  /** Where control leaves with the client still held, and nobody has it; of several exceptions on one way the first. */
  readonly leaves: readonly Place[];
  /** Where it is handed to somebody who answers for it from then on, the caller included; empty for a lent client. */
  readonly given: readonly Place[];
  /** Where the client is held on some path, in the order of the file; ranges neither touch nor overlap. */
  readonly lines: readonly LineRange[];
  /** In the order of the file. */
  readonly statements: readonly HeldStatement[];
  readonly slowAwaits: readonly SlowAwait[];
  /** Whether a transaction is open over it on some path. */
  readonly transactions: 'none' | 'opened';
  /** False where not all ways of the client are known: what is listed is true, and something may be missing. */
  readonly isComplete: boolean;
}

/** The spans of all clients that were followed, in the order of the file. */
export function findHeldSpans({ checkouts, file, resolver }: Scene): readonly HeldSpan[] {
  return inOrder(checkouts.map((checkout) => spanOf(checkout, file, resolver)), ({ acquire }) => acquire);
}

function spanOf(checkout: Checkout, file: SourceFile, resolver: Scene['resolver']): HeldSpan {
  const { acquisition: { poolText, style } } = checkout;
  const held = heldStates(checkout);
  const acquire = acquirePlace(checkout);
  const isComplete = isAnswerable(checkout);
  return {
    pool: poolText.replace(/\s+(?=[.?])/gu, '').replace(/\s+/gu, ' '),
    client: clientName(checkout, held),
    acquire,
    isLent: style === 'lent',
    releases: releasesOf(checkout),
    leaves: isComplete && style !== 'lent' ? uniquePlaces(leakingStates(checkout).map((leak) => leavingPlace(checkout, leak, file))) : [],
    given: style === 'lent' ? [] : uniquePlaces([...handedOn(checkout), ...(isComplete ? [] : lentAt(checkout))].map(placeOf)),
    lines: heldLines(checkout, held, { startLine: acquire.start.line, endLine: acquire.end.line }, file),
    statements: heldStatements(checkout, held, file, resolver),
    slowAwaits: inOrder(slowWaitsIn(checkout, file, resolver).map(slowAwaitOf), ({ place }) => place),
    transactions: held.some(({ fact }) => fact.inTransaction) ? 'opened' : 'none',
    isComplete,
  };
}

/** A callback is no part of the place: what happens in it comes later. */
function acquirePlace({ acquisition: { call, style } }: Checkout): Place {
  const withCallback = style === 'callback' || style === 'lent';
  return withCallback && call.type === 'CallExpression' ? { start: call.loc.start, end: call.callee.loc.end } : placeOf(call);
}

/** The first variable that gets it; a helper may call it otherwise. */
function clientName(checkout: Checkout, held: readonly State<Fact>[]): string | undefined {
  for (const { fact } of held) {
    const [variable] = checkout.variablesWithClient(fact);
    if (variable !== undefined) return variable.name;
  }
  return undefined;
}

/** In a helper of this file that stands in the graph, the call of the helper is where the function itself sees the release. */
function releasesOf(checkout: Checkout): readonly Place[] {
  const { exploration: { states, isComplete }, graph, acquisition } = checkout;
  if (!isComplete) return [];
  const releases = states.flatMap(({ fact, from }) => {
    const node = from?.point.node ?? null;
    if (fact.status !== 'released' || from === null || node === null || from.fact.status === 'released') return [];
    const call = releasingCall(node, from, checkout);
    const seen = seenFrom(call, from.point, graph);
    return [contains(seen, acquisition.call) ? call : seen];
  });
  return uniquePlaces(releases.map(placeOf));
}

function handedOn({ exploration: { states, isComplete } }: Checkout): readonly Node[] {
  if (!isComplete) return [];
  return states.flatMap(({ fact, from }) => {
    const node = from?.point.node ?? null;
    const isGiven = fact.status === 'escaped' || fact.status === 'returned';
    return isGiven && from !== null && node !== null && from.fact.status !== fact.status ? [enclosing(node)] : [];
  });
}

/** Who was lent the client may have it still. */
function lentAt({ exploration: { isComplete }, lends }: Checkout): readonly Node[] {
  return isComplete ? [...lends] : [];
}

function slowAwaitOf({ node, work }: SlowWait): SlowAwait {
  const [helper] = work.via;
  const called = work.node.type === 'CallExpression' || work.node.type === 'NewExpression' ? work.node.callee : work.node;
  return { place: placeOf(node), what: work.what, call: helper?.text ?? mention(called, work.file).slice(1, -1) };
}

function uniquePlaces(places: readonly Place[]): readonly Place[] {
  const unique = new Map(places.map((place) => [`${place.start.line}:${place.start.column}-${place.end.line}:${place.end.column}`, place]));
  return inOrder([...unique.values()], (place) => place);
}

function inOrder<Placed>(placed: readonly Placed[], placeIn: (each: Placed) => Place): readonly Placed[] {
  return [...placed].sort((a, b) => placeIn(a).start.line - placeIn(b).start.line || placeIn(a).start.column - placeIn(b).start.column);
}
