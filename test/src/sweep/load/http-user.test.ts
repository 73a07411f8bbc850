import { expect, test } from 'vitest';
import { createHttpRecorder } from '../../../../src/sweep/load/http-recorder.ts';
import { createHttpUser, type HttpUser } from '../../../../src/sweep/load/http-user.ts';
import { createVirtualTime, type VirtualTime } from '../../../support/virtual-time.ts';

interface Asked {
  readonly time: VirtualTime;
  readonly user: HttpUser;
  /** When requests were sent. */
  readonly moments: readonly number[];
  readonly cutOff: () => number;
  readonly load: () => ReturnType<ReturnType<typeof createHttpRecorder>['toLoad']>;
}

/** A user of an application for which each request is answered by `answer`. */
function ask(thinkMs: number, answer: (time: VirtualTime, user: HttpUser) => void): Asked {
  const time = createVirtualTime();
  const recorder = createHttpRecorder();
  const moments: number[] = [];
  let cutOff = 0;
  const client = {
    send: () => {
      moments.push(time.now());
      answer(time, user);
    },
    disconnect: () => void (cutOff += 1),
    end: () => undefined,
  };
  const user: HttpUser = createHttpUser({ client, recorder, clock: time, thinkMs });
  return {
    time,
    user,
    moments,
    cutOff: () => cutOff,
    load: () => recorder.toLoad(time.now() / 1000, null),
  };
}

/** Lets the user work for so long, and waits for the last answer. */
async function during(ms: number, { time, user }: Asked): Promise<void> {
  const never = new AbortController().signal;
  user.join();
  await time.run(time.wait(ms, never));
  user.leave();
  await time.run(time.wait(1000, never));
}

test('pauses between an answer and the next request, and the pause is no part of the time', async () => {
  const asked = ask(50, (time, user) => time.at(time.now() + 25, () => user.onAnswer(200)));
  await during(600, asked);
  expect(asked.moments).toEqual([0, 75, 150, 225, 300, 375, 450, 525]);
  expect(asked.load()).toMatchObject({
    requests: 8,
    latency: { averageMs: 25, maxMs: 25 },
    errors: {},
    generator: { lagP99Ms: 0 },
  });
});

test('of an application that is gone asks ten times a second at the most', async () => {
  const asked = ask(0, (_time, user) => user.onLost('ECONNREFUSED'));
  await during(600, asked);
  expect(asked.moments).toEqual([0, 100, 200, 300, 400, 500]);
  expect(asked.load()).toMatchObject({ requests: 0, errors: { ECONNREFUSED: 6 } });
});

test('gives up a request that takes too long, and hears of its answer no more', async () => {
  const asked = ask(0, (time, user) => time.at(time.now() + 2000, () => user.onAnswer(200)));
  const { time, user } = asked;
  time.at(500, () => user.lookForTimeout(1000));
  time.at(1500, () => user.lookForTimeout(1000));
  await during(1550, asked);
  expect(asked.cutOff()).toBe(1);
  expect(asked.load()).toMatchObject({ requests: 0, errors: { timeout: 1 } });
  expect(user.isWaiting).toBe(false);
});

test('asks no more once it has ended, in the middle of a pause too', async () => {
  const asked = ask(50, (time, user) => time.at(time.now() + 25, () => user.onAnswer(200)));
  asked.time.at(60, () => asked.user.end());
  await during(600, asked);
  expect(asked.moments).toEqual([0]);
});
