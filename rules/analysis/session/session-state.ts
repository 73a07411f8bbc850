import type { TSESTree } from '@typescript-eslint/types';
import type { Node } from '../../flow/graph.ts';
import { drivers } from '../../model/drivers.ts';
import { sessionWords } from '../../model/session-words.ts';
import { lastingKind, statementKinds, type SessionEffect, type StatementKind } from '../../model/sql.ts';
import { enclosingFunction } from '../client/acquisitions.ts';
import type { Checkout } from '../client/checkout.ts';
import { isConnectionToPooler, leadsPastPooler } from './addresses.ts';
import { findPreparedUses, findRefusedTransactions, judgeBehindPooler, type PoolerRule } from './behind-pooler.ts';
import { callsIn } from './file-calls.ts';
import type { Finding, PathStep, Place } from '../findings/finding.ts';
import type { Scene } from '../findings/scene.ts';
import { isQuery, statementsThrough, type Sent } from './helper-statements.ts';
import { mention, mentionHelper, placeOf } from '../findings/mention.ts';
import { clientOf, isPooledClient } from './pooled-clients.ts';
import type { Settings } from './pooler-setting.ts';
import type { Resolver } from '../identity/resolver.ts';
import type { SourceFile } from '../files/source-file.ts';
import { sqlTexts } from './sql-text.ts';
import { isNamedStatement, statementsIn } from './statements.ts';
import { lastingTextsOnly, mayBeLastingText } from './session-texts.ts';
import { judgeClient } from './session-verdict.ts';
import { suggestTransactionState } from './transaction-state.ts';
import { speaksOfDatabase } from './worth-reading.ts';

/** A call that leaves session state on something pooled. */
export interface StateCall {
  readonly call: TSESTree.CallExpression;
  readonly kind: StatementKind;
  readonly effect: SessionEffect;
  /** `connection` is a client of its own, made by `new Client()`. */
  readonly on: 'pool' | 'client' | 'connection';
  readonly source: Sent['source'];
}

/** What is judged: one file with everything known of it. */
export interface SessionScene {
  readonly file: SourceFile;
  readonly resolver: Resolver;
  readonly checkouts: readonly Checkout[];
  readonly settings: Settings;
  /** True when some query of the file takes such state back. */
  isUndoneSomewhere(effect: SessionEffect): boolean;
}

/** Session state on pooled connections: each call is reported once, for the gravest reason. */
export function findSessionState({ checkouts, file, resolver, settings }: Scene): readonly Finding[] {
  if (!speaksOfDatabase(file)) return [];
  const pooler = settings.pooler?.mode === 'session' ? undefined : settings.pooler;
  const { calls } = callsIn(file);
  const scene: SessionScene = { file, resolver, checkouts, settings, isUndoneSomewhere: (effect) => calls.some((call) => isQuery(call) && takesBack(statementsIn(call, file, resolver), effect)) };
  const found = calls.flatMap((call) => stateCallsAt(call, scene, pooler !== undefined));
  const findings = found.flatMap((each) => (pooler === undefined || isPast(each, scene) ? undefined : judgeBehindPooler(each, pooler, scene)) ?? judge(each, scene) ?? []);
  const needs = pooler === undefined ? [] : [...findPreparedUses(calls, found, pooler, scene), ...findRefusedTransactions(calls, pooler, scene)];
  return [...once(withoutSources(findings, found), found, file), ...needs];
}

function isPast({ call, source }: StateCall, scene: SessionScene): boolean {
  return leadsPastPooler((source === undefined ? clientOf(call) : undefined) ?? call.callee, call, scene);
}

/** True when a query goes to something behind the pooler. */
export function isToPooler(call: TSESTree.CallExpression, scene: SessionScene): boolean {
  const receiver = clientOf(call);
  return receiver !== undefined && spokenTo(receiver, false, true, scene) !== undefined && !leadsPastPooler(receiver, call, scene);
}

function takesBack(kinds: readonly StatementKind[], effect: SessionEffect): boolean {
  return kinds.some(({ undoes }) => undoes.includes(effect) || undoes.includes('all'));
}

function stateCallsAt(call: TSESTree.CallExpression, scene: SessionScene, hasPooler: boolean): readonly StateCall[] {
  const helped = scene.checkouts.map(({ session }) => session.sent.get(call)).find((sent) => sent?.source !== undefined);
  const inHelper = helped ?? sentToOwnPool(call, scene);
  if (inHelper !== undefined) return stateCalls(call, inHelper, helped === undefined ? 'pool' : 'client', false);
  if (!isQuery(call)) return [];
  const { file, resolver } = scene;
  const kinds = statementsIn(call, file, lastingTextsOnly(resolver));
  const isNamed = hasPooler && isNamedStatement(call, file, resolver);
  if (!isNamed && lastingKind(kinds) === undefined) return [];
  const on = spokenTo(call.callee.object, isNamed, hasPooler, scene);
  return on === undefined ? [] : stateCalls(call, { kinds, source: undefined }, on, isNamed);
}

