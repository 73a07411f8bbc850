import { expect, test } from 'vitest';
import type { Session } from '../../../src/activity/snapshot.ts';
import { shortNumber, thin } from '../../../src/webview/curve-options.ts';
import { formatAge, formatRoughAge } from '../../../src/webview/format.ts';
import { stateKey, waitText } from '../../../src/activity/session-state.ts';

const idle: Session = {
  pid: 1,
  backendStart: '2026-01-01T00:00:00Z',
  user: 'app',
  database: 'shop',
  application: 'api',
  clientAddress: null,
  clientPort: null,
  state: 'idle',
  transactionAgeMs: null,
  queryAgeMs: 10,
  stateAgeMs: 10,
  waitEventType: 'Client',
  waitEvent: 'ClientRead',
  isWaiting: false,
  blockedBy: [],
  query: '',
  isOwn: false,
};
test('an idle client waits for nobody; a blocked one names its lock', () => {
  const blocked: Session = {
    ...idle,
    state: 'active',
    isWaiting: true,
    waitEventType: 'Lock',
    waitEvent: 'transactionid',
  };
  expect([waitText(idle), stateKey(idle), waitText(blocked), stateKey(blocked)]).toEqual([
    '',
    'idle',
    'Lock: transactionid',
    'waiting',
  ]);
});

test.each([
  [null, '–'],
  [-4, '0 ms'],
  [340, '340 ms'],
  [59_999, '59 s'],
  [180_000, '3 min'],
  [7_200_000, '2 h'],
  [200_000_000, '2 d'],
])('an age of %j ms reads %s', (ms, text) => {
  expect(formatAge(ms)).toBe(text);
});

test('an age in the sidebar knows no milliseconds', () => {
  expect([null, 0, 999, 1000].map(formatRoughAge)).toEqual(['–', '<1 s', '<1 s', '1 s']);
});

test('a narrow chart labels fewer sizes', () => {
  const sizes = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32];
  expect(thin(sizes, 1000)).toEqual(sizes);
  expect(thin(sizes, 280)).toEqual([1, 2, 4, 8, 16, 32]);
});

test.each([
  [0, '0'],
  [750, '750'],
  [12_000, '12k'],
  [2500, '2.5k'],
])('%d on the axis reads %s', (value, text) => {
  expect(shortNumber(value)).toBe(text);
});
