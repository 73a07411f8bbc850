import type { Asker } from '../../database/session.ts';
import { standInSql } from '../../database/sql/server.sql.ts';
import { readTopStatements, type TopAnswer } from '../../database/top-statements.ts';
import { refuse, type Refusal } from '../refusal.ts';
import type { CommonRequest, StatementRequest, WorkloadRequest } from '../request.ts';
import {
  type CandidateSource,
  chooseStatements,
  type ChoiceRules,
  type StatementChoice,
} from './choose-statements.ts';
import type { FindColumn } from './column-source.ts';
import { fillParameters } from './fill-parameters.ts';
import { mostStatements } from './ready-statements.ts';
import type { SqlParser } from './sql-parser.ts';
import { checkStatement, standInNote } from './statement.ts';

/** What the probe runs when nobody names a statement. */
export const standIn: readonly StatementRequest[] = [
  { text: standInSql, weight: 1, parameters: [] },
];

export interface ListingParts {
  /** Tells the top statements. */
  readonly observer: Asker;
  readonly parse: SqlParser;
  /** Null where values of columns are not read. */
  readonly findColumn: FindColumn | null;
}

type Asked = Pick<CommonRequest, 'workload' | 'allowWrites' | 'allowFunctions'>;

/** The statements of a workload, each with where its values come from. */
export function listStatements(
  asked: Asked,
  parts: ListingParts,
): Promise<StatementChoice | Refusal> {
  const { workload } = asked;
  switch (workload.kind) {
    case 'stand-in':
      return Promise.resolve({ kind: 'chosen', statements: standIn, notes: [standInNote] });
    case 'statements':
      return fillStatements(workload.statements, asked, parts);
    case 'top':
      return chooseTop(workload, asked, parts);
    case 'code':
      return chooseOfCode(workload, asked, parts);
  }
}

/** What a refused statement may be left out of; null where each was named. */
export function leftOutOf(workload: WorkloadRequest): string | null {
  return workload.kind === 'top' || workload.kind === 'code' ? sourceOf(workload).name : null;
}

type Choosing = Extract<WorkloadRequest, { readonly kind: 'top' | 'code' }>;

function sourceOf(workload: Choosing): CandidateSource {
  return workload.kind === 'top'
    ? {
        name: 'the top statements',
        lacksValues: 'pg_stat_statements does not keep',
        none: 'pg_stat_statements shows no statement of this database that can be probed as it is.',
        shows: 'pg_stat_statements shows',
      }
    : {
        name: workload.from,
        lacksValues: 'are not written there',
        none: `${workload.from} sends no statement that can be probed as it is.`,
        shows: null,
      };
}

async function chooseTop(
  workload: Extract<WorkloadRequest, { readonly kind: 'top' }>,
  asked: Asked,
  { observer, ...parts }: ListingParts,
): Promise<StatementChoice | Refusal> {
  const top = await readTopStatements(observer);
  if (top.kind !== 'statements') return refuse(describeNoTop(top));
  const candidates = top.statements.map(({ text, calls }) => ({ text, weight: calls }));
  const { count } = workload;
  const chosen = await chooseStatements(candidates, toRules(workload, count, asked, parts));
  const hidden = describeHidden(top.hidden);
  return chosen.kind === 'chosen'
    ? { ...chosen, notes: [...chosen.notes, ...hidden] }
    : refuse([chosen.sentence, ...hidden].join(' '));
}

async function chooseOfCode(
  workload: Extract<WorkloadRequest, { readonly kind: 'code' }>,
  asked: Asked,
  parts: Omit<ListingParts, 'observer'>,
): Promise<StatementChoice | Refusal> {
  const { statements, from, notes } = workload;
  const cut =
    statements.length > mostStatements
      ? [
          `${from} sends ${statements.length} statements; the probe mixes up to ${mostStatements} of them, the first that can be probed.`,
        ]
      : [];
  const chosen = await chooseStatements(
    statements,
    toRules(workload, mostStatements, asked, parts),
  );
  return chosen.kind === 'chosen'
    ? { ...chosen, notes: [...cut, ...chosen.notes, ...notes] }
    : refuse([chosen.sentence, ...notes].join(' '));
}

function toRules(
  workload: Choosing,
  count: number,
  { allowWrites, allowFunctions }: Asked,
  parts: Pick<ListingParts, 'parse' | 'findColumn'>,
): ChoiceRules {
  return {
    ...parts,
    source: sourceOf(workload),
    count,
    parameters: workload.parameters ?? [],
    allowWrites,
    allowFunctions,
  };
}

/** Statements that were named, with the values that nobody gave. */
async function fillStatements(
  statements: readonly StatementRequest[],
  asked: Asked,
  { parse, findColumn }: Pick<ListingParts, 'parse' | 'findColumn'>,
): Promise<StatementChoice | Refusal> {
  if (findColumn === null) return { kind: 'chosen', statements, notes: [] };
  const filledIn: StatementRequest[] = [];
  for (const statement of statements) {
    const checked = checkStatement(statement.text, { ...asked, parse });
    if (checked.kind === 'refused') return checked;
    const given = statement.parameters;
    if (given.length >= checked.parameterCount) filledIn.push(statement);
    else {
      const filled = await fillParameters(checked, given, { parse, findColumn });
      if (filled.kind === 'unknown') return refuse(describeUnknown(filled.because));
      if (filled.taken < given.length) return refuse(describeUnused(given.length - filled.taken));
      filledIn.push({ ...statement, parameters: filled.parameters });
    }
  }
  return { kind: 'chosen', statements: filledIn, notes: [] };
}

function describeUnknown(because: string): string {
  return `The values of a parameter cannot be sampled: ${because}. Give it with --param; those of the other parameters are still sampled.`;
}

function describeUnused(count: number): string {
  return `${count === 1 ? 'A value' : `${count} values`} given with --param ${count === 1 ? 'is' : 'are'} for no parameter: with --sample-values give those only whose column is unknown, or give all.`;
}

function* describeHidden(hidden: number): Generator<string> {
  if (hidden > 0)
    yield `${hidden} statement${hidden === 1 ? '' : 's'} of other roles ${hidden === 1 ? 'is' : 'are'} hidden from this role; a member of pg_read_all_stats sees them.`;
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
