import { refuse, type Refusal } from '../refusal.ts';
import type { ParameterText, StatementRequest } from '../request.ts';
import type { FindColumn } from './column-source.ts';
import { fillParameters, type FilledIn } from './fill-parameters.ts';
import { excerpt } from './ready-statements.ts';
import { checkStatement, type CheckedStatement, type StatementRules } from './statement.ts';

export interface StatementChoice {
  readonly kind: 'chosen';
  /** In the order of the candidates. */
  readonly statements: readonly StatementRequest[];
  readonly notes: readonly string[];
}

/** A statement that may be chosen. */
export type Candidate = Pick<StatementRequest, 'text' | 'weight'>;

/** Where the candidates come from, in words. */
export interface CandidateSource {
  /** "the top statements" */
  readonly name: string;
  /** Why their values are not known, after "whose values". */
  readonly lacksValues: string;
  /** A sentence for when none can be run. */
  readonly none: string;
  /** What it shows when it shows fewer than were asked for: "pg_stat_statements shows"; null where fewer are no surprise. */
  readonly shows: string | null;
}

export interface ChoiceRules extends StatementRules {
  readonly source: CandidateSource;
  readonly count: number;
  /** For parameters whose values are not known, one statement after the other. */
  readonly parameters: readonly ParameterText[];
  /** Null where values of columns are not read. */
  readonly findColumn: FindColumn | null;
}

type Reason = 'parameters' | 'catalogs' | 'writes' | 'other';

interface LeftOut {
  readonly text: string;
  readonly reason: Reason;
  /** What is not known of its values. */
  readonly because?: string;
}

/** Of those that only lack values, which somebody may want to probe all the same. */
const mostNamed = 3;

/** Takes the first statements that can be run as they are, and says which of those before the last of them were left out, and why. */
export async function chooseStatements(
  candidates: readonly Candidate[],
  rules: ChoiceRules,
): Promise<StatementChoice | Refusal> {
  const statements: StatementRequest[] = [];
  const leftOut: LeftOut[] = [];
  let left = rules.parameters;
  for (const { text, weight } of candidates) {
    if (statements.length === rules.count) break;
    const checked = checkStatement(text, rules);
    const reason = checked.kind === 'refused' ? reasonOf(checked.sentence) : whyNot(checked);
    if (reason !== null || checked.kind === 'refused') {
      leftOut.push({ text, reason: reason ?? 'other' });
      continue;
    }
    const filled = await fill(checked, left, rules);
    if (filled.kind === 'unknown')
      leftOut.push({ text, reason: 'parameters', because: filled.because });
    else {
      left = left.slice(filled.taken);
      statements.push({ text: checked.text, weight, parameters: filled.parameters });
    }
  }
  const notes = [
    ...describeLeftOut(leftOut, rules),
    ...describeRest(statements.length, left.length, rules),
  ];
  if (statements.length > 0) return { kind: 'chosen', statements, notes };
  return refuse([rules.source.none, ...notes, 'Name statements with --sql.'].join(' '));
}

async function fill(
  checked: CheckedStatement,
  given: readonly ParameterText[],
  { parse, findColumn }: ChoiceRules,
): Promise<FilledIn> {
  if (findColumn !== null) return fillParameters(checked, given, { parse, findColumn });
  const { parameterCount } = checked;
  return parameterCount > given.length
    ? { kind: 'unknown', because: '' }
    : { kind: 'filled', parameters: given.slice(0, parameterCount), taken: parameterCount };
}

function reasonOf(sentence: string): Reason {
  return /^The statement (?:writes|locks|starts with)/.test(sentence) ? 'writes' : 'other';
}

function whyNot({ readsOnlyCatalogs }: CheckedStatement): Reason | null {
  return readsOnlyCatalogs ? 'catalogs' : null;
}

const others: readonly (readonly [Reason, (count: number) => string])[] = [
  [
    'writes',
    (count) =>
      `${count} that ${count === 1 ? 'writes' : 'write'} or ${count === 1 ? 'is' : 'are'} no query`,
  ],
  [
    'catalogs',
    (count) => `${count} that only ${count === 1 ? 'reads' : 'read'} the server's own catalogs`,
  ],
  ['other', (count) => `${count} that ${count === 1 ? 'does' : 'do'} not pass the statement check`],
];

function* describeLeftOut(
  leftOut: readonly LeftOut[],
  { source, findColumn }: ChoiceRules,
): Generator<string> {
  const of = (reason: Reason) => leftOut.filter((each) => each.reason === reason);
  const without = of('parameters');
  if (without.length > 0) {
    const named = without
      .slice(0, mostNamed)
      .map(({ text, because = '' }) => `${excerpt(text)}${because === '' ? '' : ` (${because})`}`);
    const cure =
      findColumn === null
        ? 'allow --sample-values to take them from the statistics of their columns, or probe such a one with --sql and --param'
        : 'give the missing values with --param, in order';
    yield `Left out of ${source.name}: ${without.length} with parameters, whose values ${findColumn === null ? source.lacksValues : 'are not known'} (${cure}): ${named.join('; ')}${without.length > mostNamed ? '; …' : ''}.`;
  }
  const counted = others.flatMap(([reason, describe]) =>
    of(reason).length > 0 ? [describe(of(reason).length)] : [],
  );
  if (counted.length > 0) yield `Left out of ${source.name}: ${counted.join(', ')}.`;
}

function* describeRest(
  chosen: number,
  unusedValues: number,
  { source, count }: ChoiceRules,
): Generator<string> {
  if (chosen > 0 && chosen < count && source.shows !== null)
    yield `${source.shows} ${chosen} statement${chosen === 1 ? '' : 's'} that can be probed, not ${count}.`;
  if (unusedValues > 0)
    yield `${unusedValues} of the values given with --param ${unusedValues === 1 ? 'was' : 'were'} not needed.`;
}
