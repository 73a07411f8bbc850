import type { TSESTree } from '@typescript-eslint/types';
import type { SessionEffect, StatementKind } from '../model/sql.ts';
import type { CheckoutContext } from './checkout.ts';
import type { Fact } from './facts.ts';
import { note } from './notes.ts';
import type { Node } from '../syntax/node.ts';
import { unwrap } from '../syntax/source-file.ts';

/** Effects that a rollback takes back with everything else (PostgreSQL, SET, LISTEN and CREATE TABLE). */
const transactional: ReadonlySet<SessionEffect> = new Set(['set', 'listen', 'temp-table']);

/**
 * Follows what a query leaves on the client: an open transaction, session state. It is counted when the call is made; `forgetFailed`
 * takes it back where the query fails. What a statement takes back stays so, locks excepted: when that fails, the connection is
 * broken anyway. An unlock also fails when it is cancelled, or in a transaction that has failed before, and the lock is still taken then.
 */
export function recordStatement(
  fact: Fact,
  call: TSESTree.CallExpression,
  context: CheckoutContext,
): Fact {
  if (fact.status !== 'held') return fact;
  return context.session
    .statementsOf(call, fact)
    .reduce((before, kind) => afterStatement(before, kind, call, context), fact);
}

function afterStatement(
  fact: Fact,
  kind: StatementKind,
  call: TSESTree.CallExpression,
  context: CheckoutContext,
): Fact {
  // A statement of which not even the first word is known may end the transaction.
  if (kind.verb === '' && fact.inTransaction) return { ...fact, inTransaction: false };
  if (kind.transaction === null && kind.effect === null && kind.undoes.length === 0) return fact;
  const site = context.session.siteOf(call);
  return withEffect(
    withoutUndone(afterTransaction(fact, kind, site), kind, call, context),
    kind,
    site,
  );
}

function afterTransaction(
  fact: Fact,
  { transaction, isChained }: StatementKind,
  site: number,
): Fact {
  switch (transaction) {
    case 'begin':
      return { ...fact, inTransaction: true, failedRollback: false };
    case 'commit':
    case 'prepare':
      return { ...fact, inTransaction: isChained, failedRollback: false, notes: withoutOpen(fact) };
    case 'rollback':
      return {
        ...fact,
        inTransaction: isChained,
        failedRollback: false,
        dirty: withoutRevoked(fact),
        notes: fact.inTransaction
          ? sorted([...withoutOpen(fact), note('rolling', site)])
          : withoutOpen(fact),
      };
    // What was made before the savepoint stays, but where the savepoint stands is not followed.
    case 'rollback-to-savepoint':
      return { ...fact, dirty: withoutRevoked(fact), notes: withoutOpen(fact) };
    default:
      return fact;
  }
}

function withoutRevoked({ dirty, notes }: Fact): readonly number[] {
  return dirty.filter((site) => !notes.includes(note('open', site)));
}

function withoutOpen({ notes }: Fact): readonly string[] {
  return notes.filter((each) => !each.startsWith('open ') && !each.startsWith('rolling '));
}

function withoutUndone(
  fact: Fact,
  { undoes }: StatementKind,
  call: TSESTree.CallExpression,
  context: CheckoutContext,
): Fact {
  if (undoes.length === 0) return fact;
  const undone = fact.dirty.filter(
    (site) =>
      undoes.includes('all') ||
      context.session.effectsAt(site).some((effect) => undoes.includes(effect)),
  );
  if (undone.length === 0) return fact;
  for (const site of undone) context.session.onUndo(site, call);
  const locks = undone.filter((site) => context.session.effectsAt(site).includes('advisory-lock'));
  return {
    ...fact,
    dirty: fact.dirty.filter((site) => !undone.includes(site)),
    notes: sorted([
      ...fact.notes.filter((each) => !undone.some((site) => each === note('open', site))),
      ...locks.map((site) => note('unlocked', site)),
    ]),
  };
}

function withEffect(fact: Fact, { effect }: StatementKind, site: number): Fact {
  if (effect === null || fact.dirty.includes(site)) return fact;
  const notes = fact.notes.filter((each) => !each.endsWith(` ${site}`));
  const isRevocable = fact.inTransaction && transactional.has(effect);
  return {
    ...fact,
    dirty: [...fact.dirty, site].sort((a, b) => a - b),
    notes: isRevocable ? sorted([...notes, note('open', site)]) : notes,
  };
}

function sorted(notes: readonly string[]): readonly string[] {
  return [...notes].sort();
}

/** A statement that failed has left nothing, begun nothing, and taken back no lock. */
export function forgetFailed(fact: Fact, promise: Node, context: CheckoutContext): Fact {
  const call = unwrap(promise);
  if (call.type !== 'CallExpression') return fact;
  return forgetState(failTransaction(fact, call, context), call, context);
}

/**
 * A failed COMMIT has ended the transaction all the same (PostgreSQL, COMMIT). A ROLLBACK fails when its answer does not come in
 * time, or when the connection is lost.
 */
function failTransaction(
  fact: Fact,
  call: TSESTree.CallExpression,
  context: CheckoutContext,
): Fact {
  const steps = context.session.statementsOf(call, fact).map(({ transaction }) => transaction);
  if (steps.includes('begin')) return fact.inTransaction ? { ...fact, inTransaction: false } : fact;
  return steps.includes('rollback') &&
    fact.notes.includes(note('rolling', context.session.siteOf(call)))
    ? { ...fact, failedRollback: true }
    : fact;
}

function forgetState(fact: Fact, call: TSESTree.CallExpression, context: CheckoutContext): Fact {
  if (fact.dirty.length === 0 && fact.notes.length === 0) return fact;
  const site = context.session.siteOf(call);
  const isUnlock = context.session
    .statementsOf(call, fact)
    .some(({ undoes }) => undoes.includes('advisory-lock') || undoes.includes('all'));
  const notes = isUnlock
    ? sorted(fact.notes.map((each) => each.replace(/^unlocked /u, 'locked ')))
    : fact.notes;
  return fact.dirty.includes(site) || isUnlock
    ? { ...fact, dirty: fact.dirty.filter((each) => each !== site), notes }
    : fact;
}
