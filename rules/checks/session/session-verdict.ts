import type { State } from '../../flow/explore.ts';
import { methods } from '../../model/drivers.ts';
import type { Checkout } from '../../typestate/checkout.ts';
import { isFunction, type FunctionNode, type Node, type CallNode } from '../../syntax/node.ts';
import type { Fact } from '../../typestate/facts.ts';
import type { PathStep } from '../finding.ts';
import { checkedOut, stepAt, stepOf } from '../path-step.ts';
import { clientOf, isBorrowedParameter, isHeldIn } from './pooled-clients.ts';
import { dirtySites, sitesOf } from '../../typestate/leftovers.ts';
import type { SessionContext, StateCall } from './state-call.ts';
import {
  findAncestor,
  memberName,
  parentOf,
  unwrap,
  variableOf,
  contains,
  type Variable,
  isMember,
  referencesOf,
} from '../../syntax/source-file.ts';
import { walk } from '../../syntax/preorder.ts';
import { callbackOf, namedCallbackOf } from '../../typestate/call-semantics.ts';

/** What is wrong with session state on a client, where no pooler stands behind the pool. */
export interface Verdict {
  readonly messageId: 'atRelease' | 'staysLocked' | 'listens' | 'elsewhere';
  readonly data: Record<string, string>;
  readonly steps: readonly PathStep[];
}

/** The gravest reason; undefined when the state does no harm or too little is known. */
export function judgeClient(state: StateCall, analysis: SessionContext): Verdict | undefined {
  return (
    firstOf(
      analysis.checkouts,
      (checkout) => atRelease(state, checkout, analysis) ?? staysLocked(state, checkout, analysis),
    ) ??
    inOwnRelease(state, analysis) ??
    (state.effect === 'listen' && !isTakenBack(state, analysis) && !isRenewed(state.call, analysis)
      ? { messageId: 'listens', data: {}, steps: [] }
      : undefined) ??
    elsewhere(state, analysis)
  );
}

/** It listens for a while, and gives the client back as it was. */
function isTakenBack({ call, effect }: StateCall, { checkouts }: SessionContext): boolean {
  return checkouts.some(
    ({ session, releaseSites }) =>
      releaseSites.size > 0 && session.undos.has(session.siteOf(call, effect)),
  );
}

function atRelease(
  { call, kind, effect }: StateCall,
  checkout: Checkout,
  { file }: SessionContext,
): Verdict | undefined {
  const { session, exploration } = checkout;
  const site = session.siteOf(call, effect);
  const release = session.dirtyReleases.get(site);
  // Where a lock was only tried, a way past the unlock may be one on which it was not got.
  if (
    release === undefined ||
    !exploration.isComplete ||
    (kind.isAttempt && session.undos.has(site))
  )
    return undefined;
  return {
    messageId: 'atRelease',
    data: { line: String(release.loc.start.line) },
    steps: [
      checkedOut(checkout),
      stepOf(call, file, 'changes the session of the connection.'),
      stepAt(release, 'The release keeps the connection, and its next user inherits that.'),
    ],
  };
}

/** `client.release = async () => { await client.query('SET …'); return original(); }`: the connection goes back right after it. */
function inOwnRelease({ call }: StateCall, { file }: SessionContext): Verdict | undefined {
  const client = clientOf(call);
  const release = findAncestor(call, isFunction);
  const patch = release === undefined ? undefined : parentOf(release);
  if (
    client === undefined ||
    patch?.type !== 'AssignmentExpression' ||
    patch.right !== release ||
    patch.left.type !== 'MemberExpression' ||
    memberName(patch.left) !== methods.release
  )
    return undefined;
  const variable = variableOf(file, unwrap(client));
  if (variable === undefined || variable !== variableOf(file, unwrap(patch.left.object)))
    return undefined;
  return {
    messageId: 'atRelease',
    data: { line: String(patch.loc.start.line) },
    steps: [stepAt(patch, 'Each release of this client runs this function.')],
  };
}

/** The unlock fails, and nobody destroys the connection: it goes back locked, or it is lost locked. */
function staysLocked(
  { call, effect }: StateCall,
  checkout: Checkout,
  { file }: SessionContext,
): Verdict | undefined {
  const site = checkout.session.siteOf(call, effect);
  const undo = checkout.session.undos.get(site);
  if (undo === undefined || !checkout.exploration.isComplete) return undefined;
  const release = checkout.session.lockedReleases.get(site);
  const isLost = checkout.exploration.states.some(
    ({ point, fact }) =>
      point.kind === 'throw-exit' &&
      fact.status === 'held' &&
      sitesOf(fact, 'still locked').includes(site),
  );
  if (release === undefined && !isLost) return undefined;
  return {
    messageId: 'staysLocked',
    data: { line: String(undo.loc.start.line) },
    steps: [
      stepOf(call, file, 'takes the lock.'),
      stepOf(undo, file, 'may fail, and the lock stays taken.'),
      ...(release === undefined
        ? []
        : [stepAt(release, 'The release keeps the connection and its lock.')]),
    ],
  };
}

/** The client leaves this function, or belongs to its caller, and nothing in the file takes the state back. */
function elsewhere(state: StateCall, analysis: SessionContext): Verdict | undefined {
  const receiver = clientOf(state.call);
  const isFollowed =
    receiver !== undefined && analysis.checkouts.some((checkout) => isHeldIn(receiver, checkout));
  const isHandedOn = analysis.checkouts.some(
    (checkout) =>
      checkout.exploration.isComplete &&
      checkout.exploration.states.some((each) => isLeftAt(each, state, checkout)),
  );
  const isBorrowed =
    !isFollowed && receiver !== undefined && isBorrowedParameter(receiver, analysis.file);
  return (isHandedOn || isBorrowed) && !analysis.isUndoneSomewhere(state.effect)
    ? { messageId: 'elsewhere', data: {}, steps: [] }
    : undefined;
}

