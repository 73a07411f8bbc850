import { expect, test } from 'vitest';
import { emptyActivity, historyLength, nextActivity, type ActivityModel } from '../../../src/activity/activity-model.ts';
import type { CodeKnowledge, DeclaredPool } from '../../../src/activity/code-knowledge.ts';
import { aReport, aSession } from '../../support/a-session.ts';

const declared: DeclaredPool = { applicationName: 'api', max: 10, label: 'src/db.ts:7' };

function knowing(...pools: readonly DeclaredPool[]): CodeKnowledge {
  return { pools, placeOf: (query) => (query === 'SELECT 1' ? { label: 'src/users.ts:42', match: 'exact', others: 0, rule: null } : null) };
}

test('a pool keeps its peak and its curve while its sessions come and go', () => {
  const three = nextActivity(emptyActivity, aReport([1, 2, 3].map((pid) => aSession({ pid }))));
  const one = nextActivity(three, aReport([aSession({ pid: 2 })]));
  expect(one.pools).toMatchObject([{ application: 'api', count: 1, peak: 3, history: [3, 1], pids: [2] }]);
  expect(one.history).toEqual([3, 1]);
});

test('a pool that was away finds its peak and its curve again, with the time in between', () => {
  const two = nextActivity(emptyActivity, aReport([aSession({ pid: 1 }), aSession({ pid: 2 })]));
  const away = nextActivity(two, aReport([]));
  expect([away.pools, away.absent]).toMatchObject([[], [{ peak: 2, history: [2, 0] }]]);
  expect(nextActivity(away, aReport([aSession()]))).toMatchObject({ pools: [{ peak: 2, history: [2, 0, 1] }], absent: [] });
});

test('a pool that no curve reaches back to is forgotten', () => {
  let model: ActivityModel = nextActivity(emptyActivity, aReport([aSession()]));
  for (let look = 1; look < historyLength; look += 1) model = nextActivity(model, aReport([]));
  expect(model.absent).toHaveLength(1);
  expect(nextActivity(model, aReport([])).absent).toEqual([]);
});

test('names that nobody uses twice do not pile up', () => {
  const looks = Array.from({ length: 5 }, (_, look) => aReport(Array.from({ length: 100 }, (_each, pid) => aSession({ pid, application: `${look}-${pid}` }))));
  expect(looks.reduce<ActivityModel>((before, report) => nextActivity(before, report), emptyActivity).absent).toHaveLength(200);
});

test('a pool stands beside the declaration of its application name', () => {
  expect(nextActivity(emptyActivity, aReport([aSession()]), { code: knowing(declared) }).pools[0]?.declared).toEqual(declared);
});

test.each([
  ['two pools have the name', aSession(), [declared, { ...declared, label: 'src/jobs.ts:3' }]],
  ['no pool has it', aSession({ application: 'psql' }), [declared]],
  ['neither has a name', aSession({ application: '' }), [{ ...declared, applicationName: '' }]],
  ['the session is our own', aSession({ isOwn: true }), [declared]],
])('nothing is declared when %s', (_when, session, pools) => {
  expect(nextActivity(emptyActivity, aReport([session]), { code: knowing(...pools) }).pools[0]?.declared).toBeNull();
});

test('a session has the place that writes its statement, and our own has none', () => {
  const sessions = [aSession({ pid: 1 }), aSession({ pid: 2, query: 'SELECT 2' }), aSession({ pid: 3, isOwn: true })];
  expect(nextActivity(emptyActivity, aReport(sessions), { code: knowing() }).places).toEqual({
    '1@2026-01-01T00:00:00.000000Z': { label: 'src/users.ts:42', match: 'exact', others: 0, rule: null },
  });
});
