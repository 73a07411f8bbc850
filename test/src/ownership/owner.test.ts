import { expect, test } from 'vitest';
import { Owner } from '../../../src/ownership/owner.ts';
import { overlap, type Step } from '../../support/overlap.ts';

/** Things that somebody starts and must end; `log` tells in which order. */
function createThings() {
  const log: string[] = [];
  const owner = new Owner<string>(async (name) => {
    log.push(`end ${name}`);
    await Promise.resolve();
    log.push(`${name} has ended`);
  });
  const waiting = new Map<string, () => void>();
  const slow = (name: string) => async (signal: AbortSignal) => {
    log.push(`begin ${name}`);
    signal.addEventListener('abort', () => log.push(`${name} is told`));
    await new Promise<void>((resolve) => waiting.set(name, resolve));
    return name;
  };
  return { owner, log, slow, ready: (name: string) => waiting.get(name)?.() };
}

test('what is ready ends before the next begins', async () => {
  const { owner, log } = createThings();
  expect(await owner.start(() => 'a')).toBe('a');
  expect(owner.thing).toBe('a');
  const next = owner.start(() => (log.push('begin b'), 'b'));
  expect(owner.thing).toBeUndefined();
  expect(await next).toBe('b');
  expect(log).toEqual(['end a', 'a has ended', 'begin b']);
});

test('what is on its way is told, and ended when it comes too late', async () => {
  const { owner, log, slow, ready } = createThings();
  const first = owner.start(slow('a'));
  await expect.poll(() => log).toEqual(['begin a']);
  const second = owner.start(() => 'b');
  ready('a');
  expect(await Promise.all([first, second])).toEqual([undefined, 'b']);
  expect(log).toEqual(['begin a', 'a is told', 'end a', 'a has ended']);
  await owner.end();
  expect(log.slice(-1)).toEqual(['b has ended']);
});

test('what never had its turn never begins', async () => {
  const { owner, log, slow } = createThings();
  const started = [owner.start(slow('a')), owner.start(slow('b')), owner.start(() => 'c')];
  expect(await Promise.all(started)).toEqual([undefined, undefined, 'c']);
  expect(log).toEqual([]);
});

test('a failure is for whoever started it, and stands in nobody’s way', async () => {
  const { owner } = createThings();
  const failed = owner.start(() => Promise.reject(new Error('No place.')));
  const next = owner.start(() => 'b');
  await expect(failed).resolves.toBeUndefined();
  expect(await next).toBe('b');
  await expect(owner.start(() => Promise.reject(new Error('No place.')))).rejects.toThrow('place');
  expect([owner.isUnderWay, owner.thing]).toEqual([false, undefined]);
  await owner.end();
});

test('what all share is made by the first who needs it, and again after a failure', async () => {
  const { owner, log, slow, ready } = createThings();
  await expect(owner.keep(() => Promise.reject(new Error('No place.')))).rejects.toThrow('place');
  const both = [owner.keep(slow('a')), owner.keep(slow('b'))];
  await expect.poll(() => log).toEqual(['begin a']);
  expect(owner.isUnderWay).toBe(true);
  ready('a');
  expect(await Promise.all(both)).toEqual(['a', 'a']);
  expect(owner.isUnderWay).toBe(false);
});

/** Things that take time to begin and to end, some of which fail; `alive` counts those that have begun and not ended. */
function createSlowThings(step: Step) {
  const counts = { begun: 0, alive: 0, most: 0 };
  const owner = new Owner<number>(async () => {
    await step('end');
    counts.alive -= 1;
  });
  const begin = async () => {
    const name = (counts.begun += 1);
    counts.alive += 1;
    counts.most = Math.max(counts.most, counts.alive);
    await step('begin');
    return name;
  };
  const fail = async () => {
    await step('fail');
    throw new Error('No place.');
  };
  return { owner, counts, begin, fail };
}

test('whatever overlaps, at most one thing is there, and the end leaves none', () =>
  overlap({
    make: createSlowThings,
    acts: {
      start: ({ owner, begin }) => void owner.start(begin),
      keep: ({ owner, begin }) => void owner.keep(begin).catch(() => undefined),
      'start what fails': ({ owner, fail }) => void owner.start(fail).catch(() => undefined),
      end: ({ owner }) => void owner.end(),
    },
    look: async ({ owner, counts, begin }, scheduler) => {
      expect(counts.most).toBeLessThanOrEqual(1);
      const last = await scheduler.waitFor(owner.start(begin));
      expect([owner.thing, owner.isUnderWay, counts.alive]).toEqual([last, false, 1]);
      await scheduler.waitFor(owner.end());
      expect([owner.thing, counts.alive]).toEqual([undefined, 0]);
    },
  }));
