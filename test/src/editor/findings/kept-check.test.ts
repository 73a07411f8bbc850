import { expect, test } from 'vitest';
import { KeptCheck } from '../../../../src/editor/findings/kept-check.ts';
import { overlap, type Step } from '../../../support/overlap.ts';

/** A check of everything whose steps are let go by hand; `log` has what it does. */
function createCheck() {
  const log: string[] = [];
  const waiting: (() => void)[] = [];
  const step = (signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      waiting.push(resolve);
      signal.addEventListener('abort', () => resolve());
    });
  const kept = new KeptCheck({
    check: async (signal) => {
      log.push('check');
      await step(signal);
      if (!signal.aborted) log.push('found');
    },
    lookAgain: async (changed, signal) => {
      log.push(`look at ${changed.join(', ')}`);
      await step(signal);
      log.push(signal.aborted ? 'too late' : 'shown');
    },
    onSwitch: (isOn) => log.push(isOn ? 'on' : 'off'),
    rest: step,
  });
  const go = async () => {
    await expect.poll(() => waiting.length, { interval: 1 }).toBeGreaterThan(0);
    for (const each of waiting.splice(0)) each();
  };
  return { kept, log, go };
}

test('a check that is cleared while it runs shows nothing afterwards', async () => {
  const { kept, log } = createCheck();
  const checked = kept.check();
  await expect.poll(() => log).toContain('check');
  kept.clear();
  expect(await checked).toBe(false);
  expect(log).toEqual(['off', 'check', 'off']);
});

test('of two checks the later one is left', async () => {
  const { kept, log, go } = createCheck();
  const first = kept.check();
  await expect.poll(() => log).toContain('check');
  const second = kept.check();
  await expect.poll(() => log.filter((each) => each === 'check')).toHaveLength(2);
  await go();
  expect(await Promise.all([first, second])).toEqual([false, true]);
  expect(log).toEqual(['off', 'check', 'off', 'check', 'found', 'on']);
});

test('what changes during a look is looked at with what that look was for', async () => {
  const { kept, log, go } = createCheck();
  kept.changed('nobody checked');
  const checked = kept.check();
  await go();
  await checked;
  kept.changed('a');
  await go();
  await expect.poll(() => log).toContain('look at a');
  kept.changed('b');
  await expect.poll(() => log).toContain('too late');
  await go();
  await expect.poll(() => log).toContain('look at a, b');
  await go();
  await expect.poll(() => log.at(-1)).toBe('shown');
  kept.clear();
  kept.changed('c');
  expect(log.slice(-2)).toEqual(['shown', 'off']);
});

/** A check whose steps end when the schedule says so, or when they are told to stop. */
function createSlowCheck(step: Step) {
  const shown = { isOn: false, checks: 0, looks: 0 };
  const during = async (what: 'checks' | 'looks', signal: AbortSignal) => {
    shown[what] += 1;
    const stopped = new Promise((resolve) => signal.addEventListener('abort', resolve));
    await Promise.race([step(what), stopped]);
    shown[what] -= 1;
  };
  const kept = new KeptCheck({
    check: (signal) => during('checks', signal),
    lookAgain: (_changed, signal) => during('looks', signal),
    onSwitch: (isOn) => (shown.isOn = isOn),
    rest: (signal) => during('looks', signal),
  });
  return { kept, shown };
}

test('whatever overlaps, a check that came to its end is shown, and Clear leaves nothing', () =>
  overlap({
    make: createSlowCheck,
    acts: {
      check: ({ kept }) => void kept.check(),
      clear: ({ kept }) => kept.clear(),
      'a file changes': ({ kept }) => kept.changed('a'),
      'another file changes': ({ kept }) => kept.changed('b'),
    },
    look: async ({ kept, shown }, scheduler) => {
      expect(await scheduler.waitFor(kept.check())).toBe(true);
      expect([shown.isOn, shown.checks]).toEqual([true, 0]);
      kept.clear();
      while (scheduler.count() > 0) await scheduler.waitNext(1);
      expect(shown).toEqual({ isOn: false, checks: 0, looks: 0 });
    },
  }));
