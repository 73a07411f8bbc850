import { readCallEnvironment } from '../../database/read-call-facts.ts';
import type { DatabaseSession } from '../../database/session.ts';
import { refuse, type Refusal } from '../refusal.ts';
import type { ReadyStatement } from '../workload/ready-statements.ts';
import { closeOver, type Closure, type ClosureRules, type Root } from './call-closure.ts';
import { createCallReader, isWhole, type CallReader } from './call-reader.ts';
import { callLines, describeRefused } from './describe-calls.ts';
import { mayLock, refusedIn } from './judge-closure.ts';
import { readTree } from './tree-references.ts';

export interface JudgeOptions {
  /** Qualified names of functions and foreign tables that may be called whatever they do. */
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

type Judging = Pick<DatabaseSession, 'query' | 'run' | 'settle' | 'readRewritten'>;

interface StatementVerdict {
  readonly kind: 'verdict';
  readonly statement: ReadyStatement;
  readonly calls: readonly string[];
  /** Null for a statement that may be run. */
  readonly refused: string | null;
}

/**
 * What the statements call, before any of them is run: by the trees that the server makes of them, and its catalog.
 * The session must have the search path on which they will run, and no open transaction. A function may be replaced
 * after this look.
 */
export async function judgeWorkload(
  session: Judging,
  statements: readonly ReadyStatement[],
  options: JudgeOptions,
): Promise<Refusal | JudgedWorkload> {
  const answer = await readCallEnvironment(session);
  if (answer.kind === 'failed') return refuse(answer.failure.sentence);
  const [environment] = answer.rows;
  if (environment === undefined) return refuse(noTree);
  const reader = createCallReader(session, environment);
  const allowed = new Set(options.allowFunctions);
  if (statements.some(({ text }) => mayBeStructured.test(text))) {
    const unsafe = await judgeDomains(reader, {
      allowed,
      isWriting: statements.some(({ writes }) => writes),
    });
    if (unsafe !== null) return unsafe;
  }
  const verdicts: StatementVerdict[] = [];
  for (const statement of statements) {
    const verdict = await judgeStatement(session, reader, statement, allowed);
    if (verdict.kind === 'refused') return verdict;
    verdicts.push(verdict);
  }
  return concludeFrom(verdicts, options);
}

/** A string constant that begins as arrays, rows and ranges do, or with an escape, which may stand for that. */
const mayBeStructured = /['$]\s*[{([\\]|uescape/i;

/**
 * PostgreSQL runs the CHECK of a domain as it parses a literal of an array or a row of it, before anybody knows of
 * which type that is.
 */
async function judgeDomains(reader: CallReader, rules: ClosureRules): Promise<Refusal | null> {
  const { domains, isSuperuser } = reader.book.environment;
  const closure = await closeWhole(
    reader,
    [
      {
        caller: { label: 'a literal', above: null, allowedAs: null },
        references: { types: domains },
      },
    ],
    rules,
  );
  if (closure.kind === 'refused') return closure;
  const refused = refusedIn(closure.closure, rules, isSuperuser);
  return refused.length === 0
    ? null
    : refuse(describeRefused('A literal of the statement may make PostgreSQL call', refused));
}

async function judgeStatement(
  session: Judging,
  reader: CallReader,
  statement: ReadyStatement,
  allowed: ReadonlySet<string>,
): Promise<Refusal | StatementVerdict> {
  const { text, label, writes } = statement;
  const trees = await session.readRewritten(text);
  if (trees.kind === 'failed') return refuse(`${label} does not run. ${trees.failure.sentence}`);
  if (trees.rows.length === 0) return refuse(noTree);
  const rules: ClosureRules = { allowed, isWriting: writes };
  const caller = {
    label: label
      .replace(/^S/, 's')
      .replace(/^The/, 'the')
      .replace(/ \(.*$/s, ''),
    above: null,
    allowedAs: null,
  };
  const closed = await closeWhole(
    reader,
    trees.rows.map((tree): Root => ({ caller, references: readTree(tree) })),
    rules,
  );
  if (closed.kind === 'refused') return closed;
  const refused = refusedIn(closed.closure, rules, reader.book.environment.isSuperuser);
  return {
    kind: 'verdict',
    statement: { ...statement, locks: mayLock(closed.closure, allowed) },
    calls: callLines(closed.closure, allowed),
    refused: refused.length === 0 ? null : describeRefused(`${label} calls`, refused),
  };
}

/** Reads until nothing is missing. */
async function closeWhole(
  reader: CallReader,
  roots: readonly Root[],
  rules: ClosureRules,
): Promise<Refusal | { readonly kind: 'closed'; readonly closure: Closure }> {
  for (;;) {
    const closure = closeOver(roots, reader.book, rules);
    if (closure === null) return refuse(tooMuch);
    if (isWhole(closure.missing)) return { kind: 'closed', closure };
    const failure = await reader.fill(closure.missing);
    if (failure !== null)
      return refuse(`What the statement calls cannot be read. ${failure.sentence}`);
  }
}

function concludeFrom(
  verdicts: readonly StatementVerdict[],
  { leavesOutOf }: JudgeOptions,
): Refusal | JudgedWorkload {
  const kept = verdicts.filter(({ refused }) => refused === null);
  const refused = verdicts.flatMap((verdict) => verdict.refused ?? []);
  const [first] = refused;
  if (first !== undefined && (leavesOutOf === null || kept.length === 0)) return refuse(first);
  return {
    kind: 'judged',
    statements: kept.map(({ statement }) => statement),
    calls: [...new Set(kept.flatMap(({ calls }) => calls))],
    notes: refused.map((sentence) => `Left out of ${leavesOutOf}: ${sentence}`),
  };
}

const noTree =
  'The server does not report what a statement calls (debug_print_rewritten), as PostgreSQL does from version 12 on. ' +
  'The probe runs no statement that it cannot judge.';

const tooMuch =
  'The statement calls more than can be judged: views, functions and types of more than 20,000 kinds.';
