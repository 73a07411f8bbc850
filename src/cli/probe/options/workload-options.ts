import { resolve } from 'node:path';
import { InvalidArgumentError, type Command } from 'commander';
import { readBounded } from '../../../connections/read-bounded.ts';
import type {
  CommonRequest,
  ParameterText,
  StatementRequest,
  WorkloadRequest,
} from '../../../probe/request.ts';
import {
  describeWeight,
  isWeight,
  readWorkloadFile,
} from '../../../probe/workload/workload-file.ts';
import { CouldNotRun } from '../../exit-code.ts';
import { OptionalValue } from '../../optional-value.ts';
import { isDatabaseName } from '../../read-target.ts';
import { readCodeWorkload } from '../code-workload.ts';
import { readCount } from './read-count.ts';

/** Statements as they were given, each with what stood after it. */
export interface GivenStatements {
  readonly statements: StatementRequest[];
  /** Before any statement. */
  readonly parameters: ParameterText[];
}

export interface StatementFlags {
  /** The same object for all three, since each belongs to the `--sql` before it. */
  readonly sql?: GivenStatements;
  readonly param?: GivenStatements;
  readonly weight?: GivenStatements;
  readonly file?: string;
  readonly top?: number;
  readonly fromCode?: string;
  readonly sampleValues?: true;
  readonly allowFunctions?: readonly string[];
}

export interface WorkloadFlags extends StatementFlags {
  /** True without a name. */
  readonly allowWrites?: string | true;
}

/** For the help of every command that takes a workload. */
const workloadHelp = `
What is run: one statement (--sql), several by weight, a file of them, the busiest ones that the server knows (--top),
or what a route or a file of your code sends (--from-code). Without any, a stand-in.
  --sql 'SELECT * FROM users WHERE id = $1' --param 1..100000
  --sql 'SELECT …' --weight 9 --sql 'SELECT … WHERE city = $1' --param 'Rome|Oslo' --weight 1
  --file workload.sql      statements end with ";"; above one may stand "-- weight: 3" and "-- params: 1..1000, a|b"
  --from-code 'GET /users/:id'   what the handler sends, over the functions that it calls in other files; --from-code src/users.ts takes a file
Each --param gives the values of $1, $2, … of the --sql before it, in order, drawn anew for each run:
  42  text  null           one value; quotes keep it as it is: 'a|b', 'null'
  1..1000  0.5..2.5  2026-01-01..2026-12-31
                           any number or day of a range, both ends included
  a|b|1..9                 one of these, each as often
  @users.city              as often as the rows of the table hold each value, by the statistics of the server (needs --sample-values)
--sample-values finds the column that each parameter without a --param is compared with, and draws from its statistics (pg_stats): this reads
values of your tables, of columns that the role may read only. They are sent as parameters and stand in no plan, result or message.
PostgreSQL's own parser checks each statement: a single SELECT, VALUES, TABLE or WITH … SELECT without functions that do more than read.
Every other role that owns code in the database has to be trusted: --trust-owner app. The plan lists the functions that statements and
their views call; those that, one level deep, do what outlasts a rollback are refused with their name, and --allow-functions public.order_total lets one.`;

const writesHelp = `--allow-writes accepts INSERT, UPDATE, DELETE and MERGE too; each runs in a transaction that is rolled back, after you typed the name of the database.`;

/** What is run again and again. */
export function addWorkloadOptions(command: Command): void {
  addStatementOptions(command);
  command
    .addOption(
      new OptionalValue(
        '--allow-writes [database]',
        'accept statements that write, and roll them back; without a terminal the database must be named: --allow-writes=shop',
        isDatabaseName,
      ),
    )
    .addHelpText('after', writesHelp);
}

