import { expect, test } from 'vitest';
import { emptyActivity, nextActivity } from '../../../src/activity/activity-model.ts';
import { describeActivity } from '../../../src/cli/activity-text.ts';
import { aReport, aSession } from '../../support/a-session.ts';

const applications = ['api', 'billing', 'mailer', 'search', 'webhooks', 'admin'];
const stuck = aSession({
  pid: 99,
  application: 'leaky',
  state: 'idle in transaction',
  stateAgeMs: 5_000,
  transactionAgeMs: 5_000,
});
const model = nextActivity(
  emptyActivity,
  aReport([...applications.map((application, pid) => aSession({ pid, application })), stuck]),
);
const view = { isColored: false, columns: 120, listsAll: false };

function poolsIn(text: string): readonly string[] {
  return ['leaky', ...applications].filter((application) =>
    new RegExp(`^${application} .* shop `, 'm').test(text),
  );
}

test('a page that can be scrolled shows every pool', () => {
  expect(poolsIn(describeActivity(model, view))).toHaveLength(7);
});

test.each([
  [12, 3],
  [24, 4],
  [60, 7],
])(
  'a screen of %i rows shows %i pools, what is stuck first, and says what it leaves out',
  (rows, shown) => {
    const text = describeActivity(model, { ...view, rows });
    expect(poolsIn(text)).toHaveLength(shown);
    expect(poolsIn(text)).toContain('leaky');
    expect(text.includes(`… and ${7 - shown} more pools; a taller window shows them.`)).toBe(
      shown < 7,
    );
  },
);

test('a full server, on which a superuser looks, has no more connections used than there are', () => {
  const report = aReport(Array.from({ length: 10 }, (_, pid) => aSession({ pid })));
  const headroom = {
    ...report.headroom,
    maxConnections: 14,
    superuserReserved: 3,
    reserved: 2,
    usable: 9,
    used: 10,
    free: 0,
  };
  const text = describeActivity(nextActivity(emptyActivity, { ...report, headroom }), {
    ...view,
    columns: null,
  });
  expect(text).toContain(
    '10 of 14 connections used, 1 of the reserved ones among them, 0 free (max_connections 14, 5 of them reserved)',
  );
  expect(text).toContain(
    '9 of 9 usable connections are taken (100 %): 0 left. Superusers, or roles with a reserve of their own, hold 1 beyond these.',
  );
});

test.each([
  [160, []],
  [100, ['user', 'wait', 'query']],
  [80, ['application', 'user', 'wait', 'query']],
])(
  'a terminal of %i columns shows statement and blocker, and says which columns have no room',
  (columns, leftOut) => {
    const blocked = aSession({
      pid: 4711,
      application: 'checkout-api',
      state: 'active',
      stateAgeMs: 61_000,
      transactionAgeMs: 61_000,
      queryAgeMs: 61_000,
      waitEventType: 'Lock',
      waitEvent: 'transactionid',
      isWaiting: true,
      blockedBy: [99],
      query: `UPDATE orders SET paid = true WHERE id = 1 AND ${'x'.repeat(200)}`,
    });
    const text = describeActivity(nextActivity(emptyActivity, aReport([blocked, stuck])), {
      ...view,
      columns,
    });
    const lines = text.slice(text.indexOf('pid ')).split('\n');
    expect(lines[0]).toMatch(/^pid .* blocked by +statement$/);
    expect(lines.find((line) => line.startsWith('4711'))).toMatch(/ 99 +UPDATE orders SET /);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(columns);
    expect(
      text
        .split('\n')
        .filter((line) => line.startsWith('… a wider window'))
        .at(-1),
    ).toBe(leftOut.length === 0 ? undefined : `… a wider window shows: ${leftOut.join(', ')}.`);
  },
);

test('a narrow terminal leaves out columns that say nothing without a word', () => {
  const text = describeActivity(nextActivity(emptyActivity, aReport([stuck])), {
    ...view,
    columns: 80,
  });
  expect(text.slice(text.indexOf('pid ')).split('\n')[0]).not.toContain('blocked by');
  expect(text).not.toContain('a wider window shows: blocked by');
});

test('the first sample of a superuser names the role that is enough, later ones only say superuser', () => {
  const report = aReport([stuck]);
  const asSuperuser = {
    ...report,
    server: { ...report.server, user: 'postgres', isSuperuser: true },
  };
  const first = nextActivity(emptyActivity, asSuperuser);
  const note =
    'Note: Connected as the superuser postgres; pg_monitor is enough to see every session: CREATE ROLE poolguard LOGIN';
  expect(describeActivity(first, view)).toContain(`postgres@localhost:5432/shop, as a superuser\n`);
  expect(describeActivity(first, view)).toContain(note);
  const second = describeActivity(nextActivity(first, asSuperuser), view);
  expect([second.includes('as a superuser'), second.includes('Note:')]).toEqual([true, false]);
  expect(describeActivity(model, view)).not.toMatch(/superuser/);
});
