import type { State } from '../flow/explore.ts';
import { type Node, isFunction } from '../syntax/node.ts';
import { isChain, isWaitedFor } from '../syntax/chains.ts';
import { isConclusive, isHeld, type Checkout } from '../typestate/checkout.ts';
import type { Fact } from '../typestate/facts.ts';
import { dirtySites } from '../typestate/leftovers.ts';
import type { Finding, PathStep } from './finding.ts';
import { stepOf, stepsVia, taken } from './path-step.ts';
import { libraryOf } from '../model/libraries.ts';
import { notPassedOn } from './not-passed-on.ts';
import type { Resolver, Here } from '../values/resolver.ts';
import { runsOnce } from '../syntax/runs-once.ts';
import { slowWorkIn, type SlowWork } from '../summaries/slow-work.ts';
import {
  contains,
  findAncestor,
  parentOf,
  unwrap,
  type SourceFile,
} from '../syntax/source-file.ts';
import { callOf } from '../syntax/calls.ts';

/** An await of slow work during which a client is held. */
export interface SlowWait {
  /** The slow call, or the await of a promise that comes from elsewhere. */
  readonly node: Node;
  readonly work: SlowWork;
  readonly inTransaction: boolean;
}

/** Awaits of slow work during which the client is held: one finding an await. A program that does nothing else harms nobody by it, but for its transaction. */
export function findSlowAwaits(checkout: Checkout, here: Here): readonly Finding[] {
  const { file, resolver } = here;
  if (isNeverGivenBack(checkout)) return [];
  const isAlone = runsOnce(checkout.graph.root, file);
  const waits = slowWaitsIn(checkout, here, ({ inTransaction }) => !isAlone || inTransaction);
  return waits.map(({ node, work, inTransaction }) => ({
    ...describe(checkout, node, work, inTransaction, file),
    names: namesOf(work, resolver),
  }));
}

/** The outermost awaits of slow work during which the client is held; only those `matters` are looked into. */
export function slowWaitsIn(
  checkout: Checkout,
  { file, resolver }: Here,
  matters: (wait: Pick<SlowWait, 'inTransaction'>) => boolean = () => true,
): readonly SlowWait[] {
  if (!isConclusive(checkout)) return [];
  const heldAt = new Map<Node, { inTransaction: boolean }>();
  for (const state of checkout.exploration.states) {
    const node = waitingNode(state, checkout);
    if (
      node === undefined ||
      !isHeld(state.fact, checkout.acquisition) ||
      state.fact.followsImplicitThrow ||
      isTakenMeanwhile(state) ||
      isListening(state.fact, checkout)
    )
      continue;
    const before = heldAt.get(node);
    heldAt.set(node, {
      inTransaction: (before?.inTransaction ?? false) || state.fact.transaction === 'open',
    });
  }
  const found = [...heldAt].flatMap(([wait, { inTransaction }]) => {
    if (!matters({ inTransaction })) return [];
    const work = slowWorkIn(wait.type === 'AwaitExpression' ? wait.argument : wait, file, resolver);
    return work === undefined ? [] : [{ wait, work, inTransaction }];
  });
  return found
    .filter(({ wait }) => !found.some((other) => other.wait !== wait && contains(other.wait, wait)))
    .map(({ wait, work, inTransaction }) => ({ node: slowPart(wait, work), work, inTransaction }));
}

/** The slow call of a longer expression: of a chain, of what is waited for together, of a promise made by hand. */
function slowPart(wait: Node, { node, via: [hop] }: SlowWork): Node {
  const call = hop === undefined ? node : (callOf(hop.callee) ?? hop.callee);
  const isWhole = wait.type === 'AwaitExpression' && unwrap(wait.argument) === call;
  return isWhole || !contains(wait, call) ? wait : call;
}

/** It is held through everything: lost, or kept on purpose. */
function isNeverGivenBack({ acquisition, exploration, releases }: Checkout): boolean {
  return (
    releases === 0 &&
    acquisition.style !== 'lent' &&
    !exploration.states.some(
      ({ fact: { status } }) => status === 'returned' || status === 'escaped',
    )
  );
}

