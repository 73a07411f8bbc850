import { toPlainText } from '../../activity/plain-text.ts';
import { readCalledFunctions } from '../../database/read-called-functions.ts';
import type { DatabaseSession, QueryAnswer } from '../../database/session.ts';
import { refuse, type Refusal } from '../refusal.ts';
import type { ReadyStatement } from '../workload/ready-statements.ts';
import { describeCall, findAccidents, mayLock, type Accident, type Called } from './accidents.ts';
import { readTree } from './tree-references.ts';

export interface JudgeOptions {
  /** Qualified names of functions that may be called whatever they do. */
  readonly allowFunctions: readonly string[];
  /** A refused statement is left out of these while others remain, "the top statements"; null where it is the answer. */
  readonly leavesOutOf: string | null;
}

export interface JudgedWorkload {
  readonly kind: 'judged';
  readonly statements: readonly ReadyStatement[];
  /** What they call that PostgreSQL does not bring, a line each. */
  readonly calls: readonly string[];
  readonly notes: readonly string[];
}

type Judging = Pick<DatabaseSession, 'query' | 'readRewritten'>;

interface StatementVerdict {
  readonly kind: 'verdict';
  readonly statement: ReadyStatement;
  readonly calls: readonly string[];
  /** Null for a statement that may be run. */
  readonly refused: string | null;
}

/**
 * Looks at what the statements call, before any of them is run, for what trusted code does by accident: the functions of
 * the statement and of the views in it, by the tree that the server makes of it, and one level below. A courtesy and no
 * wall: whose code may run at all was decided before (`owner-guard.ts`). The session must have the search path on which
 * they will run, and no open transaction.
 */
export async function judgeWorkload(
  session: Judging,
  statements: readonly ReadyStatement[],
  options: JudgeOptions,
): Promise<Refusal | JudgedWorkload> {
  const allowed = new Set(options.allowFunctions);
  const verdicts: StatementVerdict[] = [];
  for (const statement of statements) {
    const verdict = await judgeStatement(session, statement, allowed);
    if (verdict.kind === 'refused') return verdict;
    verdicts.push(verdict);
  }
  return concludeFrom(verdicts, options);
}

async function judgeStatement(
  session: Judging,
  statement: ReadyStatement,
  allowed: ReadonlySet<string>,
): Promise<Refusal | StatementVerdict> {
  const { text, label, writes } = statement;
  const trees = await session.readRewritten(text);
  if (trees.kind === 'failed') return refuse(`${label} does not run. ${trees.failure.sentence}`);
  if (trees.rows.length === 0) return refuse(noTree);
  const called = await readCalled(session, trees.rows, writes);
  if (called.kind === 'failed')
    return refuse(`What ${label} calls cannot be read. ${called.failure.sentence}`);
  const [facts] = called.rows;
  if (facts === undefined) return refuse(noTree);
  const accidents = findAccidents(facts, { allowed, isWriting: writes });
  return {
    kind: 'verdict',
    statement: { ...statement, locks: mayLock(facts) },
    calls: facts.functions.flatMap((each) => describeCall(each, allowed)),
    refused: accidents.length === 0 ? null : describeRefused(label, accidents),
  };
}

/** One row: what the trees of a statement call, and what the bodies in standard SQL below them do. */
async function readCalled(
  session: Judging,
  trees: readonly string[],
  isWriting: boolean,
): Promise<QueryAnswer<Called>> {
  const found = trees.map(readTree);
  const references = {
    functions: found.flatMap(({ functions }) => functions),
    operators: found.flatMap(({ operators }) => operators),
    written: isWriting ? found.flatMap(({ written }) => written) : [],
  };
  const functions = await readCalledFunctions(session, references);
  if (functions.kind === 'failed') return functions;
  const below = functions.rows.flatMap(({ tree }) => (tree === null ? [] : [readTree(tree)]));
  const inBodies = await readCalledFunctions(session, {
    functions: below.flatMap((each) => each.functions),
    operators: below.flatMap((each) => each.operators),
    written: [],
  });
  if (inBodies.kind === 'failed') return inBodies;
  return {
    kind: 'rows',
    rows: [
      {
        functions: functions.rows,
        below: new Map(inBodies.rows.map((each) => [each.oid, each])),
      },
    ],
  };
}

function concludeFrom(
  verdicts: readonly StatementVerdict[],
  { leavesOutOf }: JudgeOptions,
): Refusal | JudgedWorkload {
  const kept = verdicts.filter(({ refused }) => refused === null);
  const refused = verdicts.flatMap((verdict) => verdict.refused ?? []);
  const [first] = refused;
  if (first !== undefined && (leavesOutOf === null || kept.length === 0)) return refuse(first);
  const calls = [...new Set(kept.flatMap((verdict) => verdict.calls))];
  return {
    kind: 'judged',
    statements: kept.map(({ statement }) => statement),
    calls,
    notes: [
      ...(calls.length > 0 ? [courtesy] : []),
      ...refused.map((sentence) => `Left out of ${leavesOutOf}: ${sentence}`),
    ],
  };
}

/** Why a statement is refused, and how to allow it. */
function describeRefused(label: string, accidents: readonly Accident[]): string {
  const [first] = accidents;
  const names = [...new Set(accidents.map(({ allowedAs }) => allowedAs))];
  const sentences = [
    `${label} calls ${first?.path.join(', which calls ') ?? ''}, which ${first?.because ?? ''}.`,
    `If that may happen at every run: --allow-functions ${names.join(',')}`,
  ];
  return `${toPlainText(sentences.join(' '))}.`;
}

const courtesy =
  'The calls are those of the statements and their views. Poolguard looks one level below them for effects that outlast a rollback: a courtesy against accidents, not a safeguard against code that hides them.';

const noTree =
  'The server does not report what a statement calls (debug_print_rewritten), as PostgreSQL does from version 12 on. ' +
  'The probe runs no statement whose calls it cannot show.';
