import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  emptyActivity,
  nextActivity,
  type ActivityModel,
} from '../../../src/activity/activity-model.ts';
import { systemClock } from '../../../src/activity/clock.ts';
import { startPoller, type Poller } from '../../../src/activity/poller.ts';
import { createActivitySource } from '../../../src/database/read-activity.ts';
import { parseTarget } from '../../../src/database/target.ts';
import { listen } from '../../../src/running/listener.ts';
import type { RunningApps } from '../../../src/running/running-app.ts';
import { nextRunningApps } from '../../../src/running/running-apps.ts';
import { capActivity, leanActivity } from '../../../src/webview/lean-activity.ts';
import type { Role, RoleStart } from './role.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
/** The panel is hidden and shown again after so many looks: the connection is closed and opened. */
const looksUntilHidden = 40;
const hiddenMs = 300;

/** What the extension holds while its panel is open and an application runs under watch: the poller, its model, the listener. */
export const editorHost: Role = async (start, tell) => {
  let done = 0;
  const count = () => tell({ kind: 'done', count: (done += 1) });
  const poller = pollFor(start, count, (sentence) => tell({ kind: 'failed', sentence }));
  const application = await watchApplication(start);
  application.ended.then(
    (sentence) => tell({ kind: 'failed', sentence }),
    () => undefined,
  );
  tell({ kind: 'working', children: { 'application under watch': application.processId } });
  return async () => {
    await poller.stop();
    await application.stop();
  };
};

/** Each look goes the way of the real one: into the model, without what the page knows, and through a serialisation as a message does. */
function pollFor(
  { url, lookEveryMs }: RoleStart,
  onLook: () => void,
  onFailure: (sentence: string) => void,
): Poller {
  const parsed = parseTarget(url);
  if (parsed.kind === 'problem') throw new Error(parsed.sentence);
  let activity: ActivityModel = emptyActivity;
  let looks = 0;
  const poller: Poller = startPoller({
    source: createActivitySource(parsed.target, parsed.secret),
    clock: systemClock,
    intervalMs: lookEveryMs,
    onState: (state) => {
      if (state.kind === 'lost') onFailure(state.failure.sentence);
      if (state.kind !== 'live') return;
      const before = activity;
      activity = capActivity(nextActivity(activity, state.report));
      structuredClone(
        JSON.parse(JSON.stringify({ kind: 'activity', activity: leanActivity(activity, before) })),
      );
      onLook();
      looks += 1;
      if (looks % looksUntilHidden !== 0) return;
      poller.pause();
      setTimeout(() => poller.resume(), hiddenMs);
    },
  });
  return poller;
}

/** A real application behind a real listener. */
async function watchApplication({ url, execArgv }: RoleStart): Promise<{
  readonly processId: number;
  readonly ended: Promise<string>;
  readonly stop: () => Promise<void>;
}> {
  let apps: RunningApps = [];
  const hear = (key: string, event: Parameters<typeof nextRunningApps>[2]) => {
    apps = nextRunningApps(apps, key, event, Date.now());
  };
  const listener = await listen({
    registerPath: join(root, 'dist/pool-watch.cjs'),
    onReport: hear,
    onGone: (key) => hear(key, { kind: 'gone' }),
  });
  // The application holds some clients for longer than this, so that its monitor has to tell of them.
  const environment = {
    ...process.env,
    ...listener.variables(process.env),
    POOLGUARD_HELD_MS: '1000',
  };
  const child = fork(join(root, 'scripts/soak/application.mjs'), [], {
    execArgv: [...execArgv],
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  child.send(url);
  await Promise.race([once(child, 'message'), exited]);
  const stop = async () => {
    if (child.connected) child.disconnect();
    await exited;
    await listener[Symbol.asyncDispose]();
  };
  return {
    processId: child.pid ?? Number.NaN,
    ended: exited.then(() => 'The application under watch ended by itself.'),
    stop,
  };
}
