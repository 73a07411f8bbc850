import { expect, test } from 'vitest';
import { LivePooler, type PoolerWay } from '../../../../src/editor/pooler/live-pooler.ts';
import { accessTo } from '../../../support/access-to.ts';
import { aPooler } from '../../../support/a-pooler.ts';
import { CountingClock } from '../../../support/counting-clock.ts';
import { FakeServer } from '../../../support/fake-server.ts';
import { overlap, type Step } from '../../../support/overlap.ts';

const way = (host: string | undefined, isPooled: boolean | undefined): PoolerWay => ({
  open: host === undefined ? undefined : accessTo(`postgres://app@${host}/shop`),
  isPooled,
  isPausedByUser: false,
  intervalSeconds: 2,
});
const [here, there] = [way('here', true), way('there', true)];

/** A page of the pooler's console that somebody watches. */
function createPage(step: Step) {
  const clock = new CountingClock(() => step('rest'));
  const server = new FakeServer(step, aPooler([]));
  const pooler = new LivePooler({
    chooseRole: async (open) => {
      await step('choose');
      return open;
    },
    createSource: (target) => server.source({ target }),
    clock,
    onChange: () => undefined,
    onError: () => undefined,
  });
  pooler.setWatched(true);
  return { pooler, server, clock };
}

test('whatever overlaps, at most one session looks into the console, and the end leaves none', () =>
  overlap({
    make: createPage,
    acts: {
      'connect here': ({ pooler }) => pooler.follow(here),
      'connect there': ({ pooler }) => pooler.follow(there),
      'find no pooler': ({ pooler }) => pooler.follow(way('here', false)),
      disconnect: ({ pooler }) => pooler.follow(way(undefined, undefined)),
      pause: ({ pooler }) => pooler.follow({ ...here, isPausedByUser: true }),
      hide: ({ pooler }) => pooler.setWatched(false),
      show: ({ pooler }) => pooler.setWatched(true),
      retry: ({ pooler }) => pooler.retry(),
      refresh: ({ pooler }) => pooler.refresh(),
      'server death': ({ server }) => server.die(),
    },
    look: async ({ pooler, server, clock }, scheduler) => {
      expect(server.mostLookers).toBeLessThanOrEqual(1);
      await scheduler.waitFor(pooler.stop());
      expect([server.sessions, server.steps, clock.sleepers]).toEqual([0, 0, 0]);
    },
  }));
