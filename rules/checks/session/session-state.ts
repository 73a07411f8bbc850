import { type CallNode, type FunctionNode, type Node, isFunction } from '../../syntax/node.ts';
import {
  lastingKind,
  lastingKinds,
  statementKinds,
  takesBack,
  type LastingKind,
} from '../../model/sql.ts';
import type { Checkout } from '../../typestate/checkout.ts';
import { enclosingFunction } from '../../typestate/call-semantics.ts';
import { type SourceFile, parentOf, unwrap, variableOf } from '../../syntax/source-file.ts';
import type { Finding } from '../finding.ts';
import type { Place } from '../../syntax/place.ts';
import type { Analysis } from '../analysis.ts';
import { findPreparedUses, findRefusedTransactions, judgeBehindPooler } from './behind-pooler.ts';
import { callsIn, isQuery } from '../../syntax/calls.ts';
import { statementsThrough } from '../../summaries/helper-statements.ts';
import type { Sent } from '../../typestate/session-log.ts';
import {
  lastingTextsOnly,
  mayBeLastingText,
  sqlTexts,
  mayWriteLastingStatement,
} from '../../values/texts/session-texts.ts';
import { judgeClient } from './session-verdict.ts';
import { isPast, spokenTo } from './spoken-to.ts';
import { report } from './report-state.ts';
import { setUpsIn } from './set-ups.ts';
import type { SessionContext, StateCall } from './state-call.ts';
import { isNamedStatement, statementsIn } from '../../values/texts/statements.ts';
import type { TSESTree } from '@typescript-eslint/types';
import { subjectOf } from '../../model/session-words.ts';
import { walk } from '../../syntax/preorder.ts';

/** Session state on pooled connections: each call is reported once, for the gravest reason. */
export function findSessionState(of: Analysis): readonly Finding[] {
  const { checkouts, file, resolver, settings } = of;
  const pooler = settings.pooler?.mode === 'session' ? undefined : settings.pooler;
  const { calls } = callsIn(file);
  const analysis: SessionContext = {
    file,
    resolver,
    checkouts,
    sentInHelpers: sentInHelpers(checkouts),
    settings,
    setUps: pooler === undefined ? [] : setUpsIn(of),
    isUndoneSomewhere: (effect) =>
      calls.some((call) =>
        (isQuery(call)
          ? statementsIn(call, file, resolver)
          : statementsThrough(call, file, resolver, () => true).kinds
        ).some((each) => takesBack(each, effect)),
      ),
  };
  const found = calls.flatMap((call) => stateCallsAt(call, analysis, pooler !== undefined));
  const findings = found.flatMap(
    (each) =>
      (pooler === undefined || isPast(each, analysis)
        ? undefined
        : judgeBehindPooler(each, pooler, analysis)) ??
      judge(each, analysis) ??
      [],
  );
  const needs =
    pooler === undefined
      ? []
      : [
          ...findPreparedUses(calls, found, pooler, analysis),
          ...findRefusedTransactions(calls, pooler, analysis),
        ];
  const late = findLateSetUps(of).filter(({ place }) =>
    findings.every((each) => each.place !== place),
  );
  return [...once(withoutSources(together(findings), found), found, file), ...needs, ...late];
}

/** Of each call of a helper that sends something over a client, what that is. */
function sentInHelpers(checkouts: readonly Checkout[]): ReadonlyMap<CallNode, Sent> {
  // Where several clients are sent something over by one call, the first of them tells.
  return new Map(
    checkouts
      .flatMap(({ session }) => [...session.sent])
      .filter(([, { source }]) => source !== undefined)
      .reverse(),
  );
}

