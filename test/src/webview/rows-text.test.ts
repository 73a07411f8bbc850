import { expect, test } from 'vitest';
import { sessionColumns } from '../../../src/activity/session-list.ts';
import { rowsText } from '../../../src/webview/rows-text.ts';
import { aSession } from '../../support/a-session.ts';

const ada = aSession({
  pid: 101,
  application: '=cmd\t|',
  state: 'active',
  queryAgeMs: 12_000,
  query: "SELECT name\nFROM users WHERE email = 'ada@example.org'",
});
const whole = "SELECT name FROM users WHERE email = 'ada@example.org'";

test('rows stand below their titles, a tab between two cells, without literals unless they are wanted', () => {
  const text = rowsText(
    [ada, aSession({ pid: 7, query: '' })],
    ['pid', 'query', 'query-age'],
    'redacted',
  );
  expect(text.split('\n').map((row) => row.split('\t'))).toEqual([
    ['pid', 'query age', 'query'],
    ['101', '12 s', 'select name from users where email = ?'],
    ['7', '–', ''],
  ]);
  expect(rowsText([ada], ['pid', 'query'], 'whole')).toBe(`pid\tquery\n101\t${whole}`);
});

test('what a spreadsheet takes for a formula is text, and no cell breaks its row', () => {
  expect(rowsText([ada], ['pid', 'application'], 'redacted')).toBe(
    "pid\tapplication\n101\t'=cmd |",
  );
  expect(rowsText([ada, ada], sessionColumns, 'whole').split('\n')).toHaveLength(3);
});

test('a single cell is what it is', () => {
  expect(rowsText([ada], ['query'], 'whole')).toBe(ada.query);
  expect(rowsText([ada], ['pid'], 'whole')).toBe('101');
});
