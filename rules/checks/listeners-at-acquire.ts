import { addingMethods, removingMethods } from '../model/listeners.ts';
import { calledMember } from '../syntax/call-chain.ts';
import { callsIn } from '../syntax/calls.ts';
import { constantText } from '../syntax/constants.ts';
import { excerpt, receiverText } from '../syntax/excerpt.ts';
import { isFunction, type FunctionNode, type Node, type CallNode } from '../syntax/node.ts';
import { usesOfParameter } from '../syntax/parameters.ts';
import {
  definitionOf,
  findAncestor,
  memberName,
  unwrap,
  variableOf,
  type SourceFile,
} from '../syntax/source-file.ts';
import { useOf } from '../syntax/uses.ts';
import type { Finding } from './finding.ts';
import { stepAt, stepOf } from './path-step.ts';
import type { Analysis } from './analysis.ts';

/**
 * `pool.on('acquire', (client) => client.on(…))`: the pool emits this at each checkout (pg-pool 3.14 `index.js`, `_acquireClient`), and
 * nobody takes the listener off.
 */
export function findListenersAtAcquire({ file, resolver }: Analysis): readonly Finding[] {
  if (!/\bacquire\b/u.test(file.text)) return [];
  const { calls } = callsIn(file);
  return calls.flatMap((call) => {
    const listener = acquireListener(call, file);
    const pool = call.callee.type === 'MemberExpression' ? call.callee.object : undefined;
    return listener !== undefined &&
      pool !== undefined &&
      resolver.abstractValueOf(pool, file)?.kind === 'pool'
      ? listenersIn(listener, file)
          .filter((each) => !calls.some((other) => takesOff(other, each)))
          .map((each) => describe(each, call, pool, file))
      : [];
  });
}

/** `client.off('error', listener)`, which may stand in another listener of the pool: `pool.on('release', (error, client) => …)`. */
function takesOff(call: CallNode, added: CallNode): boolean {
  const [event] = call.arguments;
  const [of] = added.arguments;
  return (
    removingMethods.has(calledMember(call) ?? '') &&
    (event === undefined || of === undefined || constantText(event) === constantText(of))
  );
}

function acquireListener(
  { callee, arguments: [event, listener] }: CallNode,
  file: SourceFile,
): FunctionNode | undefined {
  const given = listener && functionAt(unwrap(listener), file);
  return addingMethods.has(memberName(callee) ?? '') &&
    event !== undefined &&
    constantText(event) === 'acquire' &&
    given !== undefined &&
    isFunction(given)
    ? given
    : undefined;
}

function functionAt(node: Node, file: SourceFile): Node | undefined {
  const declared = definitionOf(variableOf(file, node))?.node as Node | undefined;
  return declared?.type === 'VariableDeclarator'
    ? (declared.init ?? undefined)
    : (declared ?? node);
}

/** Listeners that are added under no test, where the function does nothing else with its client that may take them off. */
function listenersIn(fn: FunctionNode, file: SourceFile): readonly CallNode[] {
  const uses = usesOfParameter(fn, 0, file).map((name) => useOf(name));
  const isPlain = uses.every(
    (use) => use.kind === 'receiver' && use.call !== null && !removingMethods.has(use.member ?? ''),
  );
  return isPlain
    ? uses.flatMap((use) =>
        use.kind === 'receiver' &&
        use.call !== null &&
        addingMethods.has(use.member ?? '') &&
        findAncestor(use.call, isFunction) === fn &&
        !isTested(use.call, fn)
          ? [use.call]
          : [],
      )
    : [];
}

function isTested(node: Node, fn: FunctionNode): boolean {
  const test = findAncestor(
    node,
    (each): each is Node =>
      each === fn ||
      each.type === 'IfStatement' ||
      each.type === 'ConditionalExpression' ||
      each.type === 'LogicalExpression',
  );
  return test !== fn;
}

function describe(call: CallNode, registration: CallNode, pool: Node, file: SourceFile): Finding {
  return {
    rule: 'no-listener-leak',
    messageId: 'atAcquire',
    data: { what: excerpt(call.callee, file), pool: receiverText(pool, file) },
    place: call.loc,
    steps: [
      stepAt(registration, 'The pool calls this function at each checkout.'),
      stepOf(call, file, 'adds one more listener.'),
    ],
  };
}
