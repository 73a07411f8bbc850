import { expect, test } from 'vitest';
import { readSettings } from '../../monitor/settings.ts';

test('defaults are those of the field report', () => {
  expect(readSettings({}, {})).toEqual({
    settings: {
      heldMs: 5_000,
      sampleMs: 50,
      printMs: 5_000,
      alertWaiting: 20,
      alertIdle: 0.1,
      stacks: true,
      report: ['console'],
    },
    problems: [],
  });
});

test('the environment is read, and what the caller says comes first', () => {
  const environment = {
    POOLGUARD_HELD_MS: '250',
    POOLGUARD_SAMPLE_MS: '10',
    POOLGUARD_PRINT_MS: '0',
    POOLGUARD_ALERT_WAITING: '5',
    POOLGUARD_ALERT_IDLE: '0.25',
    POOLGUARD_STACKS: 'off',
    POOLGUARD_REPORT: 'otel, console',
  };
  expect(readSettings({ heldMs: 300 }, environment)).toEqual({
    settings: {
      heldMs: 300,
      sampleMs: 10,
      printMs: 0,
      alertWaiting: 5,
      alertIdle: 0.25,
      stacks: false,
      report: ['otel', 'console'],
    },
    problems: [],
  });
});

test('where somebody listens, the socket is the default', () => {
  expect(readSettings({}, { POOLGUARD_SOCKET: '/run/watch.sock' }).settings.report).toEqual([
    'socket',
  ]);
  expect(
    readSettings({}, { POOLGUARD_SOCKET: '/run/watch.sock', POOLGUARD_REPORT: 'console' }).settings
      .report,
  ).toEqual(['console']);
});

test.each([
  [
    { POOLGUARD_HELD_MS: 'soon' },
    'POOLGUARD_HELD_MS must be a number from 1 to 86400000, but is "soon": 5000 is used.',
  ],
  [
    { POOLGUARD_ALERT_IDLE: '10' },
    'POOLGUARD_ALERT_IDLE must be a number from 0 to 1, but is "10": 0.1 is used.',
  ],
  [
    { POOLGUARD_STACKS: 'maybe' },
    'POOLGUARD_STACKS must be "on" or "off", but is "maybe": stacks are kept.',
  ],
  [
    { POOLGUARD_REPORT: 'console,syslog' },
    'POOLGUARD_REPORT accepts console, otel, socket, but not "syslog".',
  ],
])('a value that says nothing is told in a sentence: %j', (environment, sentence) => {
  expect(readSettings({}, environment).problems).toEqual([sentence]);
});

test('an option that is no such number is told, and its default holds', () => {
  expect(readSettings({ sampleMs: Number.NaN }, {})).toMatchObject({
    settings: { sampleMs: 50 },
    problems: ['The option sampleMs must be a number from 5 to 86400000, but is NaN: 50 is used.'],
  });
});
