import { toShortText } from '../../activity/plain-text.ts';
import type { RandomSource } from '../random.ts';
import { refuse, type Refusal } from '../refusal.ts';
import type { StatementRequest } from '../request.ts';
import { readParameter, type ParameterValue } from './parameters.ts';
import { adviseOnQuestionMark } from './question-mark.ts';
import { checkStatement, type StatementRules } from './statement.ts';

/** A statement that was checked, and whose parameters have values. */
export interface ReadyStatement extends StatementRequest {
  /** For sentences: "The statement", or "Statement 2 (SELECT …)" among several. */
  readonly label: string;
  readonly writes: boolean;
  /** What it calls may hold locks until its transaction ends; unknown before that was read. */
  readonly locks?: boolean;
  /** A value of it comes from a column, and is shown nowhere. */
  readonly isSampled: boolean;
  readonly drawValues: (random: RandomSource) => ParameterValue[];
}

export interface ReadyRules extends StatementRules {
  /** What draws the values of a column, by the text of its parameter; a sentence where nothing does. Left out where values of columns are not read. */
  readonly drawOf?: (text: string) => Draw | string;
  /** A statement may still lack values, which are found once the server is asked. */
  readonly isFilledLater?: boolean;
}

export const notSampled =
  "a parameter that begins with @ names a column, whose values the probe reads with --sample-values only. Put literal text in quotes: '@…'.";

type Draw = (random: RandomSource) => ParameterValue;

/** Each must be planned, timed and mixed: with more, none would run often enough within a slice. */
export const mostStatements = 20;

/** Checks all statements, or says what is wrong with the first that cannot be run. */
export function readyStatements(
  requests: readonly StatementRequest[],
  rules: ReadyRules,
): Refusal | readonly ReadyStatement[] {
  if (requests.length === 0) return refuse('There is no statement to probe.');
  if (requests.length > mostStatements)
    return refuse(
      `There are ${requests.length} statements. The probe mixes up to ${mostStatements}: keep those that your application runs most.`,
    );
  const ready: ReadyStatement[] = [];
  for (const [at, request] of requests.entries()) {
    const answer = readyStatement(request, labelOf(request, at, requests.length), rules);
    if ('kind' in answer)
      return requests.length === 1
        ? answer
        : refuse(`${labelOf(request, at, requests.length)}: ${answer.sentence}`);
    ready.push(answer);
  }
  return ready;
}

function labelOf({ text }: StatementRequest, at: number, count: number): string {
  return count === 1 ? 'The statement' : `Statement ${at + 1} (${excerpt(text)})`;
}

/** The beginning of a statement, in one line. */
export function excerpt(text: string): string {
  return toShortText(text, 60).trim();
}

function readyStatement(
  request: StatementRequest,
  label: string,
  rules: ReadyRules,
): Refusal | ReadyStatement {
  const { weight, parameters } = request;
  if (!(weight > 0 && Number.isFinite(weight)))
    return refuse('The weight of a statement is a number above 0.');
  const checked = checkStatement(request.text, rules);
  if (checked.kind === 'refused')
    return parameters.length > 0 &&
      !request.text.includes('$') &&
      adviseOnQuestionMark(request.text) === null
      ? refuse(`${checked.sentence} ${shellHint}`)
      : checked;
  const { text, writes, parameterCount } = checked;
  const isFilledLater = rules.isFilledLater === true && parameters.length < parameterCount;
  if (parameterCount !== parameters.length && !isFilledLater)
    return refuse(describeCount(parameterCount, parameters.length));
  const drawing = readDraws(parameters, rules);
  return 'kind' in drawing ? drawing : { text, weight, parameters, label, writes, ...drawing };
}

function readDraws(
  parameters: StatementRequest['parameters'],
  { drawOf = () => notSampled }: ReadyRules,
): Refusal | Pick<ReadyStatement, 'isSampled' | 'drawValues'> {
  const draws: Draw[] = [];
  let isSampled = false;
  for (const [at, parameter] of parameters.entries()) {
    const read = readParameter(parameter);
    if (read.kind === 'problem') return refuse(`$${at + 1}: ${read.sentence}`);
    const draw = read.kind === 'column' ? drawOf(parameter) : read.draw;
    if (typeof draw === 'string') return refuse(`$${at + 1}: ${draw}`);
    isSampled ||= read.kind === 'column';
    draws.push(draw);
  }
  return { isSampled, drawValues: (random) => draws.map((draw) => draw(random)) };
}

/** Shells replace `$1` in double quotes by nothing. */
const shellHint =
  'If it was written with $1 in a shell, put it in single quotes there: in double quotes the shell takes $1 for a variable of its own.';
const howToFill =
  'Give one --param for each, in order: a value (42), a range (1..1000) or a choice (a|b|c).';

function describeCount(wanted: number, given: number): string {
  const has =
    wanted === 0
      ? 'no parameter such as $1'
      : wanted === 1
        ? 'a parameter $1'
        : `parameters $1 to $${wanted}`;
  const got =
    given === 0
      ? 'no values were given'
      : given === 1
        ? 'values were given for 1'
        : `values were given for ${given}`;
  return `The statement has ${has}, and ${got}. ${wanted < given ? shellHint : howToFill}`;
}
