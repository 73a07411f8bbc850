import type { TSESTree } from '@typescript-eslint/types';
import { pathTo, type State } from '../flow/explore.ts';
import { isFunction, type Node, type CallNode } from '../syntax/node.ts';
import { methods } from '../model/drivers.ts';
import type { Checkout } from '../typestate/checkout.ts';
import type { Fact } from '../typestate/facts.ts';
import { findAncestor, memberName, parentOf, type SourceFile } from '../syntax/source-file.ts';
import type { Edit, Suggestion } from '../fixes/suggestion.ts';
import type { Finding } from './finding.ts';
import { checkedOut, stepAt } from './path-step.ts';
import { keepsClient } from '../typestate/leaking.ts';
import { excerpt, receiverText } from '../syntax/excerpt.ts';
import type { Here } from '../values/resolver.ts';

type EndCall = CallNode & { readonly callee: TSESTree.MemberExpression };

/** Calls of `client.end()` on a checked-out client: those after which nobody releases it, and those that only close its connection. */
export function findEndedClients(checkout: Checkout, { file }: Here): readonly Finding[] {
  if (!checkout.exploration.isComplete || isOldDriver(checkout)) return [];
  const ends = new Set(
    checkout.exploration.states.flatMap((state) => endCallAt(state, checkout) ?? []),
  );
  if (ends.size === 0) return [];
  const kept = new Set(
    checkout.acquisition.style === 'lent'
      ? []
      : checkout.exploration.states
          .filter((state) => state.fact.isEnded && keepsClient(state))
          .flatMap((state) => lastEndOn(state, checkout) ?? []),
  );
  return [...ends].flatMap((end) =>
    kept.has(end) ? keptFinding(checkout, end, file) : (closedFinding(checkout, end, file) ?? []),
  );
}

/** `pg.connect(config, callback)`: the pool of pg before 7 noticed by itself that a client had ended (pg 5.2 `lib/pool.js`). */
function isOldDriver({ acquisition: { call } }: Checkout): boolean {
  return (
    call.type === 'CallExpression' &&
    memberName(call.callee) === methods.acquire &&
    call.arguments.length > 1
  );
}

function endCallAt(
  { point: { kind, node }, fact }: State<Fact>,
  checkout: Checkout,
): EndCall | undefined {
  if (
    kind !== 'eval' ||
    node?.type !== 'CallExpression' ||
    fact.status !== 'held' ||
    fact.followsImplicitThrow ||
    !isEnd(node)
  )
    return undefined;
  return checkout.valueOf(node.callee.object, fact) === 'client' ? node : undefined;
}

function isEnd(call: CallNode): call is EndCall {
  return memberName(call.callee) === methods.end;
}

function lastEndOn(state: State<Fact>, checkout: Checkout): EndCall | undefined {
  return pathTo(state)
    .flatMap((each) => endCallAt(each, checkout) ?? [])
    .at(-1);
}

/** The client is never released after its end, on some path. */
function keptFinding(checkout: Checkout, end: EndCall, file: SourceFile): Finding {
  return finding(
    checkout,
    'neverReleased',
    end,
    file,
    {},
    `${excerpt(end, file)} closes the connection, and its slot in the pool stays taken.`,
    replacedByRelease(checkout, end, file),
  );
}

/** A release follows. Whoever ends a client because something failed wants just that. */
function closedFinding(checkout: Checkout, end: EndCall, file: SourceFile): Finding | undefined {
  const [release] = checkout.endedReleases;
  if (release === undefined || isOnFailure(end)) return undefined;
  const line = String(release.loc.start.line);
  return finding(
    checkout,
    'closed',
    end,
    file,
    { line },
    `${excerpt(end, file)} closes the connection that line ${line} releases.`,
    joinedWithRelease(checkout, end),
  );
}

function finding(
  checkout: Checkout,
  messageId: string,
  end: EndCall,
  file: SourceFile,
  data: Record<string, string>,
  step: string,
  suggestions: readonly Suggestion[],
): Finding {
  const client = receiverText(end.callee.object, file);
  return {
    rule: 'no-end-pooled-client',
    messageId,
    data: { pool: checkout.acquisition.poolText, client, what: excerpt(end, file), ...data },
    place: end.loc,
    steps: [checkedOut(checkout), stepAt(end, step)],
    suggestions,
  };
}

/** In a `catch`, or under a condition: what the condition stands for is not known. */
function isOnFailure(end: EndCall): boolean {
  const holder = findAncestor(
    end,
    (each): each is Node =>
      each.type === 'CatchClause' || each.type === 'IfStatement' || isFunction(each),
  );
  return holder !== undefined && !isFunction(holder);
}

/** The statement that consists of nothing but the call, awaited or not. */
function statementOf(call: CallNode): TSESTree.ExpressionStatement | undefined {
  const up = parentOf(call);
  const outer = up?.type === 'ChainExpression' ? parentOf(up) : up;
  const statement = outer?.type === 'AwaitExpression' ? parentOf(outer) : outer;
  return statement?.type === 'ExpressionStatement' && call.arguments.length === 0
    ? statement
    : undefined;
}

/** `client.release(true)` in place of `client.end()`, where that is all that was missing. */
function replacedByRelease(
  checkout: Checkout,
  end: EndCall,
  file: SourceFile,
): readonly Suggestion[] {
  const statement = statementOf(end);
  const isRest = checkout.exploration.states.some(
    (state) => keepsClient(state) && !state.fact.isEnded,
  );
  if (statement === undefined || checkout.releases > 0 || isRest) return [];
  const { object, optional } = end.callee;
  const receiver = receiverText(object, file);
  if (receiver.startsWith('(')) return [];
  return [
    suggest('releaseInstead', [
      {
        range: [...statement.expression.range],
        text: `${receiver}${optional ? '?.' : '.'}${methods.release}(true)`,
      },
    ]),
  ];
}

/** `client.end(); client.release();` becomes `client.release(true);` */
function joinedWithRelease(
  { endedReleases, releases }: Checkout,
  end: EndCall,
): readonly Suggestion[] {
  const statement = statementOf(end);
  const next = statement === undefined ? undefined : statementBehind(statement);
  const [release] = endedReleases;
  if (
    statement === undefined ||
    next === undefined ||
    releases !== 1 ||
    release?.type !== 'CallExpression' ||
    statementOf(release) !== next
  )
    return [];
  const brackets = release.range[1] - 1;
  return [
    suggest('releaseInstead', [
      { range: [statement.range[0], next.range[0]], text: '' },
      { range: [brackets, brackets], text: 'true' },
    ]),
  ];
}

function statementBehind(statement: TSESTree.ExpressionStatement): Node | undefined {
  const { parent } = statement;
  return parent.type === 'BlockStatement' || parent.type === 'Program'
    ? parent.body[parent.body.indexOf(statement) + 1]
    : undefined;
}

function suggest(messageId: string, edits: readonly Edit[]): Suggestion {
  return { messageId, data: {}, edits };
}
