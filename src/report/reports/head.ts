import type {
  PoolerSummary,
  ProbedServer,
  ResultHead,
  WorkloadSummary,
} from '../../probe/result-head.ts';
import { describeTransactions } from '../../probe/transaction-text.ts';
import type { Report, ReportVerdict } from '../report.ts';

/** What the report of every measured result begins and ends with. */
export function headOf(
  result: ResultHead,
  how?: string,
): Pick<Report, 'place' | 'statements' | 'errors' | 'alarms' | 'notes'> {
  const seconds = `${(result.elapsedMs / 1000).toFixed(1)} s`;
  return {
    place: [
      ...placeOf(result.server),
      ...(result.workload.from === undefined ? [] : [result.workload.from]),
      how === undefined ? seconds : `${how} in ${seconds}`,
    ],
    statements: result.workload.statements.map((statement) =>
      describeStatement(statement, result.workload),
    ),
    errors: result.errors,
    ...tellTransactions(result),
  };
}

function tellTransactions({ notes, transactions }: ResultHead): Pick<Report, 'alarms' | 'notes'> {
  if (transactions === undefined) return { notes };
  const { isAlarm, sentence } = describeTransactions(transactions);
  return isAlarm ? { alarms: [sentence], notes } : { notes: [...notes, sentence] };
}

export function placeOf({
  database,
  host,
  port,
  version,
  pooler,
}: ProbedServer): readonly string[] {
  return [
    `${database} on ${host}:${port}`,
    `PostgreSQL ${version}`,
    ...(pooler === null ? [] : [`through ${describePooler(pooler)}`]),
  ];
}

function describePooler({ version, mode }: PoolerSummary): string {
  return `${version === null ? 'a pooler' : version.includes('PgBouncer') ? version : `PgBouncer ${version}`}${mode === null ? '' : ` in ${mode} mode`}`;
}

function describeStatement(
  { text, share, parameters }: WorkloadSummary['statements'][number],
  { statements }: WorkloadSummary,
): string {
  const weight = statements.length === 1 ? '' : `${Math.round(share * 100)} %: `;
  const values = parameters.map((parameter, index) => `$${index + 1} = ${parameter}`).join(', ');
  return `${weight}${text}${values === '' ? '' : `  (${values})`}`;
}

/** A result that ended early is labelled before anything else. */
export function sentencesOf({
  partial,
  verdict,
}: Pick<ResultHead, 'partial' | 'verdict'>): readonly string[] {
  return [...(partial === null ? [] : [`Partial result: ${partial}`]), verdict.because];
}

/** The pick of sizes that were held against each other under load; nothing for none. */
export function pickFacts(pick: number | null): Report['facts'] {
  const detail = 'the smallest size that brings nearly all there is';
  return pick === null ? [] : [{ label: 'max', value: String(pick), detail }];
}

/** The verdict of what is measured without judging it. */
export function measured(result: Pick<ResultHead, 'partial' | 'verdict'>): ReportVerdict {
  return {
    tone: result.partial === null ? 'neutral' : 'warn',
    title: 'Measured.',
    sentences: sentencesOf(result),
  };
}