/** The same without statements that write. */
export function addStatementOptions(command: Command): void {
  const given: GivenStatements = { statements: [], parameters: [] };
  command
    .optionsGroup('What is run:')
    .option(
      '--sql <statement>',
      'a statement that only reads; may be repeated (default: a stand-in that uses the CPU)',
      (text) => addStatement(given, text),
    )
    .option(
      '--param <values>',
      'values for $1, then $2, … of the --sql before it: 42, 1..1000 or "a|b|c"',
      (text) => addParameter(given, text),
    )
    .option('--weight <number>', 'share of the --sql before it among several', (text) =>
      setWeight(given, text),
    )
    .option('--file <path>', 'a file of statements, with weights and values in comments')
    .option(
      '--top <count>',
      'the statements that took most time by pg_stat_statements, as far as their values are known',
      readCount(1, 20),
    )
    .option(
      '--from-code <route-or-file>',
      "the statements that a route or a file of the code in this folder sends: 'GET /users/:id' or src/users.ts",
    )
    .option(
      '--sample-values',
      'read values from the statistics of the columns that parameters are compared with; off unless given, because values of columns may be private',
    )
    .option(
      '--allow-functions <names>',
      'functions that statements may call whatever they do, by qualified name: public.order_total,app.audit; may be repeated',
      addNames,
    )
    .addHelpText('after', workloadHelp);
}

function addNames(text: string, before: readonly string[] = []): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  const problem = names.find((name) => !/^[^.]+\..+$/s.test(name));
  if (problem !== undefined)
    throw new InvalidArgumentError(
      'Each name needs its schema and no arguments, as in public.order_total.',
    );
  return [...before, ...names];
}

function addStatement(given: GivenStatements, text: string): GivenStatements {
  given.statements.push({ text, weight: 1, parameters: [] });
  return given;
}

function addParameter(given: GivenStatements, text: string): GivenStatements {
  const last = given.statements.pop();
  if (last === undefined) given.parameters.push(text);
  else given.statements.push({ ...last, parameters: [...last.parameters, text] });
  return given;
}

function setWeight(given: GivenStatements, text: string): GivenStatements {
  if (!isWeight(text)) throw new InvalidArgumentError(describeWeight(text));
  const last = given.statements.pop();
  if (last === undefined) throw new InvalidArgumentError('Put it after its --sql.');
  given.statements.push({ ...last, weight: Number(text) });
  return given;
}

/** Throws `CouldNotRun` with a sentence for a file that cannot be read, and for options that exclude each other. */
export async function readWorkload(
  flags: WorkloadFlags,
  cwd: string,
): Promise<Pick<CommonRequest, 'workload' | 'allowWrites' | 'allowFunctions' | 'sampleValues'>> {
  const { allowWrites, allowFunctions = [], sampleValues = false } = flags;
  return {
    workload: await readStatements(flags, cwd),
    allowWrites: allowWrites !== undefined,
    allowFunctions,
    sampleValues,
  };
}

async function readStatements(
  { sql, param, file, top, fromCode }: StatementFlags,
  cwd: string,
): Promise<WorkloadRequest> {
  const { statements, parameters } = sql ?? param ?? { statements: [], parameters: [] };
  const ways = [statements[0], file, top, fromCode].filter((way) => way !== undefined);
  if (ways.length > 1) throw new CouldNotRun('Choose one of --sql, --file, --top and --from-code.');
  if (top !== undefined) return { kind: 'top', count: top, parameters };
  if (fromCode !== undefined) {
    const { createCodeReader } = await import('../../../server/engine.ts');
    return { ...(await readCodeWorkload(fromCode, cwd, createCodeReader())), parameters };
  }
  if (parameters.length > 0)
    throw new CouldNotRun(
      'Put --param after the --sql whose $1, $2, … it fills; in a file, use comments: -- params: 1..1000, a|b.',
    );
  if (file !== undefined) return { kind: 'statements', statements: await readFile(file, cwd) };
  return statements.length > 0 ? { kind: 'statements', statements } : { kind: 'stand-in' };
}

async function readFile(file: string, cwd: string): Promise<readonly StatementRequest[]> {
  const read = await readBounded(resolve(cwd, file));
  if (read.kind !== 'text')
    throw new CouldNotRun(
      `${file} cannot be read: it is missing, no ordinary file, or larger than 1 MB.`,
    );
  const answer = readWorkloadFile(read.text);
  if (answer.kind === 'problem')
    throw new CouldNotRun(`${file}:${answer.line}: ${answer.sentence}`);
  return answer.statements;
}
