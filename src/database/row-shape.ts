import * as v from 'valibot';
import { toShortText } from '../activity/plain-text.ts';
import { whatIsWrong } from '../schema/what-is-wrong.ts';
import { ProtocolBreach } from './protocol/conversation.ts';

/** What each row of an answer is read by. */
export type RowSchema<Row> = v.GenericSchema<unknown, Row>;

const longestStatement = 60;

/** What the driver gives, which makes a list of several results. */
type Result = { readonly rows: readonly unknown[] } | readonly unknown[];

/** Gives the rows as the schema has them. Throws a `ProtocolBreach` where the result is not one of the statement `text`. */
export function readRows<Row>(
  result: Result,
  schema: RowSchema<Row>,
  text: string,
): readonly Row[] {
  const breach = (what: string) =>
    new ProtocolBreach(
      `The server sent ${what} in answer to "${toShortText(text.trim(), longestStatement)}"`,
    );
  if (!('rows' in result)) throw breach('several results');
  return result.rows.map((row) => {
    const read = v.safeParse(schema, row, { abortEarly: true });
    if (read.success) return read.output;
    throw breach(`a row whose ${whatIsWrong(read.issues)}`);
  });
}
