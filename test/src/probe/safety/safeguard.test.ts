import { expect, test } from 'vitest';
import type { HarmReading } from '../../../../src/database/probe-server.ts';
import {
  describeHeldUp,
  type HarmLooks,
  judgeErrors,
  judgeHarm,
  wasHeldUp,
} from '../../../../src/probe/safety/safeguard.ts';

const first: HarmReading = {
  maxConnections: 100,
  reserved: 3,
  used: 7,
  roleLimit: null,
  roleFree: null,
  databaseLimit: null,
  databaseFree: null,
  own: 0,
  activeOthers: 1,
  blockedOthers: 0,
};
const running: HarmReading = { ...first, used: 40, own: 33 };

function judge(now: Partial<HarmReading>, previous: Partial<HarmReading> = now): string | null {
  const looks: HarmLooks = {
    first,
    previous: { ...running, ...previous },
    now: { ...running, ...now },
  };
  return judgeHarm(looks);
}

test.each<readonly [string, Partial<HarmReading>, Partial<HarmReading>]>([
  ['its own connections', {}, {}],
  ['half of what was free', { used: 7 + 45, own: 45 }, { used: 7 + 45, own: 45 }],
  ['a burst of others', { activeOthers: 30 }, { activeOthers: 1 }],
  ['a few more active sessions', { activeOthers: 6 }, { activeOthers: 6 }],
  ['connections that others opened and closed', { used: 70 }, { used: 40 }],
  ['a server that was full before it opened any', { used: 96, own: 0 }, { used: 96, own: 0 }],
])('goes on with %s', (_, now, previous) => {
  expect(judge(now, previous)).toBeNull();
});

test.each<readonly [Partial<HarmReading>, string]>([
  [{ blockedOthers: 1 }, 'The probe stopped: 1 other session waited for a lock of its statement.'],
  [{ blockedOthers: 2 }, 'The probe stopped: 2 other sessions waited for a lock of its statement.'],
  [
    { used: 95 },
    'The probe stopped: the server (max_connections 100, 3 reserved) had only 2 connections left for others.',
  ],
  [
    { roleLimit: 40, roleFree: 1 },
    'The probe stopped: this role (CONNECTION LIMIT 40) had only 1 connection left for others.',
  ],
  [
    { used: 70 },
    'The probe stopped: others opened connections during the probe, and its own 33 became more than half of what the server (max_connections 100, 3 reserved) has left.',
  ],
  [
    { activeOthers: 7 },
    'The probe stopped: 7 other sessions were active, 1 when it began: the server is needed for other work.',
  ],
])('%o ends it', (now, sentence) => {
  expect(judge(now)).toBe(sentence);
});

test.each([
  [{ completed: 18, errors: { '22012': 1 } }, null],
  [{ completed: 95, errors: { '22012': 5 } }, null],
  [
    { completed: 90, errors: { '22012': 9, '40001': 1 } },
    'The probe stopped: 10 % of its statements failed (9 × 22012, 1 × 40001).',
  ],
])('an error rate of %o', (counts, sentence) => {
  expect(judgeErrors(counts)).toBe(sentence);
});

test.each([
  [150, 151, false],
  [150, 400, false],
  [600, 1400, false],
  [150, 3150, true],
  [500, 3500, true],
])('%i ms that took %i: held up is %s', (plannedMs, tookMs, expected) => {
  expect(wasHeldUp(plannedMs, tookMs)).toBe(expected);
});

test('the note says for how long', () => {
  expect(describeHeldUp(3040)).toMatch(/stood still for 3\.0 s/);
});
