import {
  emptyActivity,
  nextActivity,
  type ActivityModel,
} from '../../src/activity/activity-model.ts';
import type { CodeKnowledge } from '../../src/activity/code-knowledge.ts';
import type { ActivityReport, Session } from '../../src/activity/snapshot.ts';
import { aReport, aSession } from './a-session.ts';

const leak = "UPDATE users SET seen = now()\nWHERE email = 'ada@example.org'";

/** A small shop: an API that forgot a transaction and blocks two others, a worker that idles, a session that nobody may see, and our own. */
export const shop: readonly Session[] = [
  aSession({
    pid: 101,
    state: 'idle in transaction',
    transactionAgeMs: 252_000,
    queryAgeMs: 251_000,
    stateAgeMs: 250_000,
    query: leak,
  }),
  aSession({
    pid: 102,
    state: 'active',
    transactionAgeMs: 12_000,
    queryAgeMs: 12_000,
    stateAgeMs: 12_000,
    waitEventType: 'Lock',
    waitEvent: 'transactionid',
    isWaiting: true,
    blockedBy: [101],
    query: 'UPDATE users SET name = $1 WHERE id = $2',
  }),
  aSession({
    pid: 103,
    application: 'billing',
    state: 'active',
    transactionAgeMs: 9_000,
    queryAgeMs: 9_000,
    stateAgeMs: 9_000,
    waitEventType: 'Lock',
    waitEvent: 'transactionid',
    isWaiting: true,
    blockedBy: [102, 101],
    query: 'DELETE FROM users WHERE id = $1',
  }),
  aSession({ pid: 104, queryAgeMs: 3_000, stateAgeMs: 3_000 }),
  ...Array.from({ length: 4 }, (_, n) =>
    aSession({
      pid: 110 + n,
      application: 'checkout-worker',
      user: 'jobs',
      queryAgeMs: 60_000 * (n + 1),
      stateAgeMs: 60_000 * (n + 1),
      query: 'SELECT 1',
    }),
  ),
  aSession({
    pid: 120,
    application: 'backup',
    user: 'root',
    state: 'hidden',
    queryAgeMs: null,
    stateAgeMs: null,
    query: '',
  }),
  aSession({
    pid: 130,
    application: 'poolguard',
    state: 'active',
    queryAgeMs: 0,
    stateAgeMs: 0,
    transactionAgeMs: 0,
    isOwn: true,
  }),
];

/** The workspace of that API. */
const shopCode: CodeKnowledge = {
  pools: [{ applicationName: 'api', max: 2, label: 'src/db.ts:7' }],
  placeOf: (query) =>
    query === leak
      ? { label: 'src/users.ts:42', match: 'exact', others: 0, rule: 'no-unreleased-client' }
      : null,
};

function shopReport(sessions: readonly Session[] = shop): ActivityReport {
  return aReport(sessions);
}

/** What is shown after so many looks at the shop, a second apart. */
export function shopActivity(looks = 5, sessions: readonly Session[] = shop): ActivityModel {
  return Array.from({ length: looks }).reduce<ActivityModel>(
    (before) => nextShop(before, sessions),
    emptyActivity,
  );
}

/** The same server at its next look. */
export function nextShop(before: ActivityModel, sessions: readonly Session[]): ActivityModel {
  const report = shopReport(sessions);
  const takenAt = new Date((before.times.at(-1) ?? Date.parse(report.takenAt)) + 1_000);
  return nextActivity(before, { ...report, takenAt: takenAt.toISOString() }, { code: shopCode });
}