function stateCallsAt(
  call: CallNode,
  analysis: SessionContext,
  hasPooler: boolean,
): readonly StateCall[] {
  const helped = analysis.sentInHelpers.get(call);
  const inHelper = helped ?? sentToOwnPool(call, analysis);
  if (inHelper !== undefined)
    return stateCalls(call, inHelper, helped === undefined ? 'pool' : 'client', false);
  if (!isQuery(call)) return [];
  const { file, resolver } = analysis;
  const kinds = statementsIn(call, file, lastingTextsOnly(resolver));
  const isNamed = hasPooler && isNamedStatement(call, file, resolver);
  if (!isNamed && lastingKind(kinds) === undefined) return [];
  const on = spokenTo(call.callee.object, isNamed, hasPooler, analysis);
  return on === undefined ? [] : stateCalls(call, { kinds, source: undefined }, on, isNamed);
}

const namedStatement: LastingKind = {
  verb: '',
  transaction: null,
  isChained: false,
  effect: 'named-statement',
  uses: null,
  undoes: [],
  isAttempt: false,
  parameter: null,
};

function stateCalls(
  call: CallNode,
  { kinds, source }: Sent,
  on: StateCall['on'],
  isNamed: boolean,
): readonly StateCall[] {
  const lasting = lastingKinds(kinds);
  return (lasting.length === 0 && isNamed ? [namedStatement] : lasting).map((kind) => ({
    call,
    kind,
    effect: kind.effect,
    on,
    source,
  }));
}

/** `run('LISTEN jobs')`, where `run` sends its argument to a pool. Only such a text is worth following into a helper. */
function sentToOwnPool(call: CallNode, { file, resolver }: SessionContext): Sent | undefined {
  const [text] = call.arguments;
  if (text === undefined || !mayBeLastingText(text, file)) return undefined;
  const kinds = sqlTexts(text, {
    file,
    resolver: lastingTextsOnly(resolver),
  }).flatMap(statementKinds);
  if (lastingKind(kinds) === undefined) return undefined;
  const sent = statementsThrough(call, file, resolver, () => false);
  return sent.source === undefined ? undefined : sent;
}

function judge(state: StateCall, analysis: SessionContext): Finding | undefined {
  if (state.effect === 'named-statement' || state.on === 'connection') return undefined;
  if (state.on === 'pool') return report(state, 'no-session-state', 'onPool', {}, analysis, []);
  const verdict = judgeClient(state, analysis);
  return verdict === undefined
    ? undefined
    : report(state, 'no-session-state', verdict.messageId, verdict.data, analysis, verdict.steps);
}

/** What one call leaves behind for one reason is one finding, whatever it leaves. */
function together(findings: readonly Finding[]): readonly Finding[] {
  const isOfOne =
    ({ place, rule, messageId }: Finding) =>
    (other: Finding): boolean =>
      other.place === place && other.rule === rule && other.messageId === messageId;
  return findings.flatMap((finding, index) => {
    if (findings.findIndex(isOfOne(finding)) < index) return [];
    const all = findings.filter(isOfOne(finding));
    return all.length === 1 ? [finding] : [joined(finding, all)];
  });
}

function joined(finding: Finding, all: readonly Finding[]): Finding {
  const each = (key: string): readonly string[] => all.flatMap(({ data }) => data[key] ?? []);
  const [what, effect, setting] = [each('what'), each('effect'), each('setting')];
  return {
    ...finding,
    data: {
      ...finding.data,
      subject: `State (${what.map((each) => each.replace(/^an? (?:session )?/u, '')).join(', ')})`,
      cure: [...new Set(each('cure'))].join('. '),
      effect: effect.join(' '),
      setting: setting.find((each) => each !== '') ?? '',
    },
    suggestions: [],
  };
}

/** A query inside of a helper is not reported as well where the call of the helper is. */
function withoutSources(
  findings: readonly Finding[],
  found: readonly StateCall[],
): readonly Finding[] {
  const sources = new Set<Place>(
    found.flatMap(({ source }) => (source === undefined ? [] : source.query.loc)),
  );
  return findings.filter(({ place }) => !sources.has(place));
}

