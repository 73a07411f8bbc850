import { systemClock } from '../../src/activity/clock.ts';
import { startPoller, type Poller, type PollerState } from '../../src/activity/poller.ts';
import type { ActivityReport, Session } from '../../src/activity/snapshot.ts';
import { connectSession, type ConnectOptions } from '../../src/database/connect.ts';
import { createActivitySource, readActivity } from '../../src/database/read-activity.ts';
import { parseTarget } from '../../src/database/target.ts';
import { createStateLog, type StateLog } from './state-log.ts';

export interface ActivityWatch extends StateLog<PollerState>, AsyncDisposable {
  readonly poller: Poller;
}

/** Looks at a server every 20 ms, as the sidebar does every few seconds, and notes what happens. */
export function watchActivity(
  url: string,
  options: Omit<ConnectOptions, 'signal'> = {},
): ActivityWatch {
  const { target, secret } = targetOf(url);
  const log = createStateLog<PollerState>();
  const poller = startPoller({
    source: createActivitySource(target, secret, options),
    clock: systemClock,
    onState: log.add,
    intervalMs: 20,
  });
  return { ...log, poller, [Symbol.asyncDispose]: () => poller.stop() };
}

/** One look, over a connection of its own. */
export async function lookOnce(
  url: string,
  options: Omit<ConnectOptions, 'signal'> = {},
): Promise<ActivityReport> {
  const { target, secret } = targetOf(url);
  const answer = await connectSession(target, secret, options);
  if (answer.kind === 'failed') throw new Error(answer.failure.sentence);
  try {
    const read = await readActivity(answer.session);
    if (read.kind === 'failed') throw new Error(read.failure.sentence);
    return read.report;
  } finally {
    await answer.session.close();
  }
}

/** The one session of that application. */
export function sessionOf({ sessions }: ActivityReport, application: string): Session {
  const found = sessions.filter((session) => session.application === application);
  if (found.length !== 1 || found[0] === undefined)
    throw new Error(`${found.length} sessions are called ${application}.`);
  return found[0];
}

function targetOf(url: string) {
  const parsed = parseTarget(url);
  if (parsed.kind === 'problem') throw new Error(parsed.sentence);
  return parsed;
}
