import {
  takesBack,
  type SessionEffect,
  type StatementKind,
  type TransactionStep,
} from '../model/sql.ts';
import type { CheckoutContext } from './checkout.ts';
import { transactionEvent, type Fact } from './facts.ts';
import { dirtySites, leftoverEvent, withLeftover } from './leftovers.ts';
import type { LeftoverEvent, TransactionEvent } from './protocols.ts';
import { isFunction, type FunctionNode, type Node, type CallNode } from '../syntax/node.ts';
import { walk } from '../syntax/preorder.ts';
import { callbackPerElement } from '../values/elements.ts';
import { unwrap } from '../syntax/source-file.ts';

/** Effects that a rollback takes back with everything else (PostgreSQL, SET, LISTEN and CREATE TABLE). */
const transactional: ReadonlySet<SessionEffect> = new Set(['set', 'listen', 'temp-table']);

/**
 * Follows what a query leaves on the client: an open transaction, session state. It is counted when the call is made; `forgetFailed`
 * takes it back where the query fails. What a statement takes back stays so, locks excepted: when that fails, the connection is
 * broken anyway. An unlock also fails in a transaction that has failed before, and the lock is still taken then.
 */
export function recordStatement(fact: Fact, call: CallNode, context: CheckoutContext): Fact {
  if (fact.status !== 'held') return fact;
  return [call, ...callsPerElement(call, context)].reduce(
    (before, each) =>
      context.session
        .statementsOf(each, fact)
        .reduce((behind, kind) => afterStatement(behind, kind, each, context), before),
    fact,
  );
}

// A cache, keyed by callback: it holds nothing of its own.
const callsOfCallbacks = new WeakMap<FunctionNode, readonly CallNode[]>();

/** What a list has called for each of its elements: `texts.map((text) => client.query(text))`. */
function callsPerElement(call: CallNode, { graph, file }: CheckoutContext): readonly CallNode[] {
  const callback = callbackPerElement(call);
  if (callback === undefined || graph.inlined.has(callback)) return [];
  const known = callsOfCallbacks.get(callback);
  if (known !== undefined) return known;
  const calls: CallNode[] = [];
  walk(file, callback.body, (node) => {
    if (node.type === 'CallExpression') calls.push(node);
    return !isFunction(node);
  });
  callsOfCallbacks.set(callback, calls);
  return calls;
}

function afterStatement(
  fact: Fact,
  kind: StatementKind,
  call: CallNode,
  context: CheckoutContext,
): Fact {
  // A statement of which not even the first word is known may end the transaction.
  if (kind.verb === '') return transactionEvent(fact, 'unknown statement');
  return withEffect(
    withoutUndone(afterTransaction(fact, kind), kind, call, context),
    kind,
    call,
    context,
  );
}

const transactionEvents: Readonly<Partial<Record<TransactionStep, TransactionEvent>>> = {
  begin: 'begin',
  commit: 'commit',
  prepare: 'prepare',
  rollback: 'rollback',
};

/** What a step does to session state of the transaction. What was made before a savepoint stays, but where that stands is not followed. */
const leftoverEvents: Readonly<Partial<Record<TransactionStep, LeftoverEvent>>> = {
  commit: 'commit',
  prepare: 'commit',
  rollback: 'rollback',
  'rollback-to-savepoint': 'rollback',
};

function afterTransaction(fact: Fact, { transaction, isChained }: StatementKind): Fact {
  if (transaction === null) return fact;
  const event = isChained ? 'chain' : transactionEvents[transaction];
  const effect = leftoverEvents[transaction];
  const after = event === undefined ? fact : transactionEvent(fact, event);
  return effect === undefined ? after : leftoverEvent(after, effect);
}

function withoutUndone(
  fact: Fact,
  kind: StatementKind,
  call: CallNode,
  { session }: CheckoutContext,
): Fact {
  if (kind.undoes.length === 0) return fact;
  const undone = dirtySites(fact).filter((site) =>
    takesBack(kind, session.siteAt(site)?.effect ?? null),
  );
  return undone.reduce((before, site) => {
    session.onUndo(site, call);
    const isLock = session.siteAt(site)?.effect === 'advisory-lock';
    return leftoverEvent(before, isLock ? 'unlocked' : 'undone', (each) => each === site);
  }, fact);
}

function withEffect(
  fact: Fact,
  { effect }: StatementKind,
  call: CallNode,
  { session }: CheckoutContext,
): Fact {
  if (effect === null) return fact;
  const site = session.siteOf(call, effect);
  if (dirtySites(fact).includes(site)) return fact;
  const isRevocable = fact.transaction === 'open' && transactional.has(effect);
  return withLeftover(fact, site, isRevocable ? 'revocable' : 'lasting');
}

/**
 * A statement that failed has left nothing, begun nothing, and taken back no lock. A ROLLBACK fails when its answer does not come
 * in time, or when the connection is lost.
 */
export function forgetFailed(fact: Fact, promise: Node, { session }: CheckoutContext): Fact {
  const call = unwrap(promise);
  if (call.type !== 'CallExpression') return fact;
  return session
    .statementsOf(call, fact)
    .flatMap(failureOf)
    .reduce<Fact>(
      (before, event) => event(before),
      leftoverEvent(fact, 'statement failed', (site) => session.siteAt(site)?.call === call),
    );
}

function failureOf({ transaction, undoes }: StatementKind): readonly ((fact: Fact) => Fact)[] {
  const isUnlock = undoes.includes('advisory-lock') || undoes.includes('all');
  return [
    ...(transaction === 'begin' ? [(fact: Fact) => transactionEvent(fact, 'begin failed')] : []),
    ...(transaction === 'rollback'
      ? [(fact: Fact) => ({ ...transactionEvent(fact, 'rollback failed'), isBroken: true })]
      : []),
    ...(isUnlock
      ? [
          (fact: Fact) =>
            fact.transaction === 'open' ? leftoverEvent(fact, 'unlock failed') : fact,
        ]
      : []),
  ];
}