function isLeftAt(
  { point, fact }: State<Fact>,
  { call, effect }: StateCall,
  checkout: Checkout,
): boolean {
  const isLent = checkout.acquisition.style === 'lent' && fact.status === 'held';
  if (
    point.kind !== 'exit' ||
    fact.followsImplicitThrow ||
    (fact.status !== 'returned' && fact.status !== 'escaped' && !isLent)
  )
    return false;
  return dirtySites(fact).includes(checkout.session.siteOf(call, effect));
}

function firstOf<Item, Result>(
  items: readonly Item[],
  find: (item: Item) => Result | undefined,
): Result | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

const ends: ReadonlySet<unknown> = new Set(['error', 'end']);
const subscribing: ReadonlySet<string | undefined> = new Set(['on', 'once', 'addListener']);

/**
 * Whether the program takes another client when the connection of the one that listens ends: a listener of its 'error' or 'end' releases
 * the client, so that its place in the pool is free, and comes to the function around the LISTEN, to another checkout, or to code that nobody here knows.
 */
function isRenewed(listen: CallNode, analysis: SessionContext): boolean {
  const client = clientOf(listen);
  const variable = client && variableOf(analysis.file, unwrap(client));
  return referencesOf(variable).some((name) => {
    const listener = endListener(name);
    return listener !== undefined && takesAnother(listener, variable, listen, analysis);
  });
}

/** `client.on('error', listener)` */
function endListener(client: Node): Node | undefined {
  const member = parentOf(client);
  const call = member === undefined ? undefined : parentOf(member);
  if (
    member?.type !== 'MemberExpression' ||
    member.object !== client ||
    call?.type !== 'CallExpression' ||
    call.callee !== member ||
    !subscribing.has(memberName(member))
  )
    return undefined;
  const [event, listener] = call.arguments;
  return event?.type === 'Literal' && ends.has(event.value) ? listener : undefined;
}

function takesAnother(
  listener: Node,
  client: Variable | undefined,
  listen: CallNode,
  analysis: SessionContext,
): boolean {
  const functions = functionsBehind(listener, listen, analysis);
  const encloses = (fn: FunctionNode): boolean => contains(fn, listen);
  const calls = functions.flatMap((fn) => (encloses(fn) ? [] : callsInside(fn, analysis)));
  const isOnClient = (call: CallNode, name: string): boolean =>
    isMember(call.callee, name) && variableOf(analysis.file, unwrap(call.callee.object)) === client;
  const isGivenBack = calls.some(
    (call) => isOnClient(call, methods.release) || isDone(call.callee, analysis),
  );
  // A client that is ended instead keeps its place in the pool taken.
  return (
    isGivenBack &&
    !calls.some((call) => isOnClient(call, methods.end)) &&
    (functions.some(encloses) ||
      calls.some((call) => isCheckout(call, analysis) || isUnknown(call.callee, client, analysis)))
  );
}

/** The functions that a listener is, and those of the file that it calls or passes on, `setTimeout(start, 1000)`, up to the one around the LISTEN. */
function functionsBehind(
  listener: Node,
  listen: Node,
  analysis: SessionContext,
): readonly FunctionNode[] {
  // The set grows while it is read: it is the worklist.
  const found = new Set(functionNamed(listener, analysis));
  for (const fn of found)
    for (const { callee, arguments: args } of contains(fn, listen) ? [] : callsInside(fn, analysis))
      for (const each of [callee, ...args].flatMap((node) => functionNamed(node, analysis)))
        found.add(each);
  return [...found];
}

function functionNamed(node: Node, { file, resolver }: SessionContext): readonly FunctionNode[] {
  const plain = unwrap(node);
  if (isFunction(plain)) return [plain];
  const abstractValue =
    plain.type === 'Identifier' || plain.type === 'MemberExpression'
      ? resolver.abstractValueOf(plain, file)
      : undefined;
  return abstractValue?.kind === 'function' && abstractValue.file === file
    ? [abstractValue.node]
    : [];
}

function callsInside(fn: FunctionNode, { file }: SessionContext): readonly CallNode[] {
  const calls: CallNode[] = [];
  walk(file, fn.body, (node) => {
    if (node.type === 'CallExpression') calls.push(node);
    return true;
  });
  return calls;
}

/** `done` of `pool.connect((error, client, done) => …)` */
function isDone(callee: Node, { file, checkouts }: SessionContext): boolean {
  const variable = variableOf(file, callee);
  return checkouts.some(({ acquisition: { call, style } }) => {
    if (variable === undefined || style !== 'callback' || call.type !== 'CallExpression')
      return false;
    const done = (callbackOf(call) ?? namedCallbackOf(call, file))?.params[2];
    return variable.identifiers.some((name) => (name as unknown as Node) === done);
  });
}

function isCheckout(call: CallNode, { checkouts }: SessionContext): boolean {
  return checkouts.some(({ acquisition }) => acquisition.call === call);
}

/** Code of which nothing is known, other than the runtime's and that of the client itself. */
function isUnknown(callee: Node, client: Variable | undefined, analysis: SessionContext): boolean {
  if (analysis.resolver.abstractValueOf(callee, analysis.file) !== undefined) {
    return functionNamed(callee, analysis).length === 0;
  }
  let root = unwrap(callee);
  while (root.type === 'MemberExpression') root = unwrap(root.object);
  if (root.type !== 'Identifier') return true;
  const variable = variableOf(analysis.file, root);
  return variable !== undefined && variable !== client && variable.defs.length > 0;
}
