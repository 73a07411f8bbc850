import { describe, expect, test } from 'vitest';
import {
  emptyActivity,
  historyLength,
  linkActivity,
  nextActivity,
  type ActivityModel,
} from '../../../src/activity/activity-model.ts';
import type {
  CodeKnowledge,
  DeclaredPool,
  StatementPlace,
} from '../../../src/activity/code-knowledge.ts';
import { aReport, aSession } from '../../support/a-session.ts';

const declared: DeclaredPool = { applicationName: 'api', max: 10, label: 'src/db.ts:7' };

function knowing(...pools: readonly DeclaredPool[]): CodeKnowledge {
  return {
    pools,
    placeOf: (query) =>
      query === 'SELECT 1'
        ? { label: 'src/users.ts:42', match: 'exact', others: 0, rule: null }
        : null,
  };
}

test('a pool keeps its peak and its curve while its sessions come and go', () => {
  const three = nextActivity(emptyActivity, aReport([1, 2, 3].map((pid) => aSession({ pid }))));
  const one = nextActivity(three, aReport([aSession({ pid: 2 })]));
  expect(one.pools).toMatchObject([
    { application: 'api', count: 1, peak: 3, history: { counts: [3, 1] }, pids: [2] },
  ]);
  expect(one.history.counts).toEqual([3, 1]);
});

test('a curve knows the time from its first sample to its last, also across a pause', () => {
  const at = (seconds: number, pids: readonly number[]) => ({
    ...aReport(pids.map((pid) => aSession({ pid }))),
    takenAt: new Date(1_000 * seconds).toISOString(),
  });
  const model = [at(0, []), at(2, [1]), at(4, [1]), at(64, [1, 2])].reduce<ActivityModel>(
    (before, report) => nextActivity(before, report),
    emptyActivity,
  );
  expect(model.history).toEqual({ counts: [0, 1, 1, 2], spanMs: 64_000 });
  expect(model.pools[0]?.history).toEqual({ counts: [1, 1, 2], spanMs: 62_000 });
});

test('a pool that was away finds its peak and its curve again, with the time in between', () => {
  const two = nextActivity(emptyActivity, aReport([aSession({ pid: 1 }), aSession({ pid: 2 })]));
  const away = nextActivity(two, aReport([]));
  expect([away.pools, away.absent]).toMatchObject([[], [{ peak: 2, history: { counts: [2, 0] } }]]);
  expect(nextActivity(away, aReport([aSession()]))).toMatchObject({
    pools: [{ peak: 2, history: { counts: [2, 0, 1] } }],
    absent: [],
  });
});

test('a pool that no curve reaches back to is forgotten', () => {
  let model: ActivityModel = nextActivity(emptyActivity, aReport([aSession()]));
  for (let look = 1; look < historyLength; look += 1) model = nextActivity(model, aReport([]));
  expect(model.absent).toHaveLength(1);
  expect(nextActivity(model, aReport([])).absent).toEqual([]);
});

test('names that nobody uses twice do not pile up', () => {
  const looks = Array.from({ length: 5 }, (_, look) =>
    aReport(
      Array.from({ length: 100 }, (_each, pid) => aSession({ pid, application: `${look}-${pid}` })),
    ),
  );
  expect(
    looks.reduce<ActivityModel>((before, report) => nextActivity(before, report), emptyActivity)
      .absent,
  ).toHaveLength(200);
});

test('a pool stands beside the declaration of its application name', () => {
  expect(
    nextActivity(emptyActivity, aReport([aSession()]), { code: knowing(declared) }).pools[0]
      ?.declared,
  ).toEqual(declared);
});

test.each([
  ['two pools have the name', aSession(), [declared, { ...declared, label: 'src/jobs.ts:3' }]],
  ['no pool has it', aSession({ application: 'psql' }), [declared]],
  ['neither has a name', aSession({ application: '' }), [{ ...declared, applicationName: '' }]],
  ['the session is our own', aSession({ isOwn: true }), [declared]],
])('nothing is declared when %s', (_when, session, pools) => {
  expect(
    nextActivity(emptyActivity, aReport([session]), { code: knowing(...pools) }).pools[0]?.declared,
  ).toBeNull();
});

test('a session has the place that writes its statement, and our own has none', () => {
  const sessions = [
    aSession({ pid: 1 }),
    aSession({ pid: 2, query: 'SELECT 2' }),
    aSession({ pid: 3, isOwn: true }),
  ];
  expect(nextActivity(emptyActivity, aReport(sessions), { code: knowing() }).places).toEqual({
    '1@2026-01-01T00:00:00.000000Z': {
      label: 'src/users.ts:42',
      match: 'exact',
      others: 0,
      rule: null,
    },
    '2@2026-01-01T00:00:00.000000Z': null,
  });
  expect(nextActivity(emptyActivity, aReport(sessions)).places).toEqual({});
});

describe('a session that is idle in transaction', () => {
  const stuck = aSession({
    pid: 4711,
    state: 'idle in transaction',
    stateAgeMs: 240_000,
    transactionAgeMs: 240_000,
  });
  const linked = (place: Partial<StatementPlace>): CodeKnowledge => ({
    pools: [declared],
    placeOf: () => ({ label: 'src/users.ts:42', match: 'exact', others: 0, rule: null, ...place }),
  });
  const sentence = (code: CodeKnowledge | undefined) =>
    nextActivity(emptyActivity, aReport([stuck]), { code }).concerns[0]?.sentence;
  const plain =
    'Session 4711 has been idle in transaction for 4 min: a client is held while no statement runs.';

  test.each([
    ['its line', linked({}), `${plain} Last statement: src/users.ts:42.`],
    [
      'the rule that speaks of it',
      linked({ rule: 'no-unreleased-client' }),
      `${plain} Last statement: src/users.ts:42, flagged no-unreleased-client.`,
    ],
    [
      'that there are other places',
      linked({ others: 2 }),
      `${plain} Last statement: src/users.ts:42 or 2 more.`,
    ],
    [
      'a hostile path as text',
      linked({ label: 'src/\u202E\n.ts:1' }),
      `${plain} Last statement: src/\\u202e .ts:1.`,
    ],
    ['nothing where no line is known', undefined, plain],
  ])('tells %s', (_what, code, text) => {
    expect(sentence(code)).toBe(text);
  });

  test('is linked anew when the code changes, without another look', () => {
    const before = nextActivity(emptyActivity, aReport([stuck]));
    const after = linkActivity(before, linked({ rule: 'no-unreleased-client' }));
    expect(after).toEqual(
      nextActivity(emptyActivity, aReport([stuck]), {
        code: linked({ rule: 'no-unreleased-client' }),
      }),
    );
    expect(linkActivity(after)).toEqual(before);
  });
});
