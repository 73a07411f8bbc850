import type { Node, CallNode } from '../../syntax/node.ts';
import { statementKinds, type StatementKind, type TransactionStep } from '../../model/sql.ts';
import type { Finding } from '../finding.ts';
import { stepOf } from '../path-step.ts';
import { helperExcerpt, receiverText } from '../../syntax/excerpt.ts';
import type { Analysis } from '../analysis.ts';
import type { Here } from '../../values/resolver.ts';
import {
  isImported,
  mayWriteTellingStatement,
  sqlTexts,
} from '../../values/texts/session-texts.ts';
import { isBoundQuery, sentToPool, type PoolQuery } from '../../summaries/sent-to-pool.ts';
import { isAskedInTurn } from '../../values/pools/asked-in-turn.ts';
import { surePool } from '../../values/pools/surely-pool.ts';
import { callsIn, isQuery } from '../../syntax/calls.ts';
import { contains, unwrap, type SourceFile } from '../../syntax/source-file.ts';
import { rootOf } from '../../typestate/call-semantics.ts';

type Step = 'begins' | 'ends' | 'savepoint';

/** A step of a transaction that goes to whichever client its pool picks. */
interface PooledStep {
  readonly call: CallNode;
  readonly step: Step;
  readonly poolText: string;
  /** Inside of the function that is called. */
  readonly inside: PoolQuery | undefined;
}

const words = /begin|start\s+transaction|commit|roll_?back|savepoint|abort|prepare\s+transaction/i;

/** The steps of a transaction, the first of them first. */
type Steps = readonly [PooledStep, ...PooledStep[]];

/** Transactions whose steps are sent to a pool one by one: one finding for each. */
export function findTransactionsOnPool(analysis: Analysis): readonly Finding[] {
  const { file, resolver } = analysis;
  if (resolver.reader.leadsToDriver?.(file) === false) return [];
  const found = callsIn(file).calls.flatMap((call) => pooledStep(call, analysis) ?? []);
  return transactionsIn(found, file).map((each) => describe(each, file));
}

/** What does not begin a transaction belongs to the one that the same function has begun before on the same pool. */
function transactionsIn(found: readonly PooledStep[], file: SourceFile): readonly Steps[] {
  const transactions: [PooledStep, ...PooledStep[]][] = [];
  for (const each of [...found].sort((a, b) => a.call.range[0] - b.call.range[0])) {
    const begun = transactions.findLast(([first]) => isWithin(each, first, file));
    if (each.step === 'begins' || begun === undefined) transactions.push([each]);
    else begun.push(each);
  }
  return transactions;
}

function isWithin({ call, poolText }: PooledStep, first: PooledStep, file: SourceFile): boolean {
  const root = rootOf(first.call, file);
  return (
    poolText === first.poolText &&
    (root === rootOf(call, file) || (root.type !== 'Program' && contains(root, call)))
  );
}

function pooledStep(call: CallNode, here: Here): PooledStep | undefined {
  const { file, resolver } = here;
  const [text] = call.arguments;
  const step = text === undefined || !mayBeStep(text, file) ? undefined : stepIn(text, here);
  if (step === undefined) return undefined;
  if (isQuery(call)) {
    const { object } = call.callee;
    const pool = surePool(object, file, resolver);
    if (pool !== undefined)
      return isAskedInTurn(object, pool, file)
        ? undefined
        : { call, step, poolText: receiverText(object, file), inside: undefined };
  }
  if (call.callee.type === 'Identifier' && isBoundQuery(call.callee, file, resolver))
    return { call, step, poolText: file.text.slice(...call.callee.range), inside: undefined };
  const inside = sentToPool(call, 0, file, resolver);
  return inside === undefined ? undefined : { call, step, poolText: poolOf(inside), inside };
}

function poolOf({ query, file }: PoolQuery): string {
  return query.callee.type === 'MemberExpression'
    ? receiverText(query.callee.object, file)
    : 'the pool';
}

/** A cheap look: the statement stands in the argument, or the argument is a name for one that is imported or may be written in this file. */
function mayBeStep(argument: Node, file: SourceFile): boolean {
  const plain = unwrap(argument);
  if (plain.type === 'Identifier' || plain.type === 'MemberExpression')
    return isImported(plain, file) || mayWriteTellingStatement(file);
  return (
    words.test(file.text.slice(...plain.range)) ||
    /^['"`]\s*(?:end|release)\b/iu.test(file.text.slice(...plain.range))
  );
}

function stepIn(argument: Node, { file, resolver }: Here): Step | undefined {
  const texts = sqlTexts(unwrap(argument), { file, resolver });
  const steps = texts.map((text) => netStep(statementKinds(text)));
  return steps.length > 0 && steps.every((step) => step !== undefined) ? steps[0] : undefined;
}

const steps: Readonly<Partial<Record<TransactionStep, Step>>> = {
  commit: 'ends',
  rollback: 'ends',
  prepare: 'ends',
  savepoint: 'savepoint',
  'release-savepoint': 'savepoint',
  'rollback-to-savepoint': 'savepoint',
};

/**
 * What a text leaves to other queries: a transaction that it begins and does not end, or the end of one that it did not begin.
 * Nothing for `BEGIN; …; COMMIT` in one text, and for one with a statement that is not known.
 */
function netStep(kinds: readonly StatementKind[]): Step | undefined {
  if (kinds.some(({ verb }) => verb === '')) return undefined;
  const [first] = kinds;
  let isOpen = false;
  for (const { transaction, isChained } of kinds) {
    if (transaction === 'begin') isOpen = true;
    if (transaction === 'commit' || transaction === 'rollback' || transaction === 'prepare')
      isOpen = isChained;
  }
  if (isOpen) return 'begins';
  return first === undefined || first.transaction === null || first.transaction === 'begin'
    ? undefined
    : steps[first.transaction];
}

function describe([first, ...others]: Steps, file: SourceFile): Finding {
  const { call, step, poolText, inside } = first;
  const via =
    inside === undefined
      ? ''
      : ` (via ${helperExcerpt(call.callee, inside.query, inside.file, file)})`;
  return {
    rule: 'no-transaction-on-pool',
    messageId: step,
    data: { pool: poolText, via, rest: restOf(others) },
    place: call.loc,
    steps: [
      stepOf(call, file, `runs on an arbitrary client of ${poolText}.`),
      ...(inside === undefined
        ? []
        : [stepOf(inside.query, inside.file, 'queries the pool.', file)]),
      ...others.map((each) => stepOf(each.call, file, 'may run on another.')),
    ],
  };
}

/** `lines 9 and 12`, which run as well. */
function restOf(others: readonly PooledStep[]): string {
  const lines = [...new Set(others.map(({ call }) => String(call.loc.start.line)))];
  if (lines.length === 0) return 'later statements';
  return `${lines.length === 1 ? 'line' : 'lines'} ${list.format(lines)}`;
}

const list = new Intl.ListFormat('en-GB');
