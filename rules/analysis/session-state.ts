import type { TSESTree } from '@typescript-eslint/types';
import { methods } from '../model/drivers.ts';
import { poolers, type Outcome, type Pooler } from '../model/poolers.ts';
import type { SessionEffect } from '../model/sql.ts';
import type { Checkout } from './checkout.ts';
import type { Finding, PathStep } from './finding.ts';
import { mention, placeOf } from './mention.ts';
import type { Resolver } from './resolver.ts';
import { memberName, walk, type SourceFile } from './source-file.ts';
import { statementsIn } from './statements.ts';

/** `settings.poolguard.pooler` */
export interface PoolerSetting {
  readonly kind: string;
  readonly mode: string;
}

/** `cure` where connections are pooled by the application only, `pooledCure` where a pooler may run each transaction on another one. */
const words: Readonly<Record<SessionEffect, { readonly what: string; readonly cure: string; readonly pooledCure: string }>> = {
  set: { what: 'a session setting', cure: 'Use `SET LOCAL` (or `set_config(…, true)`) inside a transaction, or `RESET` it before the release', pooledCure: 'Use `SET LOCAL` (or `set_config(…, true)`) inside a transaction' },
  listen: { what: 'a LISTEN', cure: 'Listen on a `new Client()` of its own', pooledCure: 'Listen on a `new Client()` with a direct address' },
  'advisory-lock': { what: 'a session advisory lock', cure: 'Use `pg_advisory_xact_lock` inside a transaction, or unlock on the same client before the release', pooledCure: 'Use `pg_advisory_xact_lock` inside a transaction' },
  'temp-table': { what: 'a temporary table', cure: 'Create it `ON COMMIT DROP` inside a transaction, or drop it before the release', pooledCure: 'Create it `ON COMMIT DROP` inside a transaction' },
  prepare: { what: 'a prepared statement', cure: 'Let the driver prepare it (`{ name, text }`), or `DEALLOCATE` it before the release', pooledCure: 'Send the statement with its values and without PREPARE' },
  load: { what: 'a loaded library', cure: 'Put it into `session_preload_libraries`', pooledCure: 'Put it into `session_preload_libraries`' },
  'cursor-with-hold': { what: 'a cursor WITH HOLD', cure: 'Close it before the release', pooledCure: 'Read it WITHOUT HOLD inside a transaction' },
};

const modes: ReadonlySet<string> = new Set(['transaction', 'session', 'statement']);

/** A setting that means nothing would switch the pooler's part of the rule off without a word. */
export function findUnknownPooler(setting: PoolerSetting | undefined): readonly Finding[] {
  if (setting === undefined || (poolers.some(({ kind }) => kind === setting.kind) && modes.has(setting.mode))) return [];
  const start = { line: 1, column: 0 };
  const data = { setting: `${setting.kind}:${setting.mode}`, kinds: poolers.map(({ kind }) => kind).join(', '), modes: [...modes].join(', ') };
  return [{ rule: 'no-session-state', messageId: 'unknownPooler', data, place: { start, end: start }, steps: [] }];
}

/** Session state on pooled connections: each query call is reported once, for the gravest reason. */
export function findSessionState(checkouts: readonly Checkout[], file: SourceFile, resolver: Resolver, setting: PoolerSetting | undefined): readonly Finding[] {
  const pooler = setting?.mode === 'session' ? undefined : poolers.find(({ kind }) => kind === setting?.kind);
  const findings: Finding[] = [];
  walk(file, file.ast, (node) => {
    if (node.type === 'CallExpression') {
      const finding = findingAt(node, checkouts, file, resolver, pooler);
      if (finding !== undefined) findings.push(finding);
    }
    return true;
  });
  return findings;
}

function findingAt(call: TSESTree.CallExpression, checkouts: readonly Checkout[], file: SourceFile, resolver: Resolver, pooler: Pooler | undefined): Finding | undefined {
  const { callee } = call;
  if (callee.type !== 'MemberExpression' || memberName(callee) !== methods.query) return undefined;
  const effect = lastingEffect(call, file);
  if (effect === undefined) return undefined;
  const receiver = resolver.entityOf(callee.object, file)?.kind;
  const isPooled = receiver === 'pool' || receiver === 'client' || checkouts.some((checkout) => isOnClient(callee.object, checkout));
  if (pooler !== undefined && isPooled) return behindPooler(call, effect, pooler, file);
  return receiver === 'pool' ? report(call, effect, 'onPool', {}, file, []) : atRelease(call, effect, checkouts, file);
}

function behindPooler(call: TSESTree.CallExpression, effect: SessionEffect, pooler: Pooler, file: SourceFile): Finding | undefined {
  const outcome: Outcome = pooler.transactionMode[effect] ?? pooler.transactionMode.other;
  return outcome === 'works' ? undefined : report(call, effect, outcome, { pooler: pooler.name, cure: words[effect].pooledCure }, file, []);
}

/** The first effect of the text that the same text does not take back. */
function lastingEffect(call: TSESTree.CallExpression, file: SourceFile): SessionEffect | undefined {
  const kinds = statementsIn(call, file);
  return kinds.find(({ effect }, index) => effect !== null && !kinds.slice(index + 1).some(({ undoes }) => undoes.includes(effect) || undoes.includes('all')))?.effect ?? undefined;
}

function isOnClient(object: TSESTree.Expression, checkout: Checkout): boolean {
  return checkout.exploration.states.some((state) => state.point.node === object && state.fact.status === 'held' && checkout.holdsClient(object, state));
}

function atRelease(call: TSESTree.CallExpression, effect: SessionEffect, checkouts: readonly Checkout[], file: SourceFile): Finding | undefined {
  for (const { acquisition, dirtyReleases, exploration } of checkouts) {
    const release = dirtyReleases.get(call);
    if (release === undefined || !exploration.isComplete) continue;
    return report(call, effect, 'atRelease', { line: String(release.loc.start.line) }, file, [
      { place: placeOf(acquisition.call), text: `A client is checked out of ${acquisition.poolText}.` },
      { place: placeOf(call), text: `${mention(call, file)} leaves ${words[effect].what} on its connection.` },
      { place: placeOf(release), text: 'The release keeps the connection, and the next borrower gets it as it is.' },
    ]);
  }
  return undefined;
}

function report(call: TSESTree.CallExpression, effect: SessionEffect, messageId: string, data: Record<string, string>, file: SourceFile, steps: readonly PathStep[]): Finding {
  return { rule: 'no-session-state', messageId, data: { query: mention(call, file), what: words[effect].what, cure: words[effect].cure, ...data }, place: placeOf(call), steps };
}
