import { toHeadroom } from '../../src/activity/headroom.ts';
import type { ActivityReport, ServerFacts, Session } from '../../src/activity/snapshot.ts';

/** An idle session of an application, changed as given. */
export function aSession(change: Partial<Session> = {}): Session {
  return {
    pid: 1,
    backendStart: '2026-01-01T00:00:00.000000Z',
    user: 'app',
    database: 'shop',
    application: 'api',
    clientAddress: '10.0.0.1',
    clientPort: 50_000,
    state: 'idle',
    transactionAgeMs: null,
    queryAgeMs: 10,
    stateAgeMs: 10,
    waitEventType: null,
    waitEvent: null,
    isWaiting: false,
    blockedBy: [],
    query: 'SELECT 1',
    isOwn: false,
    ...change,
  };
}

export const aServer: ServerFacts = {
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

/** What a look finds that sees these sessions on a server with the usual reserves. */
export function aReport(sessions: readonly Session[], maxConnections = 100): ActivityReport {
  const headroom = toHeadroom({ maxConnections, superuserReserved: 3, reserved: 2 }, sessions);
  return {
    schemaVersion: 1,
    takenAt: '2026-01-01T00:00:00.000Z',
    server: aServer,
    headroom,
    sessions,
  };
}
