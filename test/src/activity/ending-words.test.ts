import { describe, expect, test } from 'vitest';
import {
  confirmEnding,
  describeEnding,
  type EndingOutcome,
  worstFirst,
} from '../../../src/activity/ending-words.ts';
import type { Session } from '../../../src/activity/snapshot.ts';
import { aReport, aSession } from '../../support/a-session.ts';

const place = { report: aReport([]), isPrivate: true, isPooled: false };
const running = aSession({
  pid: 7,
  state: 'active',
  stateAgeMs: 65_000,
  transactionAgeMs: 65_000,
  query: 'SELECT pg_sleep(600)',
});
const leaking = aSession({
  pid: 8,
  state: 'idle in transaction',
  stateAgeMs: 240_000,
  transactionAgeMs: 250_000,
  queryAgeMs: 241_500,
  query: 'SELECT 1',
});

function labelsOf(session: Session, asked: 'cancel' | 'terminate'): readonly string[] {
  return confirmEnding(session, asked, place).choices.map(({ label }) => label);
}

describe('before a session is ended', () => {
  test('all that tells it apart is shown, and what it costs', () => {
    const { title, detail } = confirmEnding(leaking, 'terminate', place);
    expect(title).toBe('Terminate session 8 of api?');
    expect(detail).toContain(
      'Process id 8, user app, application api, database shop at localhost:5432, from 10.0.0.1:50000.',
    );
    expect(detail).toContain(
      'State: idle in transaction for 4 min, its transaction open for 4 min 10 s, its last statement took 1.5 s.',
    );
    expect(detail).toContain('Statement: SELECT 1');
    expect(detail).toContain(
      "its open transaction is rolled back. The pool's next query on this client fails.",
    );
  });

  test.each([
    ['a running statement', running, 'cancel', ['Cancel the statement', 'Terminate instead']],
    [
      'a running statement, though to terminate was asked for',
      running,
      'terminate',
      ['Cancel the statement', 'Terminate instead'],
    ],
    ['an idle transaction', leaking, 'terminate', ['Terminate the session']],
    [
      'an idle transaction, though to cancel was asked for',
      leaking,
      'cancel',
      ['Terminate the session'],
    ],
  ] as const)('the mildest that helps comes first: %s', (_, session, asked, labels) => {
    expect(labelsOf(session, asked)).toEqual(labels);
  });

  test('to cancel what runs nothing is said to have no effect', () => {
    expect(confirmEnding(leaking, 'cancel', place).detail).toContain(
      'No statement is running, so cancelling has no effect',
    );
    expect(confirmEnding(leaking, 'terminate', place).detail).not.toContain('no effect');
  });

  test('a host that is not near is in the title, a pooler in the detail', () => {
    const server = { ...aReport([]).server, host: 'db.example.com' };
    const { title, detail } = confirmEnding(running, 'cancel', {
      report: { server },
      isPrivate: false,
      isPooled: true,
    });
    expect(title).toBe('End what session 7 of api runs on db.example.com?');
    expect(detail).toContain('neither this machine nor in a private network');
    expect(detail).toContain('a server connection that its clients share');
  });

  test('hostile text is plain and short', () => {
    const hostile = '\u001B[31m<img src=x>\u202E\r\nwindow';
    const { title, detail } = confirmEnding(
      aSession({
        application: hostile,
        user: hostile,
        database: hostile,
        query: hostile.repeat(100_000),
      }),
      'terminate',
      place,
    );
    expect(`${title}${detail}`).not.toMatch(/[\u001B\u202E\r]/);
    expect(detail.length).toBeLessThan(1_000);
    expect(detail.split('\n')).toHaveLength(5);
  });
});

describe('afterwards, what became of it', () => {
  const told = (outcome: EndingOutcome, action: 'cancel' | 'terminate' = 'terminate') =>
    describeEnding(outcome, action, leaking);

  test('only what was seen to stop, or was gone before, is good news', () => {
    expect(told({ kind: 'ended' })).toEqual({
      sentence: 'Session 8 of api is gone; its connection is free.',
      isDone: true,
    });
    expect(told({ kind: 'gone' }).isDone).toBe(true);
    const others: readonly EndingOutcome[] = [
      { kind: 'still-there' },
      { kind: 'replaced' },
      { kind: 'runs-nothing' },
      { kind: 'moved-on' },
      { kind: 'hidden' },
      { kind: 'refused', because: 'own' },
      { kind: 'refused', because: 'background' },
    ];
    expect(others.filter((outcome) => told(outcome).isDone)).toEqual([]);
  });

  test('a missing right comes with what grants it', () => {
    expect(
      told({
        kind: 'not-allowed',
        ownRole: 'my "dev" role',
        ownerRole: 'app',
        ownerIsSuperuser: false,
      }).sentence,
    ).toBe(
      'Session 8 of api belongs to app, and my "dev" role cannot end it. A superuser can allow it: GRANT pg_signal_backend TO "my ""dev"" role";',
    );
    expect(
      told({ kind: 'not-allowed', ownRole: 'dev', ownerRole: 'postgres', ownerIsSuperuser: true })
        .sentence,
    ).toContain('only a superuser can end it');
  });
});

test('those who hold up others are offered first, then idle transactions, then what runs', () => {
  const blocker = aSession({ pid: 1, state: 'active', stateAgeMs: 1 });
  const waiter = aSession({ pid: 2, state: 'active', stateAgeMs: 50, blockedBy: [1] });
  const idle = aSession({ pid: 3, stateAgeMs: 900_000 });
  expect(worstFirst([idle, waiter, leaking, running, blocker]).map(({ pid }) => pid)).toEqual([
    1, 8, 7, 2, 3,
  ]);
});
