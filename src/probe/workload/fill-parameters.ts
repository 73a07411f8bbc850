import type { ParameterText } from '../request.ts';
import { writeColumnParameter } from './column-name.ts';
import type { FindColumn } from './column-source.ts';
import { findParameterColumns } from './parameter-columns.ts';
import type { SqlParser } from './sql-parser.ts';

export type FilledIn =
  | {
      readonly kind: 'filled';
      readonly parameters: readonly ParameterText[];
      /** How many of the given ones it took. */
      readonly taken: number;
    }
  /** `because` goes on after "because" or stands in brackets. */
  | { readonly kind: 'unknown'; readonly because: string };

/**
 * Where the values of a statement's parameters come from: the statistics of the column that each is compared with, and for those
 * whose column is unknown what was given, in order.
 */
export async function fillParameters(
  { text, parameterCount }: { readonly text: string; readonly parameterCount: number },
  given: readonly ParameterText[],
  { parse, findColumn }: { readonly parse: SqlParser; readonly findColumn: FindColumn },
): Promise<FilledIn> {
  const parsed = parse(text);
  const [statement] = parsed.kind === 'tree' ? parsed.statements : [];
  const compared =
    statement === undefined ? new Map<number, never>() : findParameterColumns(statement);
  const left = [...given];
  const parameters: ParameterText[] = [];
  for (let number = 1; number <= parameterCount; number += 1) {
    const one = compared.get(number);
    const answer = one === undefined ? notCompared : await findColumn(one.scopes);
    const sampled =
      answer.kind === 'column' && one !== undefined
        ? writeColumnParameter({ column: answer.column, isList: one.isList })
        : null;
    const parameter = sampled ?? left.shift();
    if (parameter === undefined)
      return {
        kind: 'unknown',
        because: `$${number}: ${answer.kind === 'unknown' ? answer.because : 'its column has a name that hides characters'}`,
      };
    parameters.push(parameter);
  }
  return { kind: 'filled', parameters, taken: given.length - left.length };
}

const notCompared = { kind: 'unknown', because: 'it is compared with no column' } as const;
