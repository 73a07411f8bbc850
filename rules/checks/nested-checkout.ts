import type { TSESTree } from '@typescript-eslint/types';
import { queryNames } from '../model/drivers.ts';
import type { Checkout } from '../typestate/checkout.ts';
import type { Fact } from '../typestate/facts.ts';
import type { Finding } from './finding.ts';
import { stepInFile } from './step-in-file.ts';
import { calledName } from '../syntax/calls.ts';
import { isDropped } from '../syntax/is-dropped.ts';
import { mention, mentionLine, placeOf } from '../syntax/mention.ts';
import { callsIn, poolNeedsOf, poolsHeldBy, type PoolNeed } from '../summaries/pool-needs.ts';
import type { Resolver } from '../values/resolver.ts';
import { isSamePoolAt } from '../values/same-pool.ts';
import { queryHeldClient, useHandle } from '../fixes/query-held-client.ts';
import { libraryOf } from '../model/libraries.ts';
import { takenText } from './taken-text.ts';
import { type Node, isFunction } from '../syntax/node.ts';
import {
  contains,
  findAncestor,
  memberName,
  unwrap,
  type SourceFile,
} from '../syntax/source-file.ts';

/** Calls that need another client of the pool whose client is held: one finding a call. */
export function findNestedCheckouts(
  checkout: Checkout,
  file: SourceFile,
  resolver: Resolver,
): readonly Finding[] {
  const { acquisition, exploration } = checkout;
  if (!exploration.isComplete || acquisition.call.type !== 'CallExpression') return [];
  const held = poolsHeldBy(acquisition.call, file, resolver);
  return callsWhileHeld(checkout, file).flatMap((call) => {
    const need = poolNeedsOf(call, file, resolver).find(({ pool }) =>
      held.some((each) => isSamePoolAt(resolver, each.pool, pool)),
    );
    return need === undefined || (need.via.length > 0 && isDropped(call))
      ? []
      : [describe(checkout, call, need, file)];
  });
}

function callsWhileHeld(checkout: Checkout, file: SourceFile): readonly TSESTree.CallExpression[] {
  const { acquisition, exploration, graph } = checkout;
  const calls = new Set<TSESTree.CallExpression>();
  for (const { point, fact } of exploration.states) {
    const { node } = point;
    if (fact.status !== 'held' || fact.isUnlikely || point.kind !== 'eval') continue;
    if (node?.type !== 'CallExpression') continue;
    const isOther = node !== acquisition.call && !graph.inlined.has(node);
    const made = [
      ...(isOther && isBehind(node, checkout) ? [node] : []),
      ...callsInRounds(node, checkout, file),
    ];
    for (const call of made) if (!isOnClient(call, fact, checkout)) calls.add(call);
  }
  return [...calls];
}

/** `ids.map((id) => pool.query(text, [id]))` */
function callsInRounds(
  { callee, arguments: given }: TSESTree.CallExpression,
  { graph }: Checkout,
  file: SourceFile,
): readonly TSESTree.CallExpression[] {
  if (callee.type !== 'MemberExpression' || !rounds.has(memberName(callee) ?? '')) return [];
  return given
    .map((argument) => unwrap(argument))
    .filter(isFunction)
    .flatMap((fn) => (graph.bodies.has(fn) ? [] : callsIn(fn, file)));
}

const rounds: ReadonlySet<string> = new Set(['map', 'flatMap', 'reduce']);

/** What stands behind a call with a callback does not wait for it, unless a promise around both does. */
function isBehind(call: TSESTree.CallExpression, { acquisition }: Checkout): boolean {
  if (acquisition.style !== 'callback' || contains(acquisition.call, call)) return true;
  return (
    findAncestor(
      acquisition.call,
      (each): each is TSESTree.NewExpression =>
        each.type === 'NewExpression' && !contains(each, call),
    ) !== undefined
  );
}

/** The client itself may bear the name of a pool, and a pool may be told which client to query with: `dataSource.query(text, [], runner)`. */
function isOnClient(call: TSESTree.CallExpression, fact: Fact, checkout: Checkout): boolean {
  const { callee } = call;
  return (
    callee.type === 'MemberExpression' &&
    (receiversIn(callee).some((each) => checkout.valueOf(each, fact) !== undefined) ||
      (queryNames.has(memberName(callee) ?? '') &&
        call.arguments.some((argument) => checkout.valueOf(argument, fact) === 'client')))
  );
}

/** `tx.users` and `tx` of `tx.users.create()`. */
function receiversIn({ object }: TSESTree.MemberExpression): readonly Node[] {
  const plain = unwrap(object);
  return plain.type === 'MemberExpression' ? [plain, ...receiversIn(plain)] : [plain];
}

function messageIdOf(
  { acquisition: { driver } }: Checkout,
  call: TSESTree.CallExpression,
  { via }: PoolNeed,
): string {
  if (libraryOf(driver) !== undefined) return via.length > 0 ? 'outsideInHelper' : 'outside';
  if (via.length > 0) return 'helper';
  return queryNames.has(calledName(call.callee) ?? '') ? 'query' : 'checkout';
}

function describe(
  checkout: Checkout,
  call: TSESTree.CallExpression,
  need: PoolNeed,
  file: SourceFile,
): Finding {
  const { acquisition } = checkout;
  const { via, pool } = need;
  const [helper] = via;
  const messageId = messageIdOf(checkout, call, need);
  return {
    rule: 'no-nested-checkout',
    messageId,
    data: {
      pool: acquisition.poolText,
      line: String(acquisition.call.loc.start.line),
      what: mention(call, file),
      via:
        helper === undefined
          ? ''
          : `via ${helper.text}(), ${mentionLine(helper.node, helper.file, file)}`,
    },
    place: placeOf(call),
    steps: [
      { place: placeOf(acquisition.call), text: takenText(checkout) },
      {
        place: placeOf(call),
        text: `${mention(call, file)} waits for another connection of the same pool.`,
      },
      ...via.map((hop) => stepInFile(hop.file, hop.node, `via ${hop.text}()`, file)),
    ],
    suggestions:
      messageId === 'query'
        ? queryHeldClient(checkout, call, file)
        : messageId === 'outside'
          ? useHandle(checkout, call, pool.node, file)
          : [],
  };
}
