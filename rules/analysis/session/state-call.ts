import type { TSESTree } from '@typescript-eslint/types';
import { sessionWords } from '../../model/session-words.ts';
import type { SessionEffect, StatementKind } from '../../model/sql.ts';
import type { Checkout } from '../client/checkout.ts';
import type { SourceFile } from '../files/source-file.ts';
import type { Finding, PathStep } from '../findings/finding.ts';
import { mention, mentionHelper, placeOf } from '../findings/mention.ts';
import type { Resolver } from '../identity/resolver.ts';
import type { Sent } from './helper-statements.ts';
import type { Settings } from './pooler-setting.ts';
import { suggestTransactionState } from './transaction-state.ts';

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

/** The rules that speak of session state: behind a pooler, some of it is the second one's matter. */
export type StateRule = 'no-session-state' | 'no-pooler-incompatible';

/** `data` may say another cure. */
export function report(
  state: StateCall,
  rule: StateRule,
  messageId: string,
  data: Record<string, string>,
  scene: SessionScene,
  steps: readonly PathStep[],
): Finding {
  const { call, effect, kind, source } = state;
  const { file } = scene;
  const { what, cure } = sessionWords[effect];
  const via =
    source === undefined
      ? ''
      : ` (via ${mentionHelper(call.callee, source.query, source.file, file)})`;
  const inside: readonly PathStep[] =
    source === undefined
      ? []
      : [
          {
            place: placeOf(source.query),
            text: `${mention(source.query, source.file)} leaves ${what}.`,
            ...(source.file === file ? {} : { file: source.file.path }),
          },
        ];
  return {
    rule,
    messageId,
    data: {
      query: mention(call, file) + via,
      what,
      cure,
      effect,
      setting: kind.parameter ?? '',
      ...data,
    },
    place: placeOf(call),
    steps: [...steps, ...inside],
    suggestions: rule === 'no-session-state' ? suggestTransactionState(state, scene) : [],
  };
}
