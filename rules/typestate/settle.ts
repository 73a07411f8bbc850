import { transactionStep } from '../model/protocols.ts';
import { isThrown, type Edge } from '../flow/graph.ts';
import type { Node } from '../syntax/node.ts';
import { isKeptElsewhere, type Kept } from './acquisition.ts';
import { staysOut } from './begun.ts';
import { methodOfClient, type CheckoutContext } from './checkout.ts';
import {
  checkoutEvent,
  transactionEvent,
  withAccessPath,
  type Fact,
  type Value,
  giveToPool,
} from './facts.ts';
import { heldIn } from './containers.ts';
import { forgetFailed } from './session.ts';
import { unwrap } from '../syntax/source-file.ts';

/** The awaited promise fulfils, or the acquire fails and there is nothing to release. */
export function settle(
  fact: Fact,
  promise: Node,
  edge: Edge,
  context: CheckoutContext,
): readonly Fact[] {
  const value = context.accessPaths.valueOf(promise, fact);
  const rejects = value === undefined ? undefined : rejectsAs(value, promise, context);
  if (rejects !== undefined)
    return isThrown(edge.when) === rejects ? [settled(fact, promise, context)] : [];
  if (isThrown(edge.when) && fact.status !== 'pending') return fail(fact, promise, value, context);
  if (fact.status !== 'pending' || value !== 'promise') return [fact];
  return isThrown(edge.when) ? reject(fact, context) : [fulfil(fact, context)];
}

/** What is awaited rejects, and a client has been given before. */
function fail(
  fact: Fact,
  promise: Node,
  value: Value | undefined,
  context: CheckoutContext,
): readonly Fact[] {
  if (staysOut(promise, fact, context))
    return [transactionEvent(checkoutEvent(fact, 'release failed'), 'step failed')];
  if (fact.status !== 'held') return [fact];
  // The promise that gave the client.
  if (value === 'promise') return [];
  return [
    opensClient(promise, fact, context)
      ? checkoutEvent(fact, 'connection failed')
      : stillInTransaction(forgetFailed(fact, promise, context), promise, context),
  ];
}

/** No client was given, or another promise beside it rejected, and nobody gets the client. A name that has one then has that of the last round, which came back. */
function reject(fact: Fact, { acquisition }: CheckoutContext): readonly Fact[] {
  const { joined, driver, style } = acquisition;
  const isNamed =
    style === 'promise' &&
    !driver.isTransaction &&
    !isKeptElsewhere(acquisition) &&
    fact.accessPaths.some(
      ({ accessPath, value }) => accessPath.kind === 'variable' && value === 'client',
    );
  const rejected = checkoutEvent(fact, isNamed ? 'released' : 'rejected');
  return joined?.mayLose === true ? [rejected, checkoutEvent(fact, 'fulfilled')] : [rejected];
}

/** The client is held: by whoever gets what the promise gives, or by the object that was asked for it. */
function fulfil(fact: Fact, context: CheckoutContext): Fact {
  const { owner, kept, itself } = context.acquisition;
  if (kept !== undefined) return afterCallback(fact, kept, context);
  const clientOwner = owner?.clientOwner ?? null;
  const held = checkoutEvent(fact, 'fulfilled');
  const own = itself && context.accessPaths.accessPathOf(itself.handle);
  if (own !== undefined) return withAccessPath(held, own, 'client');
  return clientOwner === null ? held : heldIn(held, clientOwner, context);
}

/** Values of calls that were followed into, and whether these reject: a constant is what such a call gives. */
const settlements: Readonly<Partial<Record<Value, boolean>>> = {
  fulfilled: false,
  rejected: true,
  true: false,
  false: false,
  null: false,
};

/** A call that was followed apart gives something that is no constant: it has not failed either. */
function rejectsAs(value: Value, promise: Node, { graph }: CheckoutContext): boolean | undefined {
  const call = unwrap(promise);
  const isGiven = value === 'some' && call.type === 'CallExpression' && !graph.inlined.has(call);
  return isGiven ? false : settlements[value];
}

/** Once awaited, how a call came out need not be kept any longer; what it gave may be tested. */
function settled(fact: Fact, promise: Node, context: CheckoutContext): Fact {
  const value = context.accessPaths.valueOf(promise, fact);
  const accessPath =
    unwrap(promise).type === 'CallExpression' && (value === 'fulfilled' || value === 'rejected')
      ? context.accessPaths.accessPathOf(promise)
      : undefined;
  return accessPath === undefined ? fact : withAccessPath(fact, accessPath, undefined);
}

/** If COMMIT or ROLLBACK fails on a client that reports its transaction state, the transaction is still open. */
function stillInTransaction(fact: Fact, promise: Node, context: CheckoutContext): Fact {
  const { driver } = context.acquisition;
  const isStep =
    driver.tellsTransaction !== null &&
    transactionStep(driver, methodOfClient(promise, fact, context)) !== undefined;
  return isStep ? transactionEvent(fact, 'step failed') : fact;
}

/** `runner.connect()`: where it fails, there is nothing to release. */
function opensClient(promise: Node, fact: Fact, context: CheckoutContext): boolean {
  const { opens } = context.acquisition.driver;
  return opens !== null && methodOfClient(promise, fact, context) === opens;
}

/** A callback that was lent a connection has ended, and who kept its handle has it still. */
function afterCallback(fact: Fact, kept: Kept, { accessPaths }: CheckoutContext): Fact {
  const promises = kept.isGiven ? [] : fact.accessPaths.filter(({ value }) => value === 'promise');
  const back = promises.reduce(
    (before, { accessPath }) => withAccessPath(before, accessPath, undefined),
    giveToPool(fact, true),
  );
  return kept.names.reduce((before, name) => {
    const accessPath = accessPaths.accessPathOf(name);
    return accessPath === undefined ? before : withAccessPath(before, accessPath, 'client');
  }, back);
}
