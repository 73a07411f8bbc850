import type { DatabaseSession } from '../../database/session.ts';
import type { TransactionTally } from '../../database/transaction-tally.ts';
import { refuse, type Refusal } from '../refusal.ts';
import type { CommonRequest, StatementRequest } from '../request.ts';
import type { BackendMemory, WorkloadSummary } from '../result-head.ts';
import { type ColumnDraw, createColumnSource, drawList, type FindColumn } from './column-source.ts';
import { createDraw } from './draw-statement.ts';
import { leftOutOf, listStatements, standIn } from './list-statements.ts';
import { readParameter } from './parameters.ts';
import { notSampled, readyStatements, type ReadyStatement } from './ready-statements.ts';
import { loadSqlParser } from './sql-parser.ts';
import {
  tryStatements,
  withTrialSession,
  type TrialAnswer,
  type TrialEnvironment,
  type TrialOptions,
} from './trial.ts';
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

type Asked = Pick<CommonRequest, 'workload' | 'allowWrites' | 'allowFunctions' | 'sampleValues'>;

/** What can be refused without a connection; null when nothing can. */
export async function checkWorkload({
  workload,
  allowWrites,
  allowFunctions,
  sampleValues,
}: Asked): Promise<Refusal | null> {
  const loaded = await loadSqlParser();
  if (loaded.kind === 'refused') return loaded;
  if (workload.kind === 'top' || workload.kind === 'code')
    return checkValues(workload.parameters ?? [], sampleValues);
  const answer = readyStatements(workload.kind === 'stand-in' ? standIn : workload.statements, {
    parse: loaded.parse,
    allowWrites,
    allowFunctions,
    ...(sampleValues && { drawOf: () => () => null, isFilledLater: true }),
  });
  return 'kind' in answer ? answer : null;
}

function checkValues(parameters: readonly string[], sampleValues: boolean): Refusal | null {
  for (const read of parameters.map(readParameter)) {
    if (read.kind === 'problem') return refuse(read.sentence);
    if (read.kind === 'column' && !sampleValues) return refuse(`--param: ${notSampled}`);
  }
  return null;
}

type Around = TrialEnvironment & { readonly tally: TransactionTally };

/**
 * Lists the statements of a request, judges what they call and times each on a connection of its own; a dry run times nothing.
 * The observer tells the top statements, and cancels what still runs at the end.
 */
export async function prepareWorkload(
  observer: DatabaseSession,
  request: CommonRequest,
  around: Around,
): Promise<WorkloadAnswer> {
  const options = { ...around, request, observer, leavesOutOf: leftOutOf(request.workload) };
  const prepared = await withTrialSession(options, (session) => listAndTry(session, options));
  if (prepared.kind === 'refused') return prepared;
  const { statements, calls } = prepared;
  const inTransaction = statements.some(({ writes }) => writes);
  const meansMs = prepared.meansMs ?? statements.map(() => assumedMs);
  const shares = toShares(statements);
  const summary: WorkloadSummary = {
    origin: origins[request.workload.kind],
    ...(request.workload.kind === 'code' && { from: request.workload.from }),
    inTransaction,
    statements: statements.map(({ text, parameters }, at) => ({
      text,
      parameters,
      share: shares[at] ?? 0,
      meanMs: prepared.meansMs?.[at] ?? null,
    })),
  };
  const meanMs = meansMs.reduce((sum, mean, at) => sum + mean * (shares[at] ?? 0), 0);
  const notes = [...prepared.notes, ...listNotes(statements)];
  return {
    kind: 'workload',
    workload: { summary, calls, meanMs, notes, next: createDraw(statements, observer.isPooled) },
    memory: prepared.memory,
  };
}

const origins = {
  'stand-in': 'stand-in',
  statements: 'given',
  top: 'pg_stat_statements',
  code: 'code',
} as const;

async function listAndTry(
  session: DatabaseSession,
  options: TrialOptions & { readonly request: CommonRequest; readonly observer: DatabaseSession },
): Promise<TrialAnswer> {
  const { request, observer } = options;
  const loaded = await loadSqlParser();
  if (loaded.kind === 'refused') return loaded;
  const { parse } = loaded;
  const findColumn = request.sampleValues ? createColumnSource(session) : null;
  const listed = await listStatements(request, { observer, parse, findColumn });
  if (listed.kind === 'refused') return listed;
  const draws = await drawsOf(listed.statements, findColumn);
  await session.settle();
  const { allowWrites, allowFunctions } = request;
  const ready = readyStatements(listed.statements, {
    parse,
    allowWrites,
    allowFunctions,
    drawOf: (text) => draws.get(text) ?? notSampled,
  });
  if ('kind' in ready) return ready;
  if (ready.some(({ writes }) => writes) && observer.isPooled)
    return refuse(
      'Statements that write are probed on PostgreSQL itself and not through a pooler: name the address of the server.',
    );
  const tried = await tryStatements(session, ready, options);
  return tried.kind === 'refused' ? tried : { ...tried, notes: [...listed.notes, ...tried.notes] };
}

/** By the text of a parameter that names a column; a sentence where there are no values. */
async function drawsOf(
  statements: readonly StatementRequest[],
  findColumn: FindColumn | null,
): Promise<ReadonlyMap<string, ColumnDraw | string>> {
  const draws = new Map<string, ColumnDraw | string>();
  for (const text of new Set(statements.flatMap(({ parameters }) => parameters))) {
    const read = readParameter(text);
    if (read.kind !== 'column' || findColumn === null) continue;
    const { column, isList } = read.parameter;
    const answer = await findColumn([[column]]);
    if (answer.kind === 'unknown') draws.set(text, `${text} has no values: ${answer.because}.`);
    else draws.set(text, isList ? drawList(answer.draw) : answer.draw);
  }
  return draws;
}

const writesNote =
  'Statements that write are rolled back and never committed, so there is no wait for the disk as at a COMMIT. Sequences are still advanced, triggers run, and dead rows are left for VACUUM.';
const sampledNote =
  'Values were drawn from the statistics of columns (--sample-values), as often as their rows hold them: @table.column says which. No value is in this result.';

function* listNotes(statements: readonly ReadyStatement[]): Generator<string> {
  if (statements.some(({ isSampled }) => isSampled)) yield sampledNote;
  if (statements.some(({ writes }) => writes)) yield writesNote;
}

function toShares(statements: readonly ReadyStatement[]): readonly number[] {
  const total = statements.reduce((sum, { weight }) => sum + weight, 0);
  return statements.map(({ weight }) => weight / total);
}
