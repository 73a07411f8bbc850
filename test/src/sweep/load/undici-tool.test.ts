import { expect, test } from 'vitest';
import { createHttpRecorder } from '../../../../src/sweep/load/http-recorder.ts';
import { createHttpUser, type HttpUser } from '../../../../src/sweep/load/undici-tool.ts';
import { createVirtualTime, type VirtualTime } from '../../../support/virtual-time.ts';

interface Asked {
  readonly time: VirtualTime;
  readonly user: HttpUser;
  /** When requests were sent. */
  readonly moments: readonly number[];
  readonly end: () => void;
  readonly load: () => ReturnType<ReturnType<typeof createHttpRecorder>['toLoad']>;
}

/** A user of an application that gives the same answer after so long. */
function ask(thinkMs: number, afterMs: number, answer: number | string): Asked {
  const time = createVirtualTime();
  const recorder = createHttpRecorder();
  const ended = new AbortController();
  const moments: number[] = [];
  const send = async () => {
    moments.push(time.now());
    await time.wait(afterMs, ended.signal);
    return ended.signal.aborted ? 'closed' : answer;
  };
  return {
    time,
    user: createHttpUser({ send, recorder, clock: time, thinkMs, ended: ended.signal }),
    moments,
    end: () => ended.abort(),
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
  const asked = ask(50, 25, 200);
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
  const asked = ask(0, 0, 'ECONNREFUSED');
  await during(600, asked);
  expect(asked.moments).toEqual([0, 100, 200, 300, 400, 500]);
  expect(asked.load()).toMatchObject({ requests: 0, errors: { ECONNREFUSED: 6 } });
});

test('asks no more once it has ended, in the middle of a pause too', async () => {
  const asked = ask(50, 25, 200);
  asked.time.at(60, asked.end);
  await during(600, asked);
  expect(asked.moments).toEqual([0]);
});

test('what is under way at the end is no error', async () => {
  const asked = ask(50, 25, 200);
  asked.time.at(10, asked.end);
  await during(600, asked);
  expect(asked.load()).toMatchObject({ requests: 0, errors: {} });
});
