import {
  emptyActivity,
  nextActivity,
  type ActivityModel,
} from '../../../src/activity/activity-model.ts';
import { toHeadroom } from '../../../src/activity/headroom.ts';
import type { ActivityReport, Session } from '../../../src/activity/snapshot.ts';

const applications = [
  'api',
  'checkout-worker',
  'billing',
  'search-indexer',
  'nightly-report',
  'admin',
  'webhooks',
  'mailer',
  'import',
  'scheduler',
];
const statement = (n: number): string =>
  `SELECT o.id, o.customer, sum(i.price * i.amount) AS total -- list ${n}\nFROM orders o JOIN items i ON i.order_id = o.id\nWHERE o.customer = $1 AND o.placed_at > now() - interval '${n % 90} days'\nGROUP BY o.id ORDER BY o.placed_at DESC LIMIT ${n}`;

/** A look number `tick` at a busy server: a third of its sessions work, some hold a transaction open, and one row is fought for. */
export function generateLook(amount: number, tick: number): ActivityReport {
  const sessions = Array.from({ length: amount }, (_, n) => generateSession(n, tick));
  const server = {
    version: '18.4',
    versionNumber: 180_004,
    host: 'localhost',
    port: 5432,
    database: 'shop',
    user: 'app',
    seesAllSessions: true,
    inRecovery: false,
    isSuperuser: false,
    signalsOthers: false,
    queryTextLimit: 1_024,
    tracksActivities: true,
    isPooled: false,
  };
  return {
    schemaVersion: 1,
    takenAt: new Date(1_767_225_600_000 + 1_000 * tick).toISOString(),
    server,
    headroom: toHeadroom(
      { maxConnections: amount + 100, superuserReserved: 3, reserved: 0 },
      sessions,
    ),
    sessions,
  };
}

/** What is shown after so many looks, one a second. */
export function generateActivity(amount: number, looks: number): ActivityModel {
  return Array.from({ length: looks }, (_, tick) => generateLook(amount, tick)).reduce(
    (before, report) => nextActivity(before, report),
    emptyActivity,
  );
}

function doing(n: number, tick: number): 'blocked' | 'stuck' | 'active' | 'idle' {
  if (n % 25 === 3 && n > 3) return 'blocked';
  if (n % 17 === 5) return 'stuck';
  return (n + tick) % 3 === 0 ? 'active' : 'idle';
}

function generateSession(n: number, tick: number): Session {
  const does = doing(n, tick);
  const isBlocked = does === 'blocked';
  const isActive = does === 'active' || isBlocked;
  const ageMs = does === 'stuck' || isBlocked ? 1_000 * (tick + n) : (137 * n + 911 * tick) % 5_000;
  const wait = isBlocked
    ? { waitEventType: 'Lock', waitEvent: 'transactionid', isWaiting: true, blockedBy: [10_005] }
    : { waitEventType: 'Client', waitEvent: 'ClientRead', isWaiting: false, blockedBy: [] };
  return {
    ...wait,
    pid: 10_000 + n,
    backendStart: '2026-01-01T00:00:00.000000Z',
    user: n % 2 === 0 ? 'app' : 'jobs',
    database: 'shop',
    application: applications[n % applications.length] ?? 'api',
    clientAddress: `10.0.0.${n % 4}`,
    clientPort: 40_000 + 2 * n,
    state: isActive ? 'active' : does === 'stuck' ? 'idle in transaction' : 'idle',
    transactionAgeMs: does === 'idle' ? null : ageMs,
    queryAgeMs: ageMs,
    stateAgeMs: ageMs,
    query: statement(isActive ? n + tick : n),
    isOwn: false,
  };
}
