import * as v from 'valibot';
import { expect, test } from 'vitest';
import { ActivityRow, ConnectionLimitRow } from '../../../src/activity/server-rows.ts';
import { shaped } from '../../../src/database/row-shape.ts';

const Row = v.object({
  ...v.pick(ActivityRow, ['pid', 'taken_at', 'application', 'blocked_by']).entries,
  limits: v.array(ConnectionLimitRow),
});
const limit = { scope: 'role', name: 'app', limit: null, isOwn: true };
const row = { pid: 1, taken_at: 0, application: 'app', blocked_by: [2], limits: [limit] };

test('rows of the types that were asked for are the answer, nulls where they may be', () => {
  const answer = {
    kind: 'rows',
    rows: [row, { ...row, taken_at: null, application: null, blocked_by: null }],
  } as const;
  expect(shaped(answer, Row)).toEqual(answer);
});

test.each([
  ['pid', 'many'],
  ['pid', null],
  ['pid', undefined],
  ['taken_at', 1e300],
  ['taken_at', Number.NaN],
  ['application', 7],
  ['blocked_by', ['2']],
  ['limits', null],
  ['limits', [null]],
  ['limits', [{ ...limit, name: 7 }]],
])('a server whose column %s is %s gives no answer of PostgreSQL’s', (column, value) => {
  const strange = { ...row, [column]: value };
  expect(shaped({ kind: 'rows', rows: [row, strange] }, Row)).toEqual({
    kind: 'failed',
    failure: {
      kind: 'statement',
      sentence: `Unexpected result from the server: column ${column} has another type than in PostgreSQL. Connect to PostgreSQL or to a pooler for it.`,
      code: null,
    },
  });
});