function spokenTo(receiver: Node, isNamed: boolean, hasPooler: boolean, scene: SessionScene): StateCall['on'] | undefined {
  const kind = scene.resolver.entityOf(receiver, scene.file)?.kind;
  if (kind === 'pool') return 'pool';
  if (kind === 'connection' && hasPooler && isConnectionToPooler(receiver, scene)) return 'connection';
  // A name and a text together are this driver's alone.
  return (isNamed && kind !== 'connection' && importsDriver(scene.file)) || isPooledClient(receiver, scene) ? 'client' : undefined;
}

function importsDriver(file: SourceFile): boolean {
  return file.ast.body.some((statement) => statement.type === 'ImportDeclaration' && drivers.some(({ module }) => module === statement.source.value));
}

const namedStatement: StatementKind = { verb: '', transaction: null, isChained: false, effect: 'named-statement', uses: null, undoes: [], isAttempt: false, parameter: null };

function stateCalls(call: TSESTree.CallExpression, { kinds, source }: Sent, on: StateCall['on'], isNamed: boolean): readonly StateCall[] {
  const kind = lastingKind(kinds) ?? (isNamed ? namedStatement : undefined);
  return kind === undefined || kind.effect === null ? [] : [{ call, kind, effect: kind.effect, on, source }];
}

/** `run('LISTEN jobs')`, where `run` sends its argument to a pool. Only such a text is worth following into a helper. */
function sentToOwnPool(call: TSESTree.CallExpression, { file, resolver }: SessionScene): Sent | undefined {
  const [text] = call.arguments;
  if (text === undefined || !mayBeLastingText(text, file)) return undefined;
  const kinds = sqlTexts(text, { file, resolver: lastingTextsOnly(resolver), given: new Map() }).flatMap(statementKinds);
  if (lastingKind(kinds) === undefined) return undefined;
  const sent = statementsThrough(call, file, resolver, () => false);
  return sent.source === undefined ? undefined : sent;
}

function judge(state: StateCall, scene: SessionScene): Finding | undefined {
  if (state.effect === 'named-statement' || state.on === 'connection') return undefined;
  if (state.on === 'pool') return report(state, 'no-session-state', 'onPool', {}, scene, []);
  const verdict = judgeClient(state, scene);
  return verdict === undefined ? undefined : report(state, 'no-session-state', verdict.messageId, verdict.data, scene, verdict.steps);
}

/** A query inside of a helper is not reported as well where the call of the helper is. */
function withoutSources(findings: readonly Finding[], found: readonly StateCall[]): readonly Finding[] {
  const sources = new Set<Place>(found.flatMap(({ source }) => (source === undefined ? [] : placeOf(source.query))));
  return findings.filter(({ place }) => !sources.has(place));
}

/** Several LISTENs of one function have one cause. */
function once(findings: readonly Finding[], found: readonly StateCall[], file: SourceFile): readonly Finding[] {
  const functionAt = new Map<Place, unknown>(found.map(({ call }) => [placeOf(call), enclosingFunction(call, file)]));
  const isFirst = ({ messageId, place }: Finding, index: number): boolean =>
    messageId !== 'listens' || findings.findIndex((each) => each.messageId === messageId && functionAt.get(each.place) === functionAt.get(place)) === index;
  return findings.filter(isFirst);
}

/** `data` may say another cure. */
export function report(state: StateCall, rule: PoolerRule, messageId: string, data: Record<string, string>, scene: SessionScene, steps: readonly PathStep[]): Finding {
  const { call, effect, kind, source } = state;
  const { file } = scene;
  const { what, cure } = sessionWords[effect];
  const via = source === undefined ? '' : ` (via ${mentionHelper(call.callee, source.query, source.file, file)})`;
  const inside: readonly PathStep[] = source === undefined ? [] : [{ place: placeOf(source.query), text: `${mention(source.query, source.file)} leaves ${what}.`, ...(source.file === file ? {} : { file: source.file.path }) }];
  return {
    rule,
    messageId,
    data: { query: mention(call, file) + via, what, cure, effect, setting: kind.parameter ?? '', ...data },
    place: placeOf(call),
    steps: [...steps, ...inside],
    suggestions: rule === 'no-session-state' ? suggestTransactionState(state, scene) : [],
  };
}
