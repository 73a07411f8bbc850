import { sessionWords, subjectOf } from '../../model/session-words.ts';
import type { Finding, PathStep } from '../finding.ts';
import { stepOf } from '../path-step.ts';
import { helperExcerpt } from '../../syntax/excerpt.ts';
import type { SessionContext, StateCall } from './state-call.ts';
import { suggestTransactionState } from './transaction-state.ts';

/** The rules that speak of session state: behind a pooler, some of it is the second one's matter. */
export type StateRule = 'no-session-state' | 'no-pooler-incompatible';

/** `data` may say another cure. */
export function report(
  state: StateCall,
  rule: StateRule,
  messageId: string,
  data: Record<string, string>,
  analysis: SessionContext,
  steps: readonly PathStep[],
): Finding {
  const { call, effect, kind, source } = state;
  const { file } = analysis;
  const { what, cure } = sessionWords[effect];
  const via =
    source === undefined
      ? ''
      : ` (via ${helperExcerpt(call.callee, source.query, source.file, file)})`;
  const inside: readonly PathStep[] =
    source === undefined ? [] : [stepOf(source.query, source.file, 'sends the statement.', file)];
  return {
    rule,
    messageId,
    data: {
      subject: subjectOf(effect, kind),
      what,
      cure,
      via,
      effect,
      setting: kind.parameter ?? '',
      ...data,
    },
    place: call.loc,
    steps: [...steps, ...inside],
    suggestions: rule === 'no-session-state' ? suggestTransactionState(state, analysis) : [],
  };
}
