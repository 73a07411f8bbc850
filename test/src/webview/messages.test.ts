import { describe, expect, test } from 'vitest';
import { emptyActivity } from '../../../src/activity/activity-model.ts';
import { parseFromView } from '../../../src/webview/from-view.ts';
import { applyToModel, toInterval, type PoolModel } from '../../../src/webview/messages.ts';

describe('messages of a page', () => {
  test.each([
    { kind: 'ready' },
    { kind: 'pause' },
    { kind: 'cancel-probe' },
    { kind: 'export-probe' },
    { kind: 'interval', seconds: 5 },
    { kind: 'open', section: 'probe' },
    { kind: 'session', action: 'show-code', key: '4711@2026-01-01T00:00:00.000000Z' },
    { kind: 'pool', action: 'show-code', key: '["api"]' },
    { kind: 'run-watched' },
    { kind: 'code-place', key: '/home/anna/shop/src/orders.ts:41:24' },
    { kind: 'session', action: 'copy', key: '4711@2026-01-01T00:00:00.000000Z' },
    { kind: 'session', action: 'copy-row', key: '4711@2026-01-01T00:00:00.000000Z' },
    {
      kind: 'export',
      to: 'file',
      list: { order: { column: 'pid', isDescending: false }, filter: 'api', hidesIdle: true },
    },
  ])('$kind is taken', (message) => {
    expect(parseFromView(message)).toEqual(message);
  });

  test.each([
    [null],
    ['ready'],
    [{}],
    [{ kind: 'constructor' }],
    [{ kind: 'agree' }],
    [{ kind: 'sql', text: 'DROP TABLE orders' }],
    [{ kind: 'interval', seconds: 0.001 }],
    [{ kind: 'interval', seconds: '5' }],
    [{ kind: 'open', section: 'https://example.com' }],
    [{ kind: 'open' }],
    [{ kind: 'pool', action: 'copy', key: 'api' }],
    [{ kind: 'pool', action: 'show-code' }],
    [{ kind: 'code-place' }],
    [{ kind: 'code-place', key: { file: '/etc/passwd' } }],
    [{ kind: 'session', action: 'copy' }],
    [{ kind: 'session', action: 'copy', key: 4711 }],
    [{ kind: 'session', action: 'SELECT 1', key: '4711@2026' }],
    [
      {
        kind: 'export',
        to: '/etc/passwd',
        list: { order: { column: 'pid', isDescending: false }, filter: '', hidesIdle: true },
      },
    ],
    [
      {
        kind: 'export',
        to: 'file',
        list: { order: { column: 'pid; DROP', isDescending: false }, filter: '', hidesIdle: true },
      },
    ],
    [{ kind: 'export', to: 'file' }],
  ])('%j is refused', (message) => {
    expect(parseFromView(message)).toBeUndefined();
  });

  test('what else a message carries is dropped', () => {
    expect(parseFromView({ kind: 'probe', statement: 'DROP TABLE orders' })).toEqual({
      kind: 'probe',
    });
  });
});

test.each([
  [1, 1],
  [10, 10],
  [3, 2],
  ['5', 2],
  [undefined, 2],
])('an interval of %j becomes %d seconds', (value, expected) => {
  expect(toInterval(value)).toBe(expected);
});

test('a message replaces its part of the model only', () => {
  const model: PoolModel = {
    connection: { kind: 'none', saved: 0 },
    activity: emptyActivity,
    probe: { kind: 'idle' },
    history: null,
    intervalSeconds: 2,
  };
  expect(applyToModel(model, { kind: 'probe', probe: { kind: 'cancelled' } })).toEqual({
    ...model,
    probe: { kind: 'cancelled' },
  });
  const history = { statement: 'SELECT 1', runs: [] };
  expect(applyToModel(model, { kind: 'history', history })).toEqual({ ...model, history });
  expect(
    applyToModel(model, {
      kind: 'connection',
      connection: { kind: 'paused', label: 'a' },
      intervalSeconds: 5,
    }),
  ).toEqual({ ...model, connection: { kind: 'paused', label: 'a' }, intervalSeconds: 5 });
});
