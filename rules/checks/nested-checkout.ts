import type { TSESTree } from '@typescript-eslint/types';
import { queryNames } from '../model/drivers.ts';
import type { Acquisition } from '../typestate/acquisition.ts';
import { isConclusive, isHeld, tellsOfWays, type Checkout } from '../typestate/checkout.ts';
import type { Point } from '../flow/graph.ts';
import { isOurs, type Fact, type Value } from '../typestate/facts.ts';
import { isAfterReturn } from './after-return.ts';
import type { Finding } from './finding.ts';
import { stepOf, stepsVia, taken } from './path-step.ts';
import { askedBy, calledMember, isRequest, settlers, type Request } from '../syntax/call-chain.ts';
import { calledName } from '../syntax/calls.ts';
import { isDropped } from '../syntax/is-dropped.ts';
import { isParameterName } from '../syntax/parameters.ts';
import { excerpt } from '../syntax/excerpt.ts';
import { callsIn } from '../summaries/calls-made.ts';
import {
  joinsAmbient,
  poolNeedsOf,
  poolsHeldBy,
  storedNeedsAt,
  type PoolNeed,
  type StoredNeed,
} from '../summaries/pool-needs.ts';
import { absentAt } from '../syntax/conditions.ts';
import { isNeverSet } from '../values/executor.ts';
import { enclosingAmbient } from '../values/holding.ts';
import type { Here } from '../values/resolver.ts';
import { isOtherHandle, isSamePoolAt } from '../values/same-pool.ts';
import { queryHeldClient, useHandle } from '../fixes/query-held-client.ts';
import type { Suggestion } from '../fixes/suggestion.ts';
import { heldText, untoldAt } from './untold.ts';
import { libraryOf } from '../model/libraries.ts';
import type { Library } from '../model/library.ts';
import { notPassedOn } from './not-passed-on.ts';
import { type Node, isFunction, type CallNode } from '../syntax/node.ts';
import { contains, findAncestor, unwrap, type SourceFile } from '../syntax/source-file.ts';

/** Calls that need another client of the pool whose client is held: one finding a call. */
export function findNestedCheckouts(checkout: Checkout, here: Here): readonly Finding[] {
  const { file, resolver } = here;
  const { acquisition } = checkout;
  if (!tellsOfWays(checkout) || acquisition.call.type !== 'CallExpression') return [];
  const held = poolsHeldBy(acquisition.call, file, resolver);
  const enclosing = ambientLibraries(checkout, here);
  const isJoined = (need: PoolNeed): boolean => enclosing.some((each) => joinsAmbient(need, each));
  const absent = absentWhileHeld(checkout, file);
  const stored = storedNeedsWhileHeld(checkout, here).flatMap(([at, need]) =>
    !(need.joins && acquisition.style === 'lent') &&
    !isJoined(need) &&
    held.some((each) => isSamePoolAt(resolver, each.pool, need.pool))
      ? describe(checkout, at, need, here)
      : [],
  );
  const asked = [...callsWhileHeld(checkout, file)].flatMap(([call, facts]) => {
    const need = poolNeedsOf(call, file, resolver, absent).find(
      (each) =>
        !(each.joins && acquisition.style === 'lent') &&
        !isJoined(each) &&
        isOfAnother(acquisition, each, here) &&
        !isAfterReturn(call, each, checkout, file) &&
        facts.some((fact) => !isClientGiven(each, fact, checkout, file)) &&
        (each.unsent === undefined || findAncestor(call, isFunction) === checkout.graph.root) &&
        held.some(({ pool }) => isSamePoolAt(resolver, pool, each.pool)),
    );
    return need === undefined ||
      (need.via.length > 0 && isDropped(call)) ||
      isLeftRunning(call, need, checkout)
      ? []
      : [describe(checkout, call, need, here)];
  });
  return [...stored, ...asked];
}

/** Where the handle itself has the connection, what is asked for another has to be another one for sure. */
function isOfAnother(
  { itself }: Acquisition,
  { pool }: PoolNeed,
  { file, resolver }: Here,
): boolean {
  return itself === undefined || isOtherHandle({ node: itself.handle, file }, pool, resolver);
}

/** Nobody waits for the other client while this one is held; whatever a library's transaction leaves out is a mistake all the same. */
function isLeftRunning(
  call: Node,
  { via }: PoolNeed,
  { acquisition, graph, releaseSites }: Checkout,
): boolean {
  if (libraryOf(acquisition.driver) !== undefined) return false;
  for (let up: Node | undefined = call; up !== undefined && up !== graph.root; up = up.parent) {
    const enclosing = up;
    if ([acquisition.call, ...releaseSites].some((each) => contains(enclosing, each))) return false;
    if (up.type === 'CallExpression' && isDropped(up) && (up === call || runsApart(up, call)))
      return !releasesBehind(up, releaseSites) && (via.length > 0 || up !== call || isVoid(up));
  }
  return false;
}

