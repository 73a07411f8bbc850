import * as v from 'valibot';
import type { QueryAnswer } from './session.ts';

/** The same rows, or a failure: what calls itself a server may answer with others than those that were asked for. */
export function shaped<Row>(
  answer: QueryAnswer<unknown>,
  row: v.GenericSchema<unknown, Row>,
): QueryAnswer<Row> {
  if (answer.kind === 'failed') return answer;
  const read = v.safeParse(v.array(row), answer.rows, { abortEarly: true });
  if (read.success) return { kind: 'rows', rows: read.output };
  const column = String(read.issues[0].path?.[1]?.key);
  return {
    kind: 'failed',
    failure: {
      kind: 'statement',
      sentence: `Unexpected result from the server: column ${column} has another type than in PostgreSQL. Connect to PostgreSQL or to a pooler for it.`,
      code: null,
    },
  };
}
