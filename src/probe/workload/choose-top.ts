import type { TopStatement } from '../../database/top-statements.ts';
import { refuse, type Refusal } from '../refusal.ts';
import type { ParameterText, StatementRequest } from '../request.ts';
import { excerpt } from './ready-statements.ts';
import { checkStatement, type CheckedStatement, type StatementRules } from './statement.ts';

export interface TopChoice {
  readonly kind: 'chosen';
  /** The busiest first; their weights are their calls. */
  readonly statements: readonly StatementRequest[];
  readonly notes: readonly string[];
}

export interface TopRules extends StatementRules {
  readonly count: number;
  /** For the parameters of the chosen statements, one statement after the other. */
  readonly parameters: readonly ParameterText[];
  /** Statements whose text the role may not see. */
  readonly hidden: number;
}

type Reason = 'parameters' | 'catalogs' | 'writes' | 'other';

const reasons: Readonly<Record<Reason, (count: number) => string>> = {
  parameters: (count) =>
    `${count} with parameters, whose values pg_stat_statements does not keep (probe such a one with --sql and --param)`,
  writes: (count) =>
    `${count} that ${count === 1 ? 'writes' : 'write'} or ${count === 1 ? 'is' : 'are'} no query`,
  catalogs: (count) =>
    `${count} that only ${count === 1 ? 'reads' : 'read'} the server's own catalogs`,
  other: (count) => `${count} that ${count === 1 ? 'does' : 'do'} not pass the statement check`,
};

/** Of those that only lack values, which somebody may want to probe all the same. */
const mostNamed = 3;

/** Takes the first statements that can be run as they are, and says which of those before the last of them were left out, and why. */
export function chooseTop(top: readonly TopStatement[], rules: TopRules): TopChoice | Refusal {
  const statements: StatementRequest[] = [];
  const leftOut: { readonly text: string; readonly reason: Reason }[] = [];
  const values = [...rules.parameters];
  for (const { text, calls } of top) {
    if (statements.length === rules.count) break;
    const checked = checkStatement(text, rules);
    const reason =
      checked.kind === 'refused' ? reasonOf(checked.sentence) : whyNot(checked, values.length);
    if (reason !== null || checked.kind === 'refused')
      leftOut.push({ text, reason: reason ?? 'other' });
    else
      statements.push({
        text: checked.text,
        weight: calls,
        parameters: values.splice(0, checked.parameterCount),
      });
  }
  const notes = [
    ...describeLeftOut(leftOut),
    ...describeRest(statements.length, values.length, rules),
  ];
  if (statements.length > 0) return { kind: 'chosen', statements, notes };
  return refuse(
    [
      'pg_stat_statements shows no statement of this database that can be probed as it is.',
      ...notes,
      'Name statements with --sql.',
    ].join(' '),
  );
}

function reasonOf(sentence: string): Reason {
  return /^The statement (?:writes|locks|starts with)/.test(sentence) ? 'writes' : 'other';
}

function whyNot(
  { parameterCount, readsOnlyCatalogs }: CheckedStatement,
  values: number,
): Reason | null {
  if (readsOnlyCatalogs) return 'catalogs';
  return parameterCount > values ? 'parameters' : null;
}

function* describeLeftOut(
  leftOut: readonly { readonly text: string; readonly reason: Reason }[],
): Generator<string> {
  const textsOf = (reason: Reason) =>
    leftOut.filter((each) => each.reason === reason).map(({ text }) => excerpt(text));
  const withParameters = textsOf('parameters');
  if (withParameters.length > 0)
    yield `Left out of the top statements: ${reasons.parameters(withParameters.length)}: ${withParameters.slice(0, mostNamed).join('; ')}${withParameters.length > mostNamed ? '; …' : ''}.`;
  const others = (['writes', 'catalogs', 'other'] as const).flatMap((reason) =>
    textsOf(reason).length > 0 ? [reasons[reason](textsOf(reason).length)] : [],
  );
  if (others.length > 0) yield `Left out of the top statements: ${others.join(', ')}.`;
}

function* describeRest(
  chosen: number,
  unusedValues: number,
  { count, hidden }: TopRules,
): Generator<string> {
  if (chosen > 0 && chosen < count)
    yield `pg_stat_statements shows ${chosen} statement${chosen === 1 ? '' : 's'} that can be probed, not ${count}.`;
  if (unusedValues > 0)
    yield `${unusedValues} of the values given with --param ${unusedValues === 1 ? 'was' : 'were'} not needed.`;
  if (hidden > 0)
    yield `${hidden} statement${hidden === 1 ? '' : 's'} of other roles ${hidden === 1 ? 'is' : 'are'} hidden from this role; a member of pg_read_all_stats sees them.`;
}
