import type { State } from '../flow/explore.ts';
import { constantText } from '../syntax/constants.ts';
import { runsOnce } from '../syntax/runs-once.ts';
import {
  type SourceFile,
  contains,
  definitionOf,
  findAncestor,
  keyName,
  parentOf,
  unwrap,
  variableOf,
} from '../syntax/source-file.ts';
import type { Checkout } from '../typestate/checkout.ts';
import type { Fact } from '../typestate/facts.ts';
import { dirtySites, sitesOf } from '../typestate/leftovers.ts';
import type { Here } from '../values/resolver.ts';
import type { TSESTree } from '@typescript-eslint/types';
import { callsByName, callsIn, callOf, nameOfFunction } from '../syntax/calls.ts';
import { calledMember, nextInChain } from '../syntax/call-chain.ts';
import { isChain, isWaitedFor, type Chain } from '../syntax/chains.ts';
import {
  isClass,
  isFunction,
  type FunctionNode,
  type Node,
  type CallNode,
} from '../syntax/node.ts';
import { walk } from '../syntax/preorder.ts';
import { endsProcess } from '../typestate/ends-process.ts';

/**
 * Leaks without the ways on which the client is kept to listen, or to hold a lock for as long as the program runs. Where that failed,
 * it is lost, unless the failure ends the program.
 */
export function unintended(
  leaking: readonly State<Fact>[],
  checkout: Checkout,
  here: Here,
): readonly State<Fact>[] {
  const { exploration, graph, releases, owningListeners } = checkout;
  if (leaking.length === 0 || (releases > 0 && owningListeners.size === 0)) return leaking;
  const isKept = (state: State<Fact>): boolean => isKeptOnPurpose(state, checkout, here.file);
  const kept = exploration.states.filter(isKept);
  if (kept.length === 0) return leaking;
  const fate = fateAfter(graph.root, here);
  const isOurs = kept.every(({ fact }) => fact.status === 'held');
  const isReported = isOurs ? fate === 'goes on' : fate !== 'ends';
  return leaking.filter(
    (state) => !isKept(state) && (isReported || state.point.kind !== 'throw-exit'),
  );
}

function isKeptOnPurpose(
  { point, fact }: State<Fact>,
  { session, graph, owningListeners }: Checkout,
  file: SourceFile,
): boolean {
  if (point.kind !== 'exit' || (fact.status !== 'held' && fact.status !== 'escaped')) return false;
  const effects = dirtySites(fact).flatMap((site) => session.siteAt(site)?.effect ?? []);
  const isKeptForLock = owningListeners.size > 0 || runsOnce(graph.root, file);
  return (
    effects.includes('listen') ||
    hearsNotifications(fact, session) ||
    (effects.includes('advisory-lock') && isKeptForLock)
  );
}

/** `client.on('notification', …)`, whatever text makes it listen. */
function hearsNotifications(fact: Fact, session: Checkout['session']): boolean {
  return sitesOf(fact, 'listening').some((site) => {
    const [event] = session.siteAt(site)?.call.arguments ?? [];
    return event !== undefined && constantText(event) === 'notification';
  });
}

/** What becomes of the program where a function rejects. */
type Fate = 'ends' | 'goes on' | 'unknown';

/** A rejection that nobody handles ends the process (Node 15 and later), and so does one that leaves the top level. */
function fateAfter(
  root: FunctionNode | TSESTree.Program,
  analysis: Here,
  seen: readonly Node[] = [],
): Fate {
  if (root.type === 'Program') return 'ends';
  if (seen.includes(root)) return 'ends';
  const fates = callsOf(root, analysis).map((call) => fateOfCall(call, analysis, [...seen, root]));
  if (fates.includes('goes on')) return 'goes on';
  return fates.length === 0 || fates.includes('unknown') || mayBeCalledElsewhere(root)
    ? 'unknown'
    : 'ends';
}

function fateOfCall(call: Node, analysis: Here, seen: readonly Node[]): Fate {
  let last = call;
  for (let next = chainOn(last); next !== undefined; next = chainOn(next)) {
    const handler = handlerOf(next);
    if (handler !== undefined) return fateInHandler(handler, analysis);
    last = next;
  }
  if (!isWaitedFor(last)) return 'ends';
  const enclosing = enclosingHandler(last);
  if (enclosing !== undefined) return fateIn(enclosing, analysis);
  const fn = findAncestor(last, isFunction);
  return fateAfter(fn ?? analysis.file.ast, analysis, seen);
}

/** `call.catch(…)` */
function chainOn(call: Node): Chain | undefined {
  const next = nextInChain(call);
  return next !== undefined && isChain(next) ? next : undefined;
}

function handlerOf({ callee, arguments: given }: Chain): Node | undefined {
  return callee.property.name === 'catch'
    ? given[0]
    : callee.property.name === 'then'
      ? given[1]
      : undefined;
}

function fateInHandler(handler: Node, { file, resolver }: Here): Fate {
  const plain = unwrap(handler);
  const definition = definitionOf(variableOf(file, plain));
  const node = definition?.node as Node | undefined;
  const fn = node?.type === 'VariableDeclarator' ? node.init : (node ?? plain);
  if (fn && isFunction(fn)) return fateIn(fn.body, { file, resolver });
  // `console.error`
  return plain.type === 'MemberExpression' ? 'goes on' : 'unknown';
}

/** The handler of the `try` in whose block a node stands. */
function enclosingHandler(node: Node): Node | undefined {
  const enclosing = findAncestor(
    node,
    (each): each is Node =>
      isFunction(each) ||
      (each.type === 'TryStatement' && each.handler !== null && contains(each.block, node)),
  );
  return enclosing?.type === 'TryStatement' ? enclosing.handler?.body : undefined;
}

/** What may end the process, or hand the error on, does. */
function fateIn(handler: Node, { file, resolver }: Here): Fate {
  let fate: Fate = 'goes on';
  walk(file, handler, (node) => {
    if (node.type === 'ThrowStatement') fate = 'unknown';
    if (node.type === 'CallExpression' && endsProcess(node, file, resolver)) fate = 'ends';
    return fate !== 'ends';
  });
  return fate;
}

/** Where the file calls a function: by its name, or for a method, of an object that surely has it. */
function callsOf(fn: FunctionNode, { file, resolver }: Here): readonly CallNode[] {
  const inPlace = callOf(fn);
  if (inPlace !== undefined) return [inPlace];
  const method = methodName(fn);
  if (method !== undefined)
    return callsIn(file).calls.filter((call) => {
      const value =
        calledMember(call) === method ? resolver.abstractValueOf(call.callee, file) : undefined;
      return value?.kind === 'function' && value.node === fn;
    });
  return callsByName(nameOfFunction(fn), file);
}

function methodName(fn: FunctionNode): string | undefined {
  const up = parentOf(fn);
  return up?.type === 'MethodDefinition' || up?.type === 'PropertyDefinition'
    ? keyName(up.key, up.computed)
    : undefined;
}

function mayBeCalledElsewhere(fn: FunctionNode): boolean {
  const up = parentOf(fn);
  if (up?.type === 'CallExpression') return false;
  const owner = methodName(fn) === undefined ? undefined : findAncestor(fn, isClass);
  const declared = owner ?? (up?.type === 'VariableDeclarator' ? up.parent : fn);
  return parentOf(declared)?.type !== 'Program';
}
