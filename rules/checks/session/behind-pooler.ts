import type { CallNode } from '../../syntax/node.ts';
import { behaviourOf, isTracked } from '../../model/poolers.ts';
import { sessionWords, subjectOf } from '../../model/session-words.ts';
import type { SessionEffect } from '../../model/sql.ts';
import { enclosingFunction } from '../../typestate/call-semantics.ts';
import type { Finding } from '../finding.ts';
import { isQuery } from '../../syntax/calls.ts';
import type { PoolerInUse } from './pooler-setting.ts';
import { isToPooler } from './spoken-to.ts';
import { report, type StateRule } from './report-state.ts';
import type { SessionContext, StateCall } from './state-call.ts';
import { statementsIn } from '../../values/texts/statements.ts';

/** What no pooler keeps apart for its clients, and what is no setting or lock either: the rule about what a pooler cannot do says it. */
const incompatible: ReadonlySet<SessionEffect> = new Set([
  'prepare',
  'load',
  'cursor-with-hold',
  'named-statement',
]);

function poolerRuleFor(effect: SessionEffect): StateRule {
  return incompatible.has(effect) ? 'no-pooler-incompatible' : 'no-session-state';
}

/** What the pooler makes of a call's session state; undefined where it keeps that state with the client, or nothing is known. */
export function judgeBehindPooler(
  state: StateCall,
  inUse: PoolerInUse,
  analysis: SessionContext,
): Finding | undefined {
  const { pooler, mode, version } = inUse;
  const { effect, kind } = state;
  const behaviour = behaviourOf(pooler, mode, effect, version);
  if (
    behaviour === undefined ||
    behaviour.outcome === 'works' ||
    (kind.parameter !== null && isTracked(pooler, kind.parameter, version))
  )
    return undefined;
  const remark =
    version === undefined ? (behaviour.withoutVersion ?? behaviour.remark) : behaviour.remark;
  const cure = sessionWords[effect].pooledCure + (remark === undefined ? '' : `, ${remark}`);
  return report(
    state,
    poolerRuleFor(effect),
    behaviour.outcome,
    { pooler: pooler.name, mode, cure },
    analysis,
    [],
  );
}

/** What the server is asked to do that needs an earlier statement's state, where nothing in the function makes that state: `EXECUTE q`. */
export function findPreparedUses(
  calls: readonly CallNode[],
  found: readonly StateCall[],
  inUse: PoolerInUse,
  analysis: SessionContext,
): readonly Finding[] {
  const { file, resolver } = analysis;
  const behaviour = behaviourOf(inUse.pooler, inUse.mode, 'prepare', inUse.version);
  if (
    behaviour === undefined ||
    behaviour.outcome === 'works' ||
    !/\b(?:EXECUTE|DEALLOCATE)\b/i.test(file.text)
  )
    return [];
  const preparing = new Set(
    found
      .filter(({ effect }) => effect === 'prepare')
      .map(({ call }) => enclosingFunction(call, file)),
  );
  const uses = calls.filter(
    (call) =>
      isQuery(call) &&
      isToPooler(call, analysis) &&
      !preparing.has(enclosingFunction(call, file)) &&
      statementsIn(call, file, resolver).some((kind) => kind.uses === 'prepare'),
  );
  const subject = subjectOf('prepare', { verb: '', parameter: null });
  return uses.map((call) => ({
    rule: 'no-pooler-incompatible',
    messageId: behaviour.outcome,
    data: {
      subject,
      cure: sessionWords.prepare.pooledCure,
      via: '',
      pooler: inUse.pooler.name,
      mode: inUse.mode,
    },
    place: call.loc,
    steps: [],
  }));
}

/** A transaction of several messages, where the pooler takes the connection away behind each. */
export function findRefusedTransactions(
  calls: readonly CallNode[],
  { pooler, mode, version }: PoolerInUse,
  analysis: SessionContext,
): readonly Finding[] {
  const { file, resolver } = analysis;
  if (
    behaviourOf(pooler, mode, 'transaction', version)?.outcome !== 'breaks' ||
    !/\b(?:BEGIN|START\s+TRANSACTION)\b/i.test(file.text)
  )
    return [];
  const refused = calls.filter(
    (call) =>
      isQuery(call) &&
      isToPooler(call, analysis) &&
      staysOpen(statementsIn(call, file, resolver).map(({ transaction }) => transaction)),
  );
  return refused.map((call) => ({
    rule: 'no-pooler-incompatible',
    messageId: 'refusedTransaction',
    data: { pooler: pooler.name },
    place: call.loc,
    steps: [],
  }));
}

function staysOpen(steps: readonly (string | null)[]): boolean {
  const begun = steps.lastIndexOf('begin');
  return begun >= 0 && !steps.slice(begun).some((step) => step === 'commit' || step === 'rollback');
}
