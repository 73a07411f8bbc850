import type fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultThresholds } from '../../../../src/activity/thresholds.ts';
import { LiveActivity } from '../../../../src/editor/activity/live-activity.ts';
import { accessTo } from '../../../support/access-to.ts';
import { aReport } from '../../../support/a-session.ts';
import { CountingClock } from '../../../support/counting-clock.ts';
import { FakeServer } from '../../../support/fake-server.ts';
import { overlap } from '../../../support/overlap.ts';

const here = accessTo('postgres://app@here/shop');
const there = accessTo('postgres://app@there/shop');

/** An editor with its one connection, as somebody uses it who watches the sidebar. */
class Desk {
  readonly server: FakeServer;
  readonly clock: CountingClock;
  live: LiveActivity;
  /** What is to be left in the end. */
  wanted: string | null = null;
  isPaused = false;
  /** Until what earlier windows had open is closed. */
  closed: Promise<unknown> = Promise.resolve();

  constructor(pace: (step: string) => Promise<unknown>) {
    this.server = new FakeServer(pace, aReport([]));
    this.clock = new CountingClock(() => pace('rest'));
    this.live = this.#open();
  }

  get leftovers(): typeof nothing {
    const { sessions, steps, endings } = this.server;
    return { sessions, steps, endings, sleepers: this.clock.sleepers };
  }

  connect(open: typeof here): void {
    this.live.connect(open);
    [this.wanted, this.isPaused] = [open.target.host, false];
  }

  disconnect(): Promise<void> {
    this.wanted = null;
    return this.live.disconnect();
  }

  pause(isPaused: boolean): void {
    this.live.setPaused(isPaused);
    this.isPaused = isPaused && this.wanted !== null;
  }

  kill(): void {
    const request = { action: 'terminate', pid: 1, backendStart: '', seenAt: '' } as const;
    void this.live.connection?.endSession(request);
  }

  /** The window is loaded anew: what was there is told to end, and nobody waits for it. */
  reload(): void {
    this.closed = Promise.all([this.closed, this.disconnect()]);
    this.live = this.#open();
  }

  #open(): LiveActivity {
    const live = new LiveActivity({
      createSource: (open, onOpen) => this.server.source(open, onOpen),
      endSession: (_watching, _open, _request, signal) => this.server.terminate(signal),
      clock: this.clock,
      intervalSeconds: 2,
      thresholds: defaultThresholds,
      code: () => undefined,
      onChange: () => undefined,
      onError: () => undefined,
      onRefused: () => undefined,
    });
    live.setWatched(true);
    return live;
  }
}

const acts: Readonly<Record<string, (desk: Desk) => unknown>> = {
  'connect here': (desk) => desk.connect(here),
  'connect there': (desk) => desk.connect(there),
  disconnect: (desk) => void desk.disconnect(),
  pause: (desk) => desk.pause(true),
  resume: (desk) => desk.pause(false),
  hide: (desk) => desk.live.setWatched(false),
  show: (desk) => desk.live.setWatched(true),
  refresh: (desk) => desk.live.refresh(),
  kill: (desk) => desk.kill(),
  reload: (desk) => desk.reload(),
  'server death': (desk) => desk.server.die(),
};

test('of two connects that overlap the later one is left, and Disconnect leaves none', async () => {
  const desk = new Desk((step) =>
    step === 'rest' ? new Promise(() => undefined) : Promise.resolve(),
  );
  desk.connect(here);
  desk.connect(there);
  await expect.poll(() => desk.server.sessions).toBe(1);
  expect(desk.live.connectionState()).toMatchObject({ label: 'app@there:5432/shop' });
  await desk.disconnect();
  expect(desk.leftovers).toEqual(nothing);
});

test('whatever overlaps, exactly one connection looks in the end or none', async () => {
  await overlapping(async (desk, scheduler) => {
    const { server, clock } = desk;
    await scheduler.waitFor(desk.closed);
    // A live connection polls forever; the cleanup of earlier ones must finish.
    for (let step = 0; step < 100 || server.endings > 0; step += 1) {
      if (scheduler.count() > 0) await scheduler.waitNext(1);
      await settled();
    }
    const looking = desk.wanted !== null && !desk.isPaused ? 1 : 0;
    expect(desk.live.open?.target.host ?? null).toBe(desk.wanted);
    expect(server.steps + clock.sleepers).toBe(looking);
    expect(server.sessions).toBeLessThanOrEqual(looking);
    await scheduler.waitFor(desk.disconnect());
    expect(desk.leftovers).toEqual(nothing);
  });
});

test('whatever is on its way, Disconnect leaves nothing', async () => {
  await overlapping(async (desk, scheduler) => {
    await scheduler.waitFor(Promise.all([desk.closed, desk.disconnect()]));
    expect(desk.leftovers).toEqual(nothing);
  });
});

const nothing = { sessions: 0, steps: 0, endings: 0, sleepers: 0 };

const overlapping = (look: (desk: Desk, scheduler: fc.Scheduler) => Promise<void>): Promise<void> =>
  overlap({
    make: (step) => new Desk(step),
    acts,
    look: async (desk, scheduler, names) => {
      desk.live.setWatched(true);
      // A window that is loaded anew does not wait for the one before.
      if (!names.includes('reload')) expect(desk.server.mostLookers).toBeLessThanOrEqual(1);
      await look(desk, scheduler);
    },
  });

/** All that follows from what has happened, and waits for nothing else. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
