import type { TSESTree } from '@typescript-eslint/types';
import { methods } from '../model/drivers.ts';
import type { StatementKind } from '../model/sql.ts';
import type { CheckoutContext } from './checkout.ts';
import type { Fact } from './facts.ts';
import { memberName } from './source-file.ts';

/** Follows what a query leaves on the client: an open transaction, session state. */
export function recordStatement(fact: Fact, call: TSESTree.CallExpression, context: CheckoutContext): Fact {
  const { callee } = call;
  if (fact.status !== 'held' || callee.type !== 'MemberExpression' || memberName(callee) !== methods.query) return fact;
  if (context.cells.valueOf(callee.object, fact) !== 'client') return fact;
  return context.statementsOf(call).reduce((before, kind) => afterStatement(before, kind, context.siteOf(call), context), fact);
}

function afterStatement(fact: Fact, kind: StatementKind, site: number, context: CheckoutContext): Fact {
  const inTransaction = kind.transaction === null ? fact.inTransaction : kind.transaction === 'begin';
  const kept = fact.dirty.filter((each) => !isUndone(each, kind, context));
  const dirty = kind.effect === null || kept.includes(site) ? kept : [...kept, site].sort((a, b) => a - b);
  return inTransaction === fact.inTransaction && dirty.length === fact.dirty.length && dirty.every((each, index) => each === fact.dirty[index]) ? fact : { ...fact, inTransaction, dirty };
}

function isUndone(site: number, { undoes }: StatementKind, context: CheckoutContext): boolean {
  return undoes.includes('all') || context.effectsAt(site).some((effect) => undoes.includes(effect));
}
