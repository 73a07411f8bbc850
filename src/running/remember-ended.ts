import { identityOf } from './evidence.ts';
import type { RunningApp, RunningApps } from './running-app.ts';

/** An application that is started again and again, under other names, must not fill the memory. */
const mostEnded = 50;

/**
 * The applications that have ended, with what outlives them: mistakes, and clients that never came back. Each until it is started anew.
 * One that is gone without a word was killed: what it held then is no news.
 * @param ended what this function gave before
 * @param before the applications as they were then
 */
export function rememberEnded(ended: RunningApps, before: RunningApps, apps: RunningApps): RunningApps {
  const present = new Set(apps.map(({ key }) => key));
  const running = new Set(apps.filter(({ endedAt }) => endedAt === undefined).map(identityOf));
  const gone = before.filter(({ key }) => !present.has(key)).map(afterwards);
  const kept = [...ended, ...gone].filter((app) => !running.has(identityOf(app)) && isTelling(app)).slice(-mostEnded);
  return kept.length === ended.length && kept.every((app, index) => app === ended[index]) ? ended : kept;
}

function afterwards(app: RunningApp): RunningApp {
  const { endedAt, pools } = app;
  if (endedAt !== undefined) return app;
  const lastSeen = Math.max(app.startedAt, ...pools.map(({ look }) => look?.at ?? 0));
  return { ...app, endedAt: lastSeen, pools: pools.map((pool) => ({ ...pool, held: [] })) };
}

function isTelling({ pools }: RunningApp): boolean {
  return pools.some(({ held, mistakes }) => held.length + mistakes.length > 0);
}
