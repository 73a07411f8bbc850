import type { TSESTree } from '@typescript-eslint/types';
import { addingMethods, removingMethods } from '../model/listeners.ts';
import { callsIn } from '../syntax/calls.ts';
import { constantText } from '../syntax/constants.ts';
import { mention, placeOf } from '../syntax/mention.ts';
import { isFunction, type FunctionNode, type Node } from '../syntax/node.ts';
import { usesOfParameter } from '../syntax/parameters.ts';
import { findAncestor, memberName, unwrap, type SourceFile } from '../syntax/source-file.ts';
import { useOf } from '../syntax/uses.ts';
import type { Finding } from './finding.ts';
import type { Scene } from './scene.ts';

/**
 * `pool.on('acquire', (client) => client.on(…))`: the pool emits this at each checkout (pg-pool 3.14 `index.js`, `_acquireClient`), and
 * nobody takes the listener off.
 */
export function findListenersAtAcquire({ file, resolver }: Scene): readonly Finding[] {
  if (!/\bacquire\b/u.test(file.text)) return [];
  return callsIn(file).calls.flatMap((call) => {
    const listener = acquireListener(call);
    return listener !== undefined &&
      call.callee.type === 'MemberExpression' &&
      resolver.entityOf(call.callee.object, file)?.kind === 'pool'
      ? listenersIn(listener, file).map((each) => describe(each, call, file))
      : [];
  });
}

function acquireListener({
  callee,
  arguments: [event, listener],
}: TSESTree.CallExpression): FunctionNode | undefined {
  const given = listener && unwrap(listener);
  return callee.type === 'MemberExpression' &&
    addingMethods.has(memberName(callee) ?? '') &&
    event !== undefined &&
    constantText(event) === 'acquire' &&
    given !== undefined &&
    isFunction(given)
    ? given
    : undefined;
}

/** Listeners that are added under no test, where the function does nothing else with its client that may take them off. */
function listenersIn(fn: FunctionNode, file: SourceFile): readonly TSESTree.CallExpression[] {
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

function describe(
  call: TSESTree.CallExpression,
  registration: TSESTree.CallExpression,
  file: SourceFile,
): Finding {
  return {
    rule: 'no-listener-leak',
    messageId: 'atAcquire',
    data: { what: mention(call.callee, file) },
    place: placeOf(call),
    steps: [
      { place: placeOf(registration), text: 'The pool calls this function at each checkout.' },
      { place: placeOf(call), text: `${mention(call, file)} adds one more listener.` },
    ],
  };
}
