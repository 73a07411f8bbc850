import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { emptyActivity, nextActivity } from '../../../src/activity/activity-model.ts';
import { sessionColumns } from '../../../src/activity/session-list.ts';
import { emptyPooler } from '../../../src/pooler/pooler-model.ts';
import { parseFromView, type FromView } from '../../../src/webview/from-view.ts';
import { firstIntent } from '../../../src/webview/intent.ts';
import { leanActivity } from '../../../src/webview/lean-activity.ts';
import { applyToModel, ToView, type PoolModel } from '../../../src/webview/to-view.ts';
import { toInterval } from '../../../src/webview/messages.ts';
import { parseFromPoolerPage, type FromPoolerPage } from '../../../src/webview/from-pooler-page.ts';
import { ToPoolerPage } from '../../../src/webview/to-pooler-page.ts';
import { aReport, aSession } from '../../support/a-session.ts';
import { leakingApp, runningState } from '../../support/apps-under-watch.ts';
import { foundTwo } from '../../support/probe-result.ts';
import { expectToRead } from '../../support/spoilt.ts';

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
    [{ kind: 'copy', keys: ['1@2026'], columns: ['password'], statements: 'whole' }],
    [{ kind: 'copy', keys: '1@2026', columns: ['pid'], statements: 'whole' }],
    [{ kind: 'columns', layout: { widths: { pid: 60, __proto__: 1, other: 50 }, hidden: [] } }],
    [{ kind: 'columns', layout: { widths: { pid: '60px; color: red' }, hidden: [] } }],
    [{ kind: 'columns', layout: { widths: { pid: 1e9 }, hidden: [] } }],
    [{ kind: 'columns', layout: { widths: {}, hidden: ['no such column'] } }],
    [{ kind: 'columns', layout: { widths: {}, hidden: sessionColumns } }],
  ])('%j is refused', (message) => {
    expect(parseFromView(message)).toBeUndefined();
  });

  test('what else a message carries is dropped', () => {
    expect(parseFromView({ kind: 'probe', statement: 'DROP TABLE orders' })).toEqual({
      kind: 'probe',
    });
  });
});

const model: PoolModel = {
  connection: { kind: 'lost', label: 'shop', sentence: 'The server is gone.', retryInMs: null },
  activity: nextActivity(emptyActivity, aReport([aSession(), aSession({ pid: 2 })])),
  probe: { kind: 'idle' },
  history: {
    statement: 'select name from users',
    runs: [{ at: 1, max: 4, interval: [3, 5], server: '18.4' }],
  },
  intervalSeconds: 2,
  columns: { widths: { pid: 60 }, hidden: ['wait'] },
  pooler: { kind: 'live', model: emptyPooler },
  running: runningState([leakingApp]),
};
const toViews: readonly ToView[] = [
  { kind: 'model', model, seenAgoMs: null },
  { kind: 'activity', activity: leanActivity(model.activity, model.activity) },
  { kind: 'connection', connection: { kind: 'live', label: 'shop' }, intervalSeconds: 5 },
  { kind: 'probe', probe: { kind: 'running', fraction: 0.5, doing: 'round 1', sizes: [] } },
  { kind: 'probe', probe: { kind: 'result', result: foundTwo } },
  { kind: 'history', history: model.history },
  { kind: 'history', history: null },
  { kind: 'pooler', pooler: { kind: 'closed', sentence: 'No.', isForRole: true } },
  { kind: 'running', running: model.running },
  { kind: 'reveal', section: 'probe' },
];

test('whatever is posted to a page, or by one, is a message of ours or none', () => {
  expectToRead<FromView | undefined>(
    [
      { kind: 'open', section: 'probe' },
      { kind: 'export', to: 'file', list: firstIntent.list },
      { kind: 'copy', keys: ['1@2026'], columns: ['pid'], statements: 'redacted' },
      { kind: 'columns', layout: { widths: { query: 400 }, hidden: ['user'] } },
    ],
    parseFromView,
  );
  expectToRead<FromPoolerPage | undefined>([{ kind: 'retry' }], parseFromPoolerPage);
  expectToRead(toViews, readBy(ToView));
  expectToRead(
    [{ kind: 'pooler', model: { connection: 'shop', pooler: model.pooler } }],
    readBy(ToPoolerPage),
  );
});

function readBy<Message>(schema: v.GenericSchema<unknown, Message>) {
  return (value: unknown): Message | undefined => {
    const read = v.safeParse(schema, value, { abortEarly: true });
    return read.success ? read.output : undefined;
  };
}

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
