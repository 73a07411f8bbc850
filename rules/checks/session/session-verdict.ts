import type { State } from '../../flow/explore.ts';
import { methods } from '../../model/drivers.ts';
import type { Checkout } from '../../typestate/checkout.ts';
import { isFunction } from '../../syntax/node.ts';
import type { Fact } from '../../typestate/facts.ts';
import type { PathStep } from '../finding.ts';
import { checkedOut, stepAt, stepOf } from '../path-step.ts';
import { clientOf, isBorrowedParameter, isHeldIn } from './pooled-clients.ts';
import { isRenewed } from './renewed-listener.ts';
import { dirtySites, sitesOf } from '../../typestate/leftovers.ts';
import type { SessionContext, StateCall } from './state-call.ts';
import {
  findAncestor,
  memberName,
  parentOf,
  unwrap,
  variableOf,
} from '../../syntax/source-file.ts';

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
