import type { TSESTree } from '@typescript-eslint/types';
import type { FunctionNode, Node } from '../syntax/node.ts';
import { harmlessMembers, tidiesByName } from '../model/client-members.ts';
import { methods, queryNames, transactionNames } from '../model/drivers.ts';
import { quietObjects } from '../model/quiet-calls.ts';
import {
  callAround,
  mayComeFirst,
  mentionsAfterRelease,
  seenFrom,
  type AfterRelease,
} from './after-release.ts';
import type { Checkout } from '../typestate/checkout.ts';
import type { Finding } from './finding.ts';
import { isDoubtful } from './guards.ts';
import { mention, placeOf } from '../syntax/mention.ts';
import type { Resolver } from '../values/resolver.ts';
import {
  memberName,
  parentOf,
  unwrap,
  variableOf,
  type SourceFile,
} from '../syntax/source-file.ts';
import { useOf } from '../syntax/uses.ts';
import { releaseInFinally } from '../fixes/release-in-finally.ts';

/** Queries and other work on a client behind its release, on some path of the same checkout. */
export function findUsesAfterRelease(
  checkout: Checkout,
  file: SourceFile,
  resolver: Resolver,
): readonly Finding[] {
  return mentionsAfterRelease(checkout)
    .filter(
      (after) =>
        isWork(after, file, resolver) &&
        !mayComeFirst(after, checkout.graph) &&
        !isDoubtful(after, file),
    )
    .map((after) => describe(checkout, after, file, resolver));
}

function isWork(
  { node, value, use, release }: AfterRelease,
  file: SourceFile,
  resolver: Resolver,
): boolean {
  if (value !== 'client') return false;
  if (use.kind === 'receiver')
    return (
      use.call !== null &&
      use.member !== undefined &&
      use.member !== methods.release &&
      !harmlessMembers.has(use.member)
    );
  return (
    use.kind === 'argument' &&
    !use.inBag &&
    use.call !== release &&
    worksOn(use.call, node, file, resolver)
  );
}

/** Whether a call works with the client that it is given: by its code where that is known, else because somebody waits for it. */
function worksOn(
  call: TSESTree.CallExpression | TSESTree.NewExpression,
  client: Node,
  file: SourceFile,
  resolver: Resolver,
): boolean {
  const { callee } = call;
  const name =
    callee.type === 'MemberExpression'
      ? memberName(callee)
      : callee.type === 'Identifier'
        ? callee.name
        : undefined;
  if (call.type === 'NewExpression' || name === undefined || isQuiet(callee)) return false;
  if (isCallersCallback(callee, file)) return true;
  if (tidiesByName(name)) return false;
  const entity = resolver.entityOf(callee, file);
  if (entity?.kind === 'function')
    return queriesParameter(
      entity.node,
      call.arguments.findIndex((argument) => unwrap(argument) === client),
      entity.file,
      resolver,
    );
  return parentOf(call)?.type === 'AwaitExpression';
}

function isQuiet(callee: Node): boolean {
  return (
    callee.type === 'MemberExpression' &&
    callee.object.type === 'Identifier' &&
    quietObjects.has(callee.object.name)
  );
}

/** A parameter: `callback(null, client)`, `resolve(client)`. Whoever called gets a client that is not theirs. */
function isCallersCallback(callee: Node, file: SourceFile): boolean {
  return callee.type === 'Identifier' && variableOf(file, callee)?.defs[0]?.type === 'Parameter';
}

const maximalDepth = 3;

function queriesParameter(
  fn: FunctionNode,
  index: number,
  file: SourceFile,
  resolver: Resolver,
  depth = 0,
): boolean {
  const param = fn.params[index];
  const variable =
    param === undefined
      ? undefined
      : variableOf(file, param.type === 'AssignmentPattern' ? param.left : param);
  return (variable?.references ?? []).some(({ identifier }) => {
    const use = useOf(identifier as unknown as Node);
    if (use.kind === 'receiver')
      return (
        use.call !== null &&
        (queryNames.has(use.member ?? '') || transactionNames.has(use.member ?? ''))
      );
    if (use.kind !== 'argument' || use.call.type === 'NewExpression' || depth >= maximalDepth)
      return false;
    const entity = resolver.entityOf(use.call.callee, file);
    const position = use.call.arguments.findIndex(
      (argument) => unwrap(argument) === (identifier as unknown as Node),
    );
    return (
      entity?.kind === 'function' &&
      queriesParameter(entity.node, position, entity.file, resolver, depth + 1)
    );
  });
}

function describe(
  checkout: Checkout,
  after: AfterRelease,
  file: SourceFile,
  resolver: Resolver,
): Finding {
  const { call, poolText, driver } = checkout.acquisition;
  const release = seenFrom(after.release, after.releaseState.point, checkout.graph);
  const user = callAround(after.node);
  return {
    rule: 'no-use-after-release',
    messageId: after.use.kind === 'argument' ? 'handedOn' : 'used',
    data: {
      pool: poolText,
      line: String(release.loc.start.line),
      what: mention(user, file),
      harm: driver.lateQuery,
    },
    place: placeOf(user),
    steps: [
      { place: placeOf(call), text: `A client is checked out of ${poolText}.` },
      { place: placeOf(release), text: `${mention(release, file)} gives it back to the pool.` },
      {
        place: placeOf(user),
        text: `${mention(user, file)} uses it all the same: ${driver.lateQuery}.`,
      },
    ],
    suggestions: releaseInFinally(checkout, file, resolver),
  };
}
