import type { TSESTree } from '@typescript-eslint/types';
import type { Node } from '../../flow/graph.ts';
import { drivers } from '../../model/drivers.ts';
import { isAtLeast, poolers, type Pooler } from '../../model/poolers.ts';
import { sessionWords } from '../../model/session-words.ts';
import { lastingKind, statementKinds, type SessionEffect, type StatementKind } from '../../model/sql.ts';
import { enclosingFunction } from '../client/acquisitions.ts';
import type { Checkout } from '../client/checkout.ts';
import type { Finding, PathStep, Place } from '../findings/finding.ts';
import { isQuery, statementsThrough, type Sent } from './helper-statements.ts';
import { mention, mentionHelper, placeOf } from '../findings/mention.ts';
import { isPooledClient } from './pooled-clients.ts';
import type { Resolver } from '../identity/resolver.ts';
import { callsOf } from '../files/calls.ts';
import type { SourceFile } from '../files/source-file.ts';
import { sqlTexts } from './sql-text.ts';
import { isNamedStatement, statementsIn } from './statements.ts';
import { lastingTextsOnly, mayBeLastingText } from './session-texts.ts';
import { judgeClient } from './session-verdict.ts';
import { speaksOfDatabase } from '../files/worth-reading.ts';

/** `settings.poolguard.pooler` */
export interface PoolerSetting {
  readonly kind: string;
  readonly mode: string;
  /** Such as `1.24`. */
  readonly version?: string | undefined;
}

const modes: ReadonlySet<string> = new Set(['transaction', 'session', 'statement']);

/** A setting that means nothing would switch the pooler's part of the rule off without a word. */
export function findUnknownPooler(setting: PoolerSetting | undefined): readonly Finding[] {
  if (setting === undefined) return [];
  const { kind, mode, version } = setting;
  if (poolers.some((each) => each.kind === kind) && modes.has(mode) && (version === undefined || /^\d+(?:\.\d+)*$/u.test(version))) return [];
  const start = { line: 1, column: 0 };
  const data = { setting: [kind, mode, version].filter((part) => part !== undefined).join(':'), kinds: poolers.map((each) => each.kind).join(', '), modes: [...modes].join(', ') };
  return [{ rule: 'no-session-state', messageId: 'unknownPooler', data, place: { start, end: start }, steps: [] }];
}

/** A call that leaves session state on something pooled. */
export interface StateCall {
  readonly call: TSESTree.CallExpression;
  readonly kind: StatementKind;
  readonly effect: SessionEffect;
  readonly on: 'pool' | 'client';
  readonly source: Sent['source'];
}

/** What is judged: one file with everything known of it. */
export interface SessionScene {
  readonly file: SourceFile;
  readonly resolver: Resolver;
  readonly checkouts: readonly Checkout[];
  /** True when some query of the file takes such state back. */
  isUndoneSomewhere(effect: SessionEffect): boolean;
}

/** Session state on pooled connections: each call is reported once, for the gravest reason. */
export function findSessionState(checkouts: readonly Checkout[], file: SourceFile, resolver: Resolver, setting: PoolerSetting | undefined): readonly Finding[] {
  const pooler = setting?.mode === 'session' ? undefined : poolers.find(({ kind }) => kind === setting?.kind);
  if (!speaksOfDatabase(file)) return [];
  const calls = callsOf(file);
  const scene: SessionScene = { file, resolver, checkouts, isUndoneSomewhere: (effect) => calls.some((call) => isQuery(call) && takesBack(statementsIn(call, file, resolver), effect)) };
  const found = calls.flatMap((call) => stateCallsAt(call, scene, pooler !== undefined));
  const findings = found.flatMap((each) => (pooler === undefined ? undefined : behindPooler(each, pooler, setting?.version, file)) ?? judge(each, scene) ?? []);
  return once(withoutSources(findings, found), found, file);
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
  const on = spokenTo(call.callee.object, isNamed, scene);
  return on === undefined ? [] : stateCalls(call, { kinds, source: undefined }, on, isNamed);
}

function spokenTo(receiver: Node, isNamed: boolean, scene: SessionScene): StateCall['on'] | undefined {
  const kind = scene.resolver.entityOf(receiver, scene.file)?.kind;
  if (kind === 'pool') return 'pool';
  // A name and a text together are this driver's alone.
  return (isNamed && kind !== 'connection' && importsDriver(scene.file)) || isPooledClient(receiver, scene) ? 'client' : undefined;
}

function importsDriver(file: SourceFile): boolean {
  return file.ast.body.some((statement) => statement.type === 'ImportDeclaration' && drivers.some(({ module }) => module === statement.source.value));
}

const namedStatement: StatementKind = { verb: '', transaction: null, isChained: false, effect: 'named-statement', undoes: [], isAttempt: false, parameter: null };

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

function behindPooler({ call, effect, kind, source }: StateCall, pooler: Pooler, version: string | undefined, file: SourceFile): Finding | undefined {
  const outcome = pooler.transactionMode[effect] ?? pooler.transactionMode.other;
  const { version: since, remark } = pooler.namedStatementsSince ?? {};
  const isNamed = effect === 'named-statement';
  if (outcome === 'works' || (kind.parameter !== null && pooler.trackedSettings?.has(kind.parameter) === true) || (isNamed && since !== undefined && isAtLeast(version, since))) return undefined;
  const cure = sessionWords[effect].pooledCure + (isNamed && remark !== undefined ? `, ${remark}` : '');
  return report({ call, effect, source }, outcome, { pooler: pooler.name, cure }, file, []);
}

function judge(state: StateCall, scene: SessionScene): Finding | undefined {
  const { file } = scene;
  if (state.effect === 'named-statement') return undefined;
  if (state.on === 'pool') return report(state, 'onPool', {}, file, []);
  const verdict = judgeClient(state, scene);
  return verdict === undefined ? undefined : report(state, verdict.messageId, verdict.data, file, verdict.steps);
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

type Reported = Pick<StateCall, 'call' | 'effect' | 'source'>;

function report({ call, effect, source }: Reported, messageId: string, data: Record<string, string>, file: SourceFile, steps: readonly PathStep[]): Finding {
  const { what, cure } = sessionWords[effect];
  const via = source === undefined ? '' : ` (via ${mentionHelper(call.callee, source.query, source.file, file)})`;
  const inside: readonly PathStep[] = source === undefined ? [] : [{ place: placeOf(source.query), text: `${mention(source.query, source.file)} leaves ${what}.`, ...(source.file === file ? {} : { file: source.file.path }) }];
  return { rule: 'no-session-state', messageId, data: { query: mention(call, file) + via, what, cure, ...data }, place: placeOf(call), steps: [...steps, ...inside] };
}
