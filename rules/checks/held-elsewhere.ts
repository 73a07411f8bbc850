import {
  joinsAmbient,
  poolNeedsInside,
  poolsHeldBy,
  type PoolNeed,
} from '../summaries/pool-needs.ts';
import { slowWorkInside, type SlowWork } from '../summaries/slow-work.ts';
import { callsIn } from '../syntax/calls.ts';
import { excerpt } from '../syntax/excerpt.ts';
import type { Node, CallNode } from '../syntax/node.ts';
import { placeOf as standingOf } from '../values/apart.ts';
import { lendingCall, type LendingCall } from '../values/library-calls.ts';
import { isSamePoolAt } from '../values/same-pool.ts';
import type { Finding, PathStep } from './finding.ts';
import { namesOf } from './held-through.ts';
import type { Analysis } from './analysis.ts';
import { stepAt, stepInFile, stepOf, stepsVia } from './path-step.ts';
import { firstHelper } from './helper-text.ts';

/** A connection is lent to a function of another file: `db.transaction(work)`. */
interface Lending extends LendingCall {
  readonly call: CallNode;
  readonly fn: NonNullable<LendingCall['fn']>;
  /** What names the function. */
  readonly name: Node;
}

/** What a callback of another file does while the connection is held that it gets, said where it is given to the library. */
export function findHeldElsewhere(analysis: Analysis): readonly Finding[] {
  return callsIn(analysis.file).calls.flatMap((call) => {
    const lending = lendingAt(call, analysis);
    return lending === undefined
      ? []
      : [...findNeeds(lending, analysis), ...findSlowWork(lending, analysis)];
  });
}

function lendingAt(call: CallNode, { file, resolver }: Analysis): Lending | undefined {
  const lending = lendingCall(call, file, resolver);
  const name = lending && call.arguments[lending.callback];
  return lending?.fn !== undefined &&
    name !== undefined &&
    standingOf(lending.fn).path !== file.path
    ? { ...lending, fn: lending.fn, call, name }
    : undefined;
}

function findNeeds(
  { call, fn, name, ...lending }: Lending,
  analysis: Analysis,
): readonly Finding[] {
  const { file, resolver } = analysis;
  const held = poolsHeldBy(call, file, resolver);
  const need = poolNeedsInside(fn, name, file, resolver).find(
    (each) =>
      !each.joins &&
      !joinsAmbient(each, lending.library) &&
      held.some(({ pool }) => isSamePoolAt(resolver, pool, each.pool)),
  );
  if (need === undefined) return [];
  const finding: Finding = {
    rule: 'no-nested-checkout',
    messageId: 'outsideInHelper',
    data: {
      ...dataOf(call, lending, analysis),
      held: "the transaction's handle",
      to: 'to',
      helper: firstHelper(need, file) ?? excerpt(name, file),
    },
    place: name.loc,
    steps: [
      ...firstSteps(call, name, lending, analysis, 'waits for another connection of the same pool'),
      ...hopsOf(need, analysis),
    ],
  };
  return [finding];
}

function findSlowWork(
  { call, fn, name, ...lending }: Lending,
  analysis: Analysis,
): readonly Finding[] {
  const { file, resolver } = analysis;
  const work = slowWorkInside(fn, name, file, resolver);
  if (work === undefined) return [];
  const finding: Finding = {
    rule: 'no-external-await-while-holding',
    messageId: lending.opensTransaction ? 'inTransaction' : 'inConnection',
    data: {
      ...dataOf(call, lending, analysis),
      what: work.what,
      call: firstHelper(work, file) ?? 'it',
    },
    place: name.loc,
    steps: [
      ...firstSteps(
        call,
        name,
        lending,
        analysis,
        `waits for ${work.what} while the client is held`,
      ),
      ...hopsOf(work, analysis),
    ],
    names: namesOf(work, resolver),
  };
  return [finding];
}

function dataOf(
  call: CallNode,
  { handle }: Pick<LendingCall, 'handle'>,
  { file }: Analysis,
): { readonly pool: string; readonly line: string } {
  return { pool: file.text.slice(...handle.range), line: String(call.loc.start.line) };
}

function firstSteps(
  call: CallNode,
  name: Node,
  { handle }: Pick<LendingCall, 'handle'>,
  { file }: Analysis,
  does: string,
): readonly PathStep[] {
  return [
    stepAt(call, `${file.text.slice(...handle.range)} passes a connection to the callback.`),
    stepOf(name, file, `${does}.`),
  ];
}

function hopsOf(
  { via, node, file: of }: PoolNeed | SlowWork,
  { file }: Analysis,
): readonly PathStep[] {
  return [...stepsVia(via, file), stepInFile(of, node, `${excerpt(node, of)}`, file)];
}
