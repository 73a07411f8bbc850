import type { DatabaseSession } from '../../database/session.ts';
import { standInSql } from '../../database/sql/server.sql.ts';
import type { TransactionTally } from '../../database/transaction-tally.ts';
import { readTopStatements, type TopAnswer } from '../../database/top-statements.ts';
import { refuse, type Refusal } from '../refusal.ts';
import type { CommonRequest, StatementRequest } from '../request.ts';
import type { BackendMemory, WorkloadSummary } from '../result-head.ts';
import type { ProbeSurroundings } from '../probe-surroundings.ts';
import { chooseTop, type TopChoice } from './choose-top.ts';
import { createDraw } from './draw-statement.ts';
import { readParameter } from './parameters.ts';
import { readyStatements, type ReadyStatement } from './ready-statements.ts';
import { loadSqlParser, type SqlParser } from './sql-parser.ts';
import { standInNote } from './statement.ts';
import { tryStatements } from './trial.ts';
import type { Workload } from './workload.ts';

export type WorkloadAnswer =
  | Refusal
  | {
      readonly kind: 'workload';
      readonly workload: Workload;
      readonly memory: BackendMemory | null;
    };

/** What a dry run assumes of a statement that it does not run. */
const assumedMs = 1;

type Asked = Pick<CommonRequest, 'workload' | 'allowWrites' | 'allowFunctions'>;

/** What can be refused without a connection; null when nothing can. */
export async function checkWorkload({
  workload,
  allowWrites,
  allowFunctions,
}: Asked): Promise<Refusal | null> {
  const loaded = await loadSqlParser();
  if (loaded.kind === 'refused') return loaded;
  if (workload.kind === 'top') return checkValues(workload.parameters ?? []);
  const answer = readyStatements(workload.kind === 'stand-in' ? standIn : workload.statements, {
    parse: loaded.parse,
    allowWrites,
    allowFunctions,
  });
  return 'kind' in answer ? answer : null;
}

const standIn: readonly StatementRequest[] = [{ text: standInSql, weight: 1, parameters: [] }];

function checkValues(parameters: readonly string[]): Refusal | null {
  const problem = parameters.map(readParameter).find(({ kind }) => kind === 'problem');
  return problem?.kind === 'problem' ? refuse(problem.sentence) : null;
}

/**
 * Checks the statements of a request, judges what they call and times each on a connection of its own; a dry run times nothing.
 * The observer tells the top statements, and cancels what still runs at the end.
 */
export async function prepareWorkload(
  observer: DatabaseSession,
  request: CommonRequest,
  around: Pick<ProbeSurroundings, 'clock' | 'random' | 'signal' | 'probeId'> & {
    readonly tally: TransactionTally;
  },
): Promise<WorkloadAnswer> {
  const loaded = await loadSqlParser();
  if (loaded.kind === 'refused') return loaded;
  const listed = await listStatements(observer, request, loaded.parse);
  if (listed.kind === 'refused') return listed;
  const { allowWrites, allowFunctions } = request;
  const ready = readyStatements(listed.statements, {
    parse: loaded.parse,
    allowWrites,
    allowFunctions,
  });
  if ('kind' in ready) return ready;
  if (ready.some(({ writes }) => writes) && observer.isPooled)
    return refuse(
      'Statements that write are probed on PostgreSQL itself and not through a pooler: name the address of the server.',
    );
  const timed = await tryStatements(ready, { ...around, request, observer });
  if (timed.kind === 'refused') return timed;
  const { statements, calls } = timed;
  const inTransaction = statements.some(({ writes }) => writes);
  const meansMs = timed.meansMs ?? statements.map(() => assumedMs);
  const shares = toShares(statements);
  const summary: WorkloadSummary = {
    origin: origins[request.workload.kind],
    inTransaction,
    statements: statements.map(({ text, parameters }, at) => ({
      text,
      parameters,
      share: shares[at] ?? 0,
      meanMs: timed.meansMs?.[at] ?? null,
    })),
  };
  const meanMs = meansMs.reduce((sum, mean, at) => sum + mean * (shares[at] ?? 0), 0);
  const notes = [...listed.notes, ...timed.notes, ...(inTransaction ? [writesNote] : [])];
  return {
    kind: 'workload',
    workload: { summary, calls, meanMs, notes, next: createDraw(statements, observer.isPooled) },
    memory: timed.memory,
  };
}

const origins = { 'stand-in': 'stand-in', statements: 'given', top: 'pg_stat_statements' } as const;

const writesNote =
  'Statements that write are rolled back and never committed, so there is no wait for the disk as at a COMMIT. Sequences are used up all the same, triggers run, and dead rows are left for VACUUM.';

function toShares(statements: readonly ReadyStatement[]): readonly number[] {
  const total = statements.reduce((sum, { weight }) => sum + weight, 0);
  return statements.map(({ weight }) => weight / total);
}

async function listStatements(
  observer: DatabaseSession,
  { workload, allowWrites, allowFunctions }: Asked,
  parse: SqlParser,
): Promise<TopChoice | Refusal> {
  if (workload.kind === 'stand-in')
    return { kind: 'chosen', statements: standIn, notes: [standInNote] };
  if (workload.kind === 'statements')
    return { kind: 'chosen', statements: workload.statements, notes: [] };
  const top = await readTopStatements(observer);
  if (top.kind !== 'statements') return refuse(describeNoTop(top));
  return chooseTop(top.statements, {
    count: workload.count,
    parameters: workload.parameters ?? [],
    allowWrites,
    allowFunctions,
    parse,
    hidden: top.hidden,
  });
}

function describeNoTop(answer: Exclude<TopAnswer, { kind: 'statements' }>): string {
  switch (answer.kind) {
    case 'missing':
      return 'The extension pg_stat_statements is not in this database, so the server does not know its top statements. CREATE EXTENSION pg_stat_statements, with pg_stat_statements in shared_preload_libraries, or name statements with --sql.';
    case 'not-loaded':
      return 'The server did not load pg_stat_statements at its start, so it does not know its top statements. Add it to shared_preload_libraries and restart the server, or name statements with --sql.';
    case 'failed':
      return `pg_stat_statements cannot be read. ${answer.failure.sentence} Name statements with --sql.`;
  }
}
