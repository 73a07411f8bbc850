import type { TSESTree } from '@typescript-eslint/types';
import type { Node, CallNode } from '../syntax/node.ts';
import { harmlessMembers } from '../model/client-members.ts';
import { methods, queryNames, transactionNames } from '../model/drivers.ts';
import {
  enclosingCall,
  mayComeFirst,
  referencesAfterRelease,
  seenFrom,
  type AfterRelease,
} from './after-release.ts';
import { usesOfParameter } from '../syntax/parameters.ts';
import { createEffects, type Effect, type EffectsOf } from '../summaries/effects.ts';
import { libraryOf } from '../model/libraries.ts';
import { placeHolding, queriesAt } from './surely-queries.ts';
import { joinsQuery } from '../typestate/joined-queries.ts';
import { isQueried } from '../values/sent-at.ts';
import type { Checkout } from '../typestate/checkout.ts';
import { callsReleasingAgain } from './double-release.ts';
import type { Finding } from './finding.ts';
import { stepOf, taken } from './path-step.ts';
import { isDoubtful } from './guards.ts';
import type { Here } from '../values/resolver.ts';
import { parentOf, unwrap, variableOf, type SourceFile } from '../syntax/source-file.ts';
import { useOf, type Use } from '../syntax/uses.ts';
import { releaseInFinally } from '../fixes/release-in-finally.ts';

/** Queries and other work on a client after its release, on some path of the same checkout. */
export function findUsesAfterRelease(checkout: Checkout, here: Here): readonly Finding[] {
  const { file, resolver } = here;
  // A manager that has had the connection goes over others now.
  const { begins = [] } = libraryOf(checkout.acquisition.driver) ?? {};
  if (begins.some(({ gives }) => gives === 'nothing')) return [];
  const uses = referencesAfterRelease(checkout).filter(
    (after) =>
      isWork(after, checkout, here) &&
      !mayComeFirst(after, checkout.graph) &&
      !isDoubtful(after, checkout, file),
  );
  if (uses.length === 0) return [];
  const again = callsReleasingAgain(checkout, here);
  const suggestions =
    checkout.acquisition.kept === undefined ? releaseInFinally(checkout, file, resolver) : [];
  return uses.map((after) => {
    const release = seenFrom(after.release, after.releaseState.point, checkout.graph);
    const user = userOf(after, release, checkout);
    return {
      ...describe(checkout, after, release, user, file),
      suggestions: again.has(user) ? [] : suggestions,
    };
  });
}

function isWork(
  { node, value, use, release }: AfterRelease,
  { acquisition: { driver } }: Checkout,
  here: Here,
): boolean {
  const { file, resolver } = here;
  if (value !== 'client') return false;
  const library = libraryOf(driver);
  if (library !== undefined)
    return isQueried(node, library) || joinsQuery(node, use, driver) || isQueriedIn(use, node);
  if (use.kind === 'receiver')
    return (
      use.call !== null &&
      use.member !== undefined &&
      use.member !== methods.release &&
      !harmlessMembers.has(use.member)
    );
  return (
    use.kind === 'argument' &&
    !use.inCollection &&
    use.call !== release &&
    worksOn(use.call, node, here)
  );

  /** A helper of the program's queries the handle that it is given. */
  function isQueriedIn(enclosing: Use, handle: Node): boolean {
    if (enclosing.kind !== 'argument' || enclosing.call.type !== 'CallExpression') return false;
    const place = placeHolding({ file, resolver }, enclosing.call, (each) =>
      library !== undefined && unwrap(each) === handle ? { library, of: handle } : undefined,
    );
    return queriesAt(enclosing.call, place).length > 0;
  }
}

/** Whether a call works with the client that it is given: by its code, or because somebody waits for a package. What else is not known may tidy up. */
function worksOn(call: CallNode | TSESTree.NewExpression, client: Node, here: Here): boolean {
  const { file } = here;
  return (
    call.type === 'CallExpression' &&
    (isCallersCallback(call.callee, file) ||
      queriesGiven(call, client, here).length > 0 ||
      (parentOf(call)?.type === 'AwaitExpression' && isOfPackage(call.callee, here)))
  );
}

function isOfPackage(callee: Node, { file, resolver }: Here): boolean {
  return callee.type === 'Identifier' && resolver.abstractValueOf(callee, file)?.kind === 'package';
}

/** A parameter: `callback(null, client)`, `resolve(client)`. Whoever called gets a client that is not theirs. */
function isCallersCallback(callee: Node, file: SourceFile): boolean {
  return callee.type === 'Identifier' && variableOf(file, callee)?.defs[0]?.type === 'Parameter';
}

/** The places in a function where the parameter at an index is queried. */
const queriesInside: EffectsOf<Effect, number> = createEffects({
  effectsIn({ node, file }, index, resolver) {
    return usesOfParameter(node, index, file).flatMap((name) => {
      const use = useOf(name);
      if (use.kind === 'receiver')
        return use.call !== null && isQueryName(use.member) ? [{ node: name, file, via: [] }] : [];
      return use.kind === 'argument' && use.call.type === 'CallExpression'
        ? queriesGiven(use.call, name, { file, resolver })
        : [];
    });
  },
});

function isQueryName(name = ''): boolean {
  return queryNames.has(name) || transactionNames.has(name);
}

/** What a function queries that is given the client, in however many helpers. */
function queriesGiven(call: CallNode, client: Node, { file, resolver }: Here): readonly Effect[] {
  const abstractValue = resolver.abstractValueOf(call.callee, file);
  const index = call.arguments.findIndex((argument) => unwrap(argument) === client);
  return abstractValue?.kind === 'function' && index !== -1
    ? (queriesInside(abstractValue, call.callee, { file, resolver }, index) ?? [])
    : [];
}

/** The call that uses the client; for one in a helper that was called after the release, the call of that helper. */
function userOf({ node, state }: AfterRelease, release: Node, { graph }: Checkout): Node {
  const user = enclosingCall(node);
  const seen = seenFrom(user, state.point, graph);
  return seen === release ? user : seen;
}

function messageOf(
  { node, use }: AfterRelease,
  user: Node,
  { acquisition: { driver, kept } }: Checkout,
): string {
  if (kept !== undefined) return 'usedAfterCallback';
  if (driver.isTransaction) return 'usedAfterEnd';
  return use.kind === 'argument' || user !== enclosingCall(node) ? 'handedOn' : 'used';
}

function endsText({ acquisition: { driver, kept } }: Checkout): string {
  if (kept !== undefined) return 'releases the connection when its callback ends';
  return driver.isTransaction ? 'ends the transaction' : 'releases the client';
}

function describe(
  checkout: Checkout,
  after: AfterRelease,
  release: Node,
  user: Node,
  file: SourceFile,
): Finding {
  const { call, poolText, driver, kept } = checkout.acquisition;
  return {
    rule: 'no-use-after-release',
    messageId: messageOf(after, user, checkout),
    data: {
      pool: poolText,
      line: String((kept === undefined ? release.loc.start : call.loc.end).line),
      harm: driver.lateQuery,
    },
    place: user.loc,
    steps: [
      taken(checkout),
      stepOf(release, file, `${endsText(checkout)}.`),
      stepOf(user, file, `comes after that: ${driver.lateQuery}.`),
    ],
  };
}
