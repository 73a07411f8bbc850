import { sessionWords, subjectOf } from '../../model/session-words.ts';
import type { Finding, PathStep } from '../finding.ts';
import { stepOf } from '../path-step.ts';
import { helperExcerpt } from '../../syntax/excerpt.ts';
import type { SessionContext, StateCall } from './state-call.ts';
import type { Node, CallNode } from '../../syntax/node.ts';
import type { Suggestion } from '../../fixes/suggestion.ts';
import { enclosingFunction } from '../../typestate/call-semantics.ts';
import { keyName, unwrap, type SourceFile } from '../../syntax/source-file.ts';

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

interface Rewrite {
  readonly messageId: string;
  /** The words of the source that change, in a text of one statement; it must occur once. */
  readonly words: RegExp;
  readonly replacement: (words: string) => string;
}

/** By the statement's first word and what it does: the same for the transaction only. What stands before the words is bounded, because it is looked at again for each of them. */
const rewrites: readonly (Rewrite & {
  readonly effect: StateCall['effect'];
  readonly verb: RegExp;
})[] = [
  {
    effect: 'set',
    verb: /^SET$/u,
    messageId: 'setLocal',
    words: /(?<=^[`'"]\s{0,200})SET(?:\s+SESSION)?(?=\s)/giu,
    replacement: (words) => (words.startsWith('s') ? 'set local' : 'SET LOCAL'),
  },
  {
    effect: 'set',
    verb: /^SELECT$/u,
    messageId: 'configLocal',
    words: /(?<=set_config\s{0,9}\([^;]{0,500},\s{0,200})false(?=\s*\))/giu,
    replacement: (words) => (words.startsWith('F') ? 'TRUE' : 'true'),
  },
  {
    effect: 'advisory-lock',
    verb: /^SELECT$/u,
    messageId: 'lockLocal',
    words: /\bpg_(?:try_)?advisory_lock(?=(?:_shared)?\s*\()/giu,
    replacement: (words) => words.replace(/advisory/iu, (word) => `${word}_xact`),
  },
];

/** Settings that `SET LOCAL` is not written with in the same way. */
const notLocal: ReadonlySet<string> = new Set(['session_authorization', 'session characteristics']);

/** Session state that might as well be the open transaction's: an edit inside of the text of the statement. */
function suggestTransactionState(
  state: StateCall,
  analysis: SessionContext,
): readonly Suggestion[] {
  const { call, effect, kind, source } = state;
  const rewrite = rewrites.find((each) => each.effect === effect && each.verb.test(kind.verb));
  const text =
    rewrite === undefined || source !== undefined || notLocal.has(kind.parameter ?? '')
      ? undefined
      : textNode(call);
  if (
    rewrite === undefined ||
    text === undefined ||
    !isInTransaction(call, analysis) ||
    (effect === 'advisory-lock' && isUnlocked(call, analysis.file))
  )
    return [];
  const edit = editOf(text, rewrite, analysis.file);
  return edit === undefined ? [] : [{ messageId: rewrite.messageId, data: {}, edits: [edit] }];
}

/** The text where it is written in the call itself. */
function textNode({ arguments: [first] }: CallNode): Node | undefined {
  const plain = first === undefined ? undefined : unwrap(first);
  if (plain?.type !== 'ObjectExpression') return plain;
  const text = plain.properties.find(
    (property) =>
      property.type === 'Property' && keyName(property.key, property.computed) === 'text',
  );
  return text?.type === 'Property' ? unwrap(text.value) : undefined;
}

function editOf(
  text: Node,
  { words, replacement }: Rewrite,
  file: SourceFile,
): Suggestion['edits'][number] | undefined {
  const isWritten =
    (text.type === 'Literal' && typeof text.value === 'string') || text.type === 'TemplateLiteral';
  const source = isWritten ? file.text.slice(...text.range) : '';
  const found = [...source.matchAll(words)];
  const [only] = found;
  if (only === undefined || found.length > 1 || source.replace(/;\s*[`'"]$/u, '').includes(';'))
    return undefined;
  const start = text.range[0] + only.index;
  return { range: [start, start + only[0].length], text: replacement(only[0]) };
}

/** On each way here a transaction is open on the client. */
function isInTransaction(call: CallNode, { checkouts }: SessionContext): boolean {
  return checkouts.some(({ exploration, session }) => {
    const here =
      session.sent.has(call) && exploration.isComplete
        ? exploration.states.filter(
            ({ point, fact }) =>
              point.kind === 'eval' && point.node === call && fact.status === 'held',
          )
        : [];
    return here.length > 0 && here.every(({ fact }) => fact.transaction === 'open');
  });
}

/** An unlock would only warn that no such lock is held. */
function isUnlocked(call: CallNode, file: SourceFile): boolean {
  const fn = enclosingFunction(call, file);
  return /pg_advisory_unlock/iu.test(file.text.slice(...fn.range));
}