/** What is waited for takes the connection itself, before or behind its slow work: `await begin(runner)`. */
function isTakenMeanwhile({ from }: State<Fact>): boolean {
  return from?.fact.status === 'unconnected';
}

/** A client that listens is held for that; what it costs is said of the LISTEN. */
function isListening(fact: Fact, { session }: Checkout): boolean {
  return dirtySites(fact).some((site) => session.siteAt(site)?.effect === 'listen');
}

function waitingNode({ point: { kind, node } }: State<Fact>, checkout: Checkout): Node | undefined {
  if (node === null) return undefined;
  if (kind === 'eval' && node.type === 'ForOfStatement' && node.await)
    return isHeldFor(node, checkout) ? node.right : undefined;
  const isWait = kind === 'settle' || (kind === 'eval' && node.type === 'AwaitExpression');
  if (isWait) return isHeldFor(node, checkout) ? node : undefined;
  return kind === 'eval' ? givenToLender(node, checkout) : undefined;
}

/** The promise that a callback gives back: whoever lent it the client waits for that. */
function givenToLender(node: Node, { acquisition, graph }: Checkout): Node | undefined {
  const { root } = graph;
  if (acquisition.style !== 'lent' || !isFunction(root)) return undefined;
  const isReturn = node.type === 'ReturnStatement' && findAncestor(node, isFunction) === root;
  const given = isReturn ? node.argument : node === root.body ? node : null;
  return given?.type === 'CallExpression' ? given : undefined;
}

/** A chain, or a function that is called in place, that nobody waits for holds the client only if it gets or releases the client itself. */
function isHeldFor(promise: Node, { acquisition, releaseSites, graph }: Checkout): boolean {
  for (
    let up: Node | undefined = promise;
    up !== undefined && up !== graph.root;
    up = parentOf(up)
  ) {
    const chain = up;
    if (
      (isChain(chain) || (chain.type === 'CallExpression' && isFunction(chain.callee))) &&
      !isWaitedFor(chain)
    )
      return (
        contains(chain, acquisition.call) || [...releaseSites].some((site) => contains(chain, site))
      );
  }
  return true;
}

const messages = {
  driver: (inTransaction: boolean) => (inTransaction ? 'heldInTransaction' : 'held'),
  library: (inTransaction: boolean) => (inTransaction ? 'inTransaction' : 'inConnection'),
} as const;

function describe(
  checkout: Checkout,
  node: Node,
  work: SlowWork,
  inTransaction: boolean,
  file: SourceFile,
): Finding {
  const { acquisition } = checkout;
  const { call, poolText, driver } = acquisition;
  const steps: PathStep[] = [
    taken(checkout),
    stepOf(node, file, `waits for ${work.what} while the client is held.`),
    ...stepsVia(work.via, file),
    ...(work.via.length === 0 ? [] : [stepOf(work.node, work.file, `is ${work.what}.`, file)]),
  ];
  return {
    rule: 'no-external-await-while-holding',
    messageId: messages[libraryOf(driver) === undefined ? 'driver' : 'library'](inTransaction),
    data: {
      pool: poolText,
      line: String(call.loc.start.line),
      what: work.what,
      call: notPassedOn(work, checkout, file)?.call ?? 'it',
    },
    place: node.loc,
    steps,
  };
}

/** `notify` and `redis.get` as they are called on the way to the work, and `ioredis` and `ioredis.get` for what a package does. */
export function namesOf({ node, file, via }: SlowWork, resolver: Resolver): readonly string[] {
  const callee =
    node.type === 'CallExpression' || node.type === 'NewExpression' ? node.callee : node;
  const value = resolver.abstractValueOf(callee, file);
  return [
    ...via.map(({ text }) => text),
    file.text.slice(...callee.range),
    ...(value?.kind === 'package' ? [value.module, `${value.module}.${value.name}`] : []),
  ];
}