/** `work().then(…).finally(() => client.release())` */
function releasesBehind(call: Node, releaseSites: ReadonlySet<Node>): boolean {
  const statement = findAncestor(call, (each): each is Node => each.type === 'ExpressionStatement');
  return statement !== undefined && [...releaseSites].some((each) => contains(statement, each));
}

/** `void pool.query(text)`: it is meant to run beside. */
function isVoid({ parent }: Node): boolean {
  return parent?.type === 'UnaryExpression' && parent.operator === 'void';
}

/** A call that nobody waits for runs a function around another one: at once, for each element, or once a promise has settled. */
function runsApart(call: CallNode, inner: Node): boolean {
  const name = calledMember(call) ?? '';
  if (contains(call.callee, inner)) return isFunction(unwrap(call.callee));
  return rounds.has(name) || name === 'forEach' || settlers.has(name);
}

/** `given` after `given ?? (await knex.transaction())`, as long as nobody sets it. */
function absentWhileHeld(
  { acquisition: { call }, graph: { root } }: Checkout,
  file: SourceFile,
): readonly Node[] {
  return isFunction(root)
    ? absentAt(call, root, file).filter((each) => isNeverSet(each, file))
    : [];
}

/** Queries that are built in one place and sent in another, where the client is held; the place is that of the query if it is built here as well. */
function storedNeedsWhileHeld(
  checkout: Checkout,
  { file, resolver }: Here,
): readonly (readonly [at: Node, need: StoredNeed])[] {
  const { acquisition, exploration, graph } = checkout;
  const nodes = new Map(
    exploration.states.flatMap(({ point: { kind, node }, fact }) =>
      node !== null && kind === 'eval' && isHeld(fact, acquisition) && !fact.followsImplicitThrow
        ? [[node, fact] as const]
        : [],
    ),
  );
  return [...nodes].flatMap(([node, fact]) =>
    (isBehind(node, checkout) && node !== acquisition.call
      ? storedNeedsAt(node, file, resolver)
      : []
    ).flatMap((need): readonly (readonly [Node, StoredNeed])[] => {
      const isHere = nodes.has(need.node);
      if (need.mayBeLent || (need.isStarted && !isHere) || isOnClient(need.node, fact, checkout))
        return [];
      if (need.unsent !== undefined && findAncestor(node, isFunction) !== graph.root) return [];
      return [[isHere ? need.node : node, need]];
    }),
  );
}

/** The libraries whose transactions need not be named: of this one, or of those further out. */
function ambientLibraries({ acquisition }: Checkout, { file, resolver }: Here): readonly Library[] {
  const own = acquisition.style === 'lent' ? libraryOf(acquisition.driver) : undefined;
  return [
    ...(own === undefined ? [] : [own]),
    ...enclosingAmbient(acquisition.call, file, resolver),
  ];
}

/** Each call while the client is held, with what is known there. */
function callsWhileHeld(
  checkout: Checkout,
  file: SourceFile,
): ReadonlyMap<Request, readonly Fact[]> {
  const { acquisition, exploration } = checkout;
  const calls = new Map<Request, Fact[]>();
  // Whose callback it is may give the client back.
  const mayBeLost =
    !isConclusive(checkout) &&
    [...checkout.lends].some(
      (call) => call.type === 'CallExpression' && isParameterName(call.callee, file),
    );
  for (const { point, fact } of exploration.states) {
    if (!isHeld(fact, acquisition) || fact.followsImplicitThrow) continue;
    if (mayBeLost && fact.wasLent) continue;
    for (const call of requestsAt(point, checkout, file)) {
      if (isOnClient(call, fact, checkout)) continue;
      const facts = calls.get(call);
      if (facts === undefined) calls.set(call, [fact]);
      else facts.push(fact);
    }
  }
  return calls;
}

function requestsAt(
  { kind, node }: Point,
  checkout: Checkout,
  file: SourceFile,
): readonly Request[] {
  if (kind !== 'eval' || node === null || !isRequest(node)) return [];
  const { acquisition, graph } = checkout;
  const isOther = node !== acquisition.call && !graph.inlined.has(node);
  return [
    ...(isOther && isBehind(node, checkout) ? [node] : []),
    ...callsInRounds(node, checkout, file),
  ];
}

