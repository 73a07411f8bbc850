import type { DatabaseSession } from '../../src/database/session.ts';
import { createRandom } from '../../src/probe/random.ts';
import { createLanes } from '../../src/probe/size/lanes.ts';
import type { LoadMeter } from '../../src/probe/size/load-meter.ts';
import { measure, type Measuring, type MeasuringEnd } from '../../src/probe/size/measure.ts';
import { planSlices } from '../../src/probe/size/plan.ts';
import type { Workload } from '../../src/probe/workload/workload.ts';
import { startWaitSampler } from '../../src/probe/size/wait-sampler.ts';
import { createQueueServer, type QueueServerOptions } from './queue-server.ts';
import { createVirtualTime, type VirtualTime } from './virtual-time.ts';

/** A machine that does nothing else; its time is the virtual one. */
function calmMeter(time: VirtualTime): LoadMeter {
  return {
    watch: () => undefined,
    seesBackends: true,
    read: () => ({
      atMs: time.now(),
      ownMs: 0.2 * time.now(),
      busyMs: 0.5 * time.now(),
      idleMs: 1.5 * time.now(),
      stolenMs: 0,
      backendsMs: 0.3 * time.now(),
      waitingMs: { backends: 0, probe: 0 },
      eventLoops: [{ active: 0, idle: time.now(), utilization: 0 }],
    }),
    lagP99Ms: () => 0,
    stop: () => undefined,
  };
}

export const aWorkload: Workload = {
  summary: { origin: 'given', inTransaction: false, statements: [] },
  calls: [],
  meanMs: 5,
  next: () => ({ text: 'SELECT 1' }),
  notes: [],
};

export interface MeasuredQueue {
  readonly end: MeasuringEnd;
  /** Of virtual time, in milliseconds. */
  readonly elapsedMs: number;
}

export interface MeasuredQueueOptions extends Omit<QueueServerOptions, 'time' | 'random'> {
  /** Of one statement alone, as a probe would have timed it beforehand. */
  readonly meanMs: number;
  readonly max?: number;
  readonly seconds?: number;
  readonly seed?: number;
  readonly change?: (time: VirtualTime) => Partial<Measuring>;
}

/** Measures a simulated server from end to end as a probe measures a real one: the same plan, lanes, rounds and decisions. */
export async function measureQueue({
  meanMs,
  max = 32,
  seconds = 15,
  seed = 1,
  change,
  ...server
}: MeasuredQueueOptions): Promise<MeasuredQueue> {
  const time = createVirtualTime();
  const random = createRandom(seed);
  const queue = createQueueServer({ time, random, ...server });
  const planned = planSlices(max, meanMs, { totalMs: seconds * 1000, validationMs: 0 });
  if (planned.kind === 'refused') throw new Error(planned.sentence);
  const sessions = Array.from({ length: max }, () => queue.connect() as DatabaseSession);
  const sampler = startWaitSampler(() => Promise.resolve(queue.look()), time);
  const work = measure({
    plan: planned.plan,
    lanes: createLanes({ sessions, workload: aWorkload, random, clock: time }),
    meter: calmMeter(time),
    sampler,
    timeLine: null,
    clock: time,
    longestSilenceMs: 3000,
    random,
    signal: new AbortController().signal,
    enough: new AbortController().signal,
    onSlice: () => undefined,
    ...change?.(time),
  });
  const end = await time.run(work);
  await time.run(sampler.stop());
  return { end, elapsedMs: time.now() };
}
