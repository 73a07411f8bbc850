import * as v from 'valibot';
import { expect, test } from 'vitest';
import { ActivityRow, ConnectionLimitRow } from '../../../src/activity/server-rows.ts';
import { ProtocolBreach } from '../../../src/database/protocol/conversation.ts';
import { readRows } from '../../../src/database/row-shape.ts';

const Row = v.object({
  ...v.pick(ActivityRow, ['pid', 'taken_at', 'application', 'blocked_by']).entries,
  limits: v.array(ConnectionLimitRow),
});
const limit = { scope: 'role', name: 'app', limit: null, isOwn: true };
const row = { pid: 1, taken_at: 0, application: 'app', blocked_by: [2], limits: [limit] };

test('rows of the types that were asked for are the answer, nulls where they may be', () => {
  const rows = [row, { ...row, taken_at: null, application: null, blocked_by: null }];
  expect(readRows({ rows }, Row, 'SELECT 1')).toEqual(rows);
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
])('a server whose column %s is %s answers another statement', (column, value) => {
  const strange = { ...row, [column]: value };
  const text = '\nSELECT pid,\n  taken_at FROM sessions';
  const read = () => readRows({ rows: [row, strange] }, Row, text);
  expect(read).toThrow(ProtocolBreach);
  expect(read).toThrow(
    new RegExp(
      String.raw`^The server sent a row whose ${column}\S* is \D+ in answer to "SELECT pid, taken_at FROM sessions"$`,
    ),
  );
});

test('several results answer no single statement', () => {
  expect(() => readRows([{ rows: [row] }, { rows: [row] }], Row, 'SELECT 1')).toThrow(
    'The server sent several results in answer to "SELECT 1"',
  );
});