/** Several LISTENs of one function have one cause. */
function once(
  findings: readonly Finding[],
  found: readonly StateCall[],
  file: SourceFile,
): readonly Finding[] {
  const functionAt = new Map<Place, unknown>(
    found.map(({ call }) => [call.loc, enclosingFunction(call, file)]),
  );
  const isFirst = ({ messageId, place }: Finding, index: number): boolean =>
    messageId !== 'listens' ||
    findings.findIndex(
      (each) =>
        each.messageId === messageId && functionAt.get(each.place) === functionAt.get(place),
    ) === index;
  return findings.filter(isFirst);
}

/**
 * `pool.on('connect', async (client) => …)`, or 'acquire': the pool waits for no listener (pg-pool 3.14 `index.js`, `_acquireClient`). What the listener
 * asks at once stands in the client's queue before the borrower's query. What it asks behind an `await` of that comes after it.
 */
function findLateSetUps(analysis: Analysis): readonly Finding[] {
  const { file, resolver } = analysis;
  if (!mayWriteLastingStatement(file)) return [];
  return setUpsIn(analysis).flatMap(({ fn, event }) => {
    if (event === 'onConnect' || !fn.async) return [];
    const late = queriesIn(fn, file).find(
      (query) =>
        isBehindQuery(query, fn, file) &&
        lastingKind(statementsIn(query, file, resolver)) !== undefined,
    );
    return late === undefined ? [] : describe(late, statementsIn(late, file, resolver), event);
  });
}

/** Queries on the client that the listener is given, those of inner functions left out. */
function queriesIn(listener: FunctionNode, file: SourceFile): readonly CallNode[] {
  const queries: CallNode[] = [];
  walk(file, listener.body, (node) => {
    if (node.type === 'CallExpression' && isOwnQuery(node, listener, file)) queries.push(node);
    return !isFunction(node);
  });
  return queries;
}

function isOwnQuery(call: CallNode, { params: [client] }: FunctionNode, file: SourceFile): boolean {
  const variable = client === undefined ? undefined : variableOf(file, client);
  return (
    variable !== undefined &&
    isQuery(call) &&
    variableOf(file, unwrap(call.callee.object)) === variable
  );
}

/** True when a statement before, in the same block or around it, awaits another query of the client. */
function isBehindQuery(query: Node, listener: FunctionNode, file: SourceFile): boolean {
  for (
    let node = query, up = parentOf(query);
    up !== undefined && node !== listener;
    node = up, up = parentOf(up)
  ) {
    if (up.type !== 'BlockStatement') continue;
    const before = up.body.slice(0, up.body.indexOf(node as TSESTree.Statement));
    if (before.some((statement) => awaitsQuery(statement, listener, file))) return true;
  }
  return false;
}

function awaitsQuery(statement: Node, listener: FunctionNode, file: SourceFile): boolean {
  if (statement.type === 'BlockStatement')
    return statement.body.some((each) => awaitsQuery(each, listener, file));
  const value =
    statement.type === 'ExpressionStatement'
      ? statement.expression
      : statement.type === 'VariableDeclaration'
        ? statement.declarations[0].init
        : null;
  const awaited = value?.type === 'AwaitExpression' ? unwrap(value.argument) : undefined;
  return awaited?.type === 'CallExpression' && isOwnQuery(awaited, listener, file);
}

function describe(
  query: CallNode,
  kinds: ReturnType<typeof statementsIn>,
  event: string,
): readonly Finding[] {
  const kind = lastingKind(kinds);
  const effect = kind?.effect ?? 'set';
  const parameter = kind?.parameter ?? null;
  const data = {
    subject: subjectOf(effect, { verb: kind?.verb ?? '', parameter }),
    effect,
    setting: parameter ?? '',
    event,
  };
  return [{ rule: 'no-session-state', messageId: 'lateSetUp', data, place: query.loc, steps: [] }];
}