/** `find(own ?? pool)`: what the helper is given in place of a pool is the client. */
function isClientGiven(
  { pool }: PoolNeed,
  fact: Fact,
  checkout: Checkout,
  file: SourceFile,
): boolean {
  return pool.file === file && mayBeClient(checkout.valueOf(pool.node, fact));
}

/** `ids.map((id) => pool.query(text, [id]))` */
function callsInRounds(call: Request, { graph }: Checkout, file: SourceFile): readonly Request[] {
  if (call.type !== 'CallExpression' || !rounds.has(calledMember(call) ?? '')) return [];
  return call.arguments
    .map((argument) => unwrap(argument))
    .filter(isFunction)
    .flatMap((fn) => (graph.bodies.has(fn) ? [] : callsIn(fn, file)));
}

const rounds: ReadonlySet<string> = new Set(['map', 'flatMap', 'reduce']);

/** What stands after a call with a callback does not wait for it, unless a promise around both does. */
function isBehind(call: Node, { acquisition }: Checkout): boolean {
  if (acquisition.style !== 'callback' || contains(acquisition.call, call)) return true;
  return (
    findAncestor(
      acquisition.call,
      (each): each is TSESTree.NewExpression =>
        each.type === 'NewExpression' && !contains(each, call),
    ) !== undefined
  );
}

/** The client itself may bear the name of a pool, and a pool may be told which client to query with: `dataSource.query(text, [], runner)`. */
function isOnClient(call: Request, fact: Fact, checkout: Checkout): boolean {
  return (
    receiversIn(askedBy(call)).some((each) => mayBeClient(checkout.valueOf(each, fact))) ||
    (call.type === 'CallExpression' &&
      queryNames.has(calledMember(call) ?? '') &&
      call.arguments.some((argument) => checkout.valueOf(argument, fact) === 'client'))
  );
}

function mayBeClient(value: Value | undefined): boolean {
  return isOurs(value) || value === 'any';
}

/** `tx.users` and `tx` of `tx.users.create()`. */
function receiversIn(asked: Node): readonly Node[] {
  const plain = unwrap(asked);
  if (plain.type !== 'MemberExpression') return [];
  const object = unwrap(plain.object);
  return [object, ...receiversIn(object)];
}

function messageIdOf({ acquisition: { driver } }: Checkout, call: Node, { via }: PoolNeed): string {
  if (libraryOf(driver) !== undefined) return via.length > 0 ? 'outsideInHelper' : 'outside';
  if (via.length > 0) return 'helper';
  return isRequest(call) && queryNames.has(calledName(askedBy(call)) ?? '') ? 'query' : 'checkout';
}

/** Of two names of the same pool the shorter one; a call that gives a client names none. */
function nameOf(
  { poolText, isFromWrapper }: Acquisition,
  { node, file }: PoolNeed['pool'],
): string {
  const other = excerpt(node, file).slice(1, -1);
  return isFromWrapper === true || other.length < poolText.length ? other : poolText;
}

function describe(checkout: Checkout, call: Node, need: PoolNeed, here: Here): Finding {
  const { file } = here;
  const { acquisition } = checkout;
  const { via, pool } = need;
  const isOfLibrary = libraryOf(acquisition.driver) !== undefined;
  const held = heldText(checkout);
  const untold = via.length > 0 ? undefined : untoldAt(checkout, call, here);
  const messageId = untold?.messageId ?? messageIdOf(checkout, call, need);
  const culprit = notPassedOn(need, checkout, file);
  return {
    rule: 'no-nested-checkout',
    messageId,
    data: {
      pool: isOfLibrary ? acquisition.poolText : nameOf(acquisition, pool),
      line: String(acquisition.call.loc.start.line),
      held,
      cure: `Use ${held} here`,
      to: culprit?.isBehind === true ? 'on to' : 'to',
      helper: culprit?.call ?? '',
      ...untold?.data,
    },
    place: call.loc,
    steps: [
      taken(checkout),
      stepOf(call, file, 'takes another connection of the same pool.'),
      ...stepsVia(via, file),
    ],
    suggestions: suggestionsFor(messageId, checkout, call, here),
  };
}

function suggestionsFor(
  messageId: string,
  checkout: Checkout,
  call: Node,
  { file, resolver }: Here,
): readonly Suggestion[] {
  if (messageId === 'query' && call.type === 'CallExpression')
    return queryHeldClient(checkout, call, file);
  const isOutside = messageId === 'outside' || messageId === 'wrongArgument';
  return isOutside && isRequest(call) && !isDropped(call)
    ? useHandle(checkout, call, file, resolver)
    : [];
}
